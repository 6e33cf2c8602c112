import { describe, expect, test } from "vitest";
import { isExchange, readAction, readCell, cellText, sorted, total, valueOf, without } from "$lib/notation";

describe("cards", () => {
  test("exchange cards have no value", () => {
    expect(isExchange("yg")).toBe(true);
    expect(isExchange("y9")).toBe(false);
    expect(valueOf("yg")).toBe(0);
    expect(total(["yg", "y9", "o1"])).toBe(10);
  });

  test("are sorted as the notation does: exchange cards, then currencies in yard order by falling value", () => {
    expect(sorted(["o1", "b3", "y2", "bo", "y9", "g4", "yg"])).toEqual(["yg", "bo", "y9", "y2", "g4", "b3", "o1"]);
  });

  test("are removed as often as they are named", () => {
    expect(without(["y3", "y3", "g1"], ["y3"])).toEqual(["y3", "g1"]);
    expect(without(["y3", "g1"], ["y3", "y3"])).toBeNull();
  });

  test("sorting leaves the given list alone", () => {
    const hand = ["o1", "y2"];
    sorted(hand);
    expect(hand).toEqual(["o1", "y2"]);
  });
});

test("cells are read and written", () => {
  expect(readCell("-2,13")).toEqual({ x: -2, y: 13 });
  expect(cellText({ x: -2, y: 13 })).toBe("-2,13");
});

describe("actions", () => {
  const NONE = { tile: null, cell: null, face: null, cards: [] };
  test.each([
    ["pass", { verb: "pass" }],
    ["take b3 o1", { verb: "take", cards: ["b3", "o1"] }],
    ["buy garden-11 with o6 o3 o2", { verb: "buy", tile: "garden-11", cards: ["o6", "o3", "o2"] }],
    ["place garden-11 at 0,-1", { verb: "place", tile: "garden-11", cell: "0,-1" }],
    [
      "place school-4 at 1,0 as hostel-5 with y3",
      { verb: "place", tile: "school-4", cell: "1,0", face: "hostel-5", cards: ["y3"] },
    ],
    ["reserve school-4 as hostel-5", { verb: "reserve", tile: "school-4", face: "hostel-5" }],
    ["remove -1,2", { verb: "remove", cell: "-1,2" }],
    ["swap tower-9 at 0,1", { verb: "swap", tile: "tower-9", cell: "0,1" }],
  ])("%s", (text, parts) => {
    expect(readAction(text)).toEqual({ ...NONE, text, ...parts });
  });
});
