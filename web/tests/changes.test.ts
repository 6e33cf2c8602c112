import { describe, expect, test } from "vitest";
import type { Message } from "$lib/api";
import { changesBetween, type Changes } from "../src/motion/changes";
import { inOrder } from "../src/motion/wall";
import { MESSAGES } from "./game";

// The reader has seat 1, with y3 g6 g2 b4 o6 o3 o2; the yard has tower-13-E and bath_house-10 first.

/** What moves when something has happened. */
function after(events: string[], change: (message: Message) => void = () => {}, seat: number | null = 1) {
  const before = structuredClone(MESSAGES.act);
  const message = structuredClone(before);
  message.version += 1;
  message.n += 1;
  message.events = events;
  change(message);
  return changesBetween({ message: before, seat }, { message, seat });
}

/** Travels in short: "take g5 display>hand". */
const ways = (changes: Changes | null) =>
  changes?.travels.map(({ kind, piece, from, to, isTurned }) => `${kind} ${piece} ${from}>${to}${isTurned ? "!" : ""}`);

describe("the lines of the record", () => {
  test.each([
    ["1 take g5", ["take g5 display>hand"]],
    ["2 take b3 b2", ["take b3 display>seat-2", "take b2 display>seat-2"]],
    ["1 buy district-2 with o2", ["pay o2 hand>space-3-1", "buy arena-3 yard>tray"]],
    ["2 vizier tower-13-E with y9 y4", ["buy tower-13-E yard>seat-2"]],
    ["1 place garden-11 at 1,0", ["place garden-11 tray>city"]],
    ["2 place garden-11 at 2,0", ["place garden-11 seat-2>mini-2"]],
    ["1 reserve garden-11", ["reserve garden-11 tray>reserve"]],
    ["2 reserve garden-11", []],
    ["1 give garden-11", ["give garden-11 tray>seat-0"]],
    ["1 add garden-11 at 1,0", ["place garden-11 reserve>city"]],
    ["2 remove 1,0", ["reserve pavilion-4-ES mini-2>seat-2"]],
    ["2 swap garden-11 at 1,0", ["reserve pavilion-4-ES mini-2>seat-2", "place garden-11 seat-2>mini-2"]],
    ["! yard 1 garden-10-N", ["refill garden-10-N bag>yard"]],
    ["! display y7 A g2", ["refill y7 deck>display", "refill g2 deck>display"]],
    ["= award 3 school-4 1", ["buy hostel-5 yard>tray"]],
    ["= award 3 school-4 3", ["buy hostel-5 yard>seat-3"]],
    ["= award 3 school-4 -", []],
    ["= score A 1 wall=5 total=5", []],
    ["1 wake", []],
  ])("%s", (line, expected) => {
    expect(ways(after([line]))).toEqual(expected);
  });

  test("a tile has one name for both faces, and is turned over on its way", () => {
    expect(ways(after(["1 place school-4 at 1,0 as hostel-5 with b4"]))).toEqual(["place hostel-5 tray>city!"]);
  });

  test("only a tile of the yard is paid exactly", () => {
    expect(after(["1 buy district-2 with o2"])?.exact).toEqual({ place: "space-3-1", isOwn: true });
    expect(after(["2 buy garden-11 with o6 o5"])?.exact).toEqual({ place: "space-3-0", isOwn: false });
    expect(after(["1 buy district-2 with o3"])?.exact).toBeNull();
    expect(after(["1 vizier district-2 with o2"])?.exact).toBeNull();
  });

  test("spectators see nobody's hand", () => {
    expect(ways(after(["1 take g5"], undefined, null))).toEqual(["take g5 display>seat-1"]);
  });
});

test("a wall that becomes longer grows in the city that is shown large", () => {
  const grow = (seat: number) => (message: Message) => {
    message.view!.players[seat - 1]!.lengths = { wall: 7, moat: 0, run: 0 };
    message.view!.players[seat - 1]!.traces = { wall: ["1,0 E"], moat: [], run: [] };
  };
  const lit = [{ item: "wall", before: 0, after: 7, edges: ["1,0 E"] }];
  expect(after(["1 place garden-11 at 1,0"], grow(1))?.growths).toEqual(lit);
  // Spectators look at the city of the player who decides: seat 1.
  expect(after(["1 place garden-11 at 1,0"], grow(1), null)?.growths).toEqual(lit);
  expect(after(["2 place garden-11 at 2,0"], grow(2), null)?.growths).toEqual([]);
  expect(after(["2 place garden-11 at 2,0"], grow(2))?.growths).toEqual([]);
});

