import { describe, expect, test, vi } from "vitest";
import { BadPacking } from "$lib/packing";
import { fromFragment, hasRecord, summaryOf, toFragment } from "$lib/record_link";
import record from "../src/learn/lessons/alhambra.record?raw";

const codeOf = (fragment: string) =>
  fromFragment(fragment).then(
    () => "",
    (error: unknown) => (error instanceof BadPacking ? error.code : String(error)),
  );

describe("a record in a link", () => {
  test("comes back as it was, and much shorter on the way", async () => {
    const fragment = await toFragment(record);
    expect(fragment).toMatch(/^#r=[A-Za-z0-9_-]+$/);
    expect(fragment.length).toBeLessThan(record.length * 0.7);
    expect(hasRecord(fragment)).toBe(true);
    expect(await fromFragment(fragment)).toBe(record);
  });

  test("is plain where the browser cannot compress", async () => {
    vi.stubGlobal("CompressionStream", undefined);
    const fragment = await toFragment(record);
    vi.unstubAllGlobals();
    expect(fragment).toMatch(/^#p=/);
    expect(await fromFragment(fragment)).toBe(record);
  });

  test("is refused if the link was cut off or changed", async () => {
    const fragment = await toFragment(record);
    expect(await codeOf(fragment.slice(0, -40))).toBe("damaged");
    expect(await codeOf(`#r=${fragment.slice(60)}`)).toBe("damaged");
    expect(await codeOf("#r=%%%")).toBe("damaged");
    expect(await codeOf(await toFragment("not a record"))).toBe("damaged");
  });

  test("is refused if it is longer than any record", async () => {
    expect(await codeOf(await toFragment(`granada-record 1\n${"#".repeat(200_000)}`))).toBe("damaged");
  });
});

test("a record says what was played, by whom, and whether it is over", () => {
  expect(summaryOf(record)).toEqual({
    edition: "alhambra",
    modules: [],
    names: ["Ana", "Ben", "Cleo"],
    isOver: false,
  });
  expect(summaryOf(`${record}= score C 1 total=5\n`).isOver).toBe(true);
});
