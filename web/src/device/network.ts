// The learned evaluation (granada.engine.model) without NumPy: in JavaScript it takes a thirtieth of the time that plain
// Python needs.

/** What we use of Pyodide. */
export interface Interpreter {
  pyimport(name: string): unknown;
}

/** An array of Python, passed to a function. */
interface PythonArray {
  getBuffer(type: "f32"): { data: Float32Array; offset: number; release(): void };
}

/** The module granada.engine.model. */
interface ModelModule {
  install(compute: (features: PythonArray, outputs: PythonArray) => void): void;
  read_weights(): { toJs(): Uint8Array; destroy(): void };
  destroy(): void;
}

interface Layer {
  /** One row for each output; biases[i] belongs to row i. */
  weights: Float64Array;
  biases: Float64Array;
  outputs: Float64Array;
}

/** A neural network with linear layers; all but the last one cut off negative values. */
export class Network {
  readonly sizes: readonly number[];
  private readonly mean: Float64Array;
  private readonly spread: Float64Array;
  private readonly normalized: Float64Array;
  private readonly layers: Layer[] = [];

  /** Reads the file that `granada.engine.model.read_weights` describes. */
  constructor(file: Uint8Array) {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    const count = view.getUint32(0, true);
    this.sizes = Array.from({ length: count }, (_, i) => view.getUint32(4 * (i + 1), true));
    let at = 4 * (count + 1);
    const numbers = (length: number) =>
      Float64Array.from({ length }, () => {
        const number = view.getFloat32(at, true);
        at += 4;
        return number;
      });
    const first = this.sizes[0] ?? 0;
    this.mean = numbers(first);
    this.spread = numbers(first);
    this.normalized = new Float64Array(first);
    let before = first;
    for (const after of this.sizes.slice(1)) {
      this.layers.push({
        weights: transposed(numbers(before * after), before, after),
        biases: numbers(after),
        outputs: new Float64Array(after),
      });
      before = after;
    }
    if (at !== file.byteLength) throw new Error(`The network has ${file.byteLength} bytes instead of ${at}`);
  }

  /** Writes the outputs for some positions, whose features follow each other. */
  run(features: Float32Array, outputs: Float32Array): void {
    const width = this.mean.length;
    const depth = this.sizes.at(-1) ?? 0;
    const count = Math.floor(outputs.length / depth);
    if (features.length !== count * width) throw new Error(`${features.length} features for ${count} positions`);
    for (let i = 0; i < count; i++) outputs.set(this.runOne(features, i * width), i * depth);
  }

  private runOne(features: Float32Array, from: number): Float64Array {
    const { mean, spread, normalized, layers } = this;
    for (let i = 0; i < normalized.length; i++) normalized[i] = (features[from + i]! - mean[i]!) / spread[i]!;
    let inputs = normalized;
    for (const layer of layers) {
      const { weights, biases, outputs } = layer;
      const least = layer === layers.at(-1) ? -Infinity : 0;
      for (let row = 0; row < outputs.length; row++) {
        const start = row * inputs.length;
        let sum = biases[row]!;
        for (let i = 0; i < inputs.length; i++) sum += weights[start + i]! * inputs[i]!;
        outputs[row] = Math.max(least, sum);
      }
      inputs = outputs;
    }
    return inputs;
  }
}

function transposed(matrix: Float64Array, rows: number, columns: number): Float64Array {
  const result = new Float64Array(matrix.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) result[column * rows + row] = matrix[row * columns + column]!;
  return result;
}

/**
 * Let this interpreter compute the learned evaluation; the weights are those of its package unless given. Both workers
 * need it: the one with the bots to play, the one with the tables to offer the strongest bot and to let it give hints.
 */
export function installNetwork(python: Interpreter, weights?: Uint8Array): void {
  const model = python.pyimport("granada.engine.model") as ModelModule;
  const network = new Network(weights ?? packagedWeights(model));
  model.install((features, outputs) => {
    const from = features.getBuffer("f32");
    const to = outputs.getBuffer("f32");
    try {
      network.run(from.data.subarray(from.offset), to.data.subarray(to.offset));
    } finally {
      from.release();
      to.release();
    }
  });
  model.destroy();
}

function packagedWeights(model: ModelModule): Uint8Array {
  const bytes = model.read_weights();
  const copy = bytes.toJs();
  bytes.destroy();
  return copy;
}