test("the turn changes with the player who decides", () => {
  expect(after(["1 take g5"])?.turn).toBeNull();
  expect(after(["1 take g5"], ({ view }) => (view!.deciding = 2))?.turn).toEqual({ from: 1, to: 2 });
});

describe("what waits for its confirmation", () => {
  const hold = (message: Message, held: string | null): Message => {
    const changed = structuredClone(message);
    changed.version += 1;
    changed.own!.held = held;
    return changed;
  };

  test("lies where it will be, and comes back when it is undone", () => {
    const before = MESSAGES.place;
    const held = hold(before, "place garden-11 at 1,0");
    expect(ways(changesBetween({ message: before, seat: 1 }, { message: held, seat: 1 }))).toEqual([
      "place garden-11 tray>city",
    ]);
    const undone = hold(held, null);
    expect(ways(changesBetween({ message: held, seat: 1 }, { message: undone, seat: 1 }))).toEqual([
      "undo garden-11 city>tray",
    ]);
  });

  test("is not moved by another cell, and not by other actions", () => {
    const held = hold(MESSAGES.place, "place garden-11 at 1,0");
    const moved = hold(held, "place garden-11 at -1,0");
    expect(ways(changesBetween({ message: held, seat: 1 }, { message: moved, seat: 1 }))).toEqual([]);
    const taken = hold(MESSAGES.act, "take g5");
    expect(ways(changesBetween({ message: MESSAGES.act, seat: 1 }, { message: taken, seat: 1 }))).toEqual([]);
  });
});

test("after an undo everything goes back", () => {
  const undone = structuredClone(MESSAGES.act);
  undone.version += 2;
  const bought = structuredClone(MESSAGES.act);
  bought.version += 1;
  bought.n += 1;
  bought.view!.yard[3]![1] = null;
  bought.view!.players[0]!.to_place = ["district-2"];
  bought.own!.hand = bought.own!.hand.filter((card) => card !== "o2");
  expect(ways(changesBetween({ message: bought, seat: 1 }, { message: undone, seat: 1 }))).toEqual([
    "undo arena-3 tray>yard",
    "undo o2 space-3-1>hand",
  ]);
  const taken = structuredClone(MESSAGES.act);
  taken.version += 1;
  taken.n += 1;
  taken.view!.display = ["o1", "b3", "b2"];
  taken.own!.hand = [...taken.own!.hand, "g5"];
  expect(ways(changesBetween({ message: taken, seat: 1 }, { message: undone, seat: 1 }))).toEqual([
    "undo g5 hand>display",
  ]);
});

describe("nothing moves", () => {
  test.each<[string, (message: Message) => void]>([
    ["after a gap", (message) => (message.version += 1)],
    ["when more than one turn has passed", ({ view }) => (view!.turns += 2)],
    ["when what happened is not known", (message) => (message.events = [])],
    ["at another table", ({ table }) => (table.id = "another")],
    ["before the game", (message) => (message.view = null)],
  ])("%s", (_, change) => {
    expect(after(["1 take g5"], change)).toBeNull();
  });

  test("when another player has taken the device", () => {
    const message = MESSAGES.act;
    expect(changesBetween({ message, seat: 1 }, { message, seat: 2 })).toBeNull();
  });
});

test("a wall lights up along its way", () => {
  expect(inOrder(["0,0 E", "0,0 S", "0,0 N"])).toEqual(["0,0 S", "0,0 E", "0,0 N"]);
  expect(inOrder(["1,0 N", "0,0 W", "2,0 N", "0,0 N"])).toEqual(["0,0 W", "0,0 N", "1,0 N", "2,0 N"]);
  // A ring has no end.
  expect(inOrder(["0,0 N", "0,0 S", "0,0 E", "0,0 W"])).toHaveLength(4);
  expect(inOrder([])).toEqual([]);
});
