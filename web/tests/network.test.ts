import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Interpreter, Network, installNetwork } from "../src/device/network";

const FILE = readFileSync("../src/granada/engine/model.bin");

/** Returns a file: the number of sizes, the sizes, then 32-bit floats. */
function file(sizes: number[], floats: number[]): Uint8Array {
  const integers = Uint32Array.from([sizes.length, ...sizes]);
  return new Uint8Array([...new Uint8Array(integers.buffer), ...new Uint8Array(Float32Array.from(floats).buffer)]);
}

/** Two features, one hidden layer of two, one output. */
const SMALL = file([2, 2, 1], [1, 2, /**/ 2, 4, /**/ 1, -1, 3, 5, /**/ 0.5, -0.5, /**/ 2, 7, /**/ 10]);

function outputs(network: Network, features: number[]): number[] {
  const [width, depth] = [network.sizes[0]!, network.sizes.at(-1)!];
  const found = new Float32Array((features.length / width) * depth);
  network.run(Float32Array.from(features), found);
  return [...found];
}

describe("the network", () => {
  it("normalizes, multiplies and cuts off negative values of hidden layers", () => {
    const network = new Network(SMALL);
    // (3, 6) is normalized to (1, 1); hidden: 1 + 3 + 0.5 = 4.5 and -1 + 5 - 0.5 = 3.5; output: 9 + 24.5 + 10.
    expect(outputs(network, [3, 6])).toEqual([43.5]);
    // (3, 2) becomes (1, 0); hidden: 1.5 and -1.5, which is cut off.
    expect(outputs(network, [3, 2])).toEqual([13]);
    // An output may be negative: (-19, 2) becomes (-10, 0); hidden: -9.5 (cut off) and 9.5; then with a weight of -7.
    const negative = new Network(file([2, 2, 1], [1, 2, 2, 4, 1, -1, 3, 5, 0.5, -0.5, 2, -7, 10]));
    expect(outputs(negative, [-19, 2])).toEqual([-56.5]);
  });

  it("computes positions of a batch independently", () => {
    const network = new Network(SMALL);
    expect(outputs(network, [3, 6, 3, 2, 3, 6])).toEqual([43.5, 13, 43.5]);
    expect(outputs(network, [])).toEqual([]);
  });

  it("reads the weights of the package, wherever they are in a buffer", () => {
    const network = new Network(FILE);
    expect(network.sizes).toEqual([98, 64, 32, 2]);
    const moved = new Uint8Array(FILE.length + 3);
    moved.set(FILE, 3);
    const features = Array.from({ length: 3 * 98 }, (_, i) => Math.sin(i));
    const found = outputs(network, features);
    expect(found).toHaveLength(6);
    expect(found.every(Number.isFinite)).toBe(true);
    expect(outputs(new Network(moved.subarray(3)), features)).toEqual(found);
  });

  it("refuses a file that is too short or too long, and features that do not fit", () => {
    expect(() => new Network(SMALL.slice(0, -4))).toThrow();
    expect(() => new Network(new Uint8Array([...SMALL, 0, 0, 0, 0]))).toThrow("72 bytes instead of 68");
    expect(() => new Network(SMALL).run(new Float32Array(3), new Float32Array(1))).toThrow("3 features");
  });
});

describe("installing it", () => {
  /** Arrays of Python lie somewhere in the memory of the interpreter. */
  function pythonArray(numbers: number[], released: string[], name: string) {
    const data = Float32Array.from([99, ...numbers]);
    return { data, getBuffer: () => ({ data, offset: 1, release: () => void released.push(name) }) };
  }

  function interpreter(installed: unknown[]): Interpreter {
    const bytes = { toJs: () => SMALL, destroy: () => {} };
    const model = {
      install: (compute: unknown) => installed.push(compute),
      read_weights: () => bytes,
      destroy: () => {},
    };
    return { pyimport: (name) => (name === "granada.engine.model" ? model : undefined) };
  }

  type Compute = (features: unknown, outputs: unknown) => void;

  it("gives Python a function that reads and writes its arrays, and releases them", () => {
    const installed: unknown[] = [];
    installNetwork(interpreter(installed));
    const released: string[] = [];
    const results = pythonArray([0, 0], released, "outputs");
    (installed[0] as Compute)(pythonArray([3, 6, 3, 2], released, "features"), results);
    expect([...results.data]).toEqual([99, 43.5, 13]);
    expect(released).toEqual(["features", "outputs"]);
  });

  it("releases them after an error, too", () => {
    const installed: unknown[] = [];
    installNetwork(interpreter(installed), SMALL);
    const released: string[] = [];
    const run = () =>
      (installed[0] as Compute)(pythonArray([3], released, "features"), pythonArray([0], released, "outputs"));
    expect(run).toThrow("1 features");
    expect(released).toEqual(["features", "outputs"]);
  });
});
