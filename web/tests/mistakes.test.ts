import { afterEach, describe, expect, test } from "vitest";
import type { Message } from "$lib/api";
import { settings } from "$lib/settings.svelte";
import { Controls } from "../src/table/controls.svelte";
import { RULES, doubtOf } from "../src/table/mistakes";
import { sentenceOf } from "../src/table/sentence";
import { MESSAGES, tableAfter } from "./game";

interface Case {
  /** What is offered besides the action. */
  offers?: string[];
  city?: Record<string, string>;
  step?: string;
  isPurist?: boolean;
  bags?: number[];
}

/** Why an action is asked about in a game of Alhambra. */
function doubt(action: string, { offers = [], city = START, step = "act", isPurist = false, bags = [54] }: Case = {}) {
  const { view, own } = structuredClone(MESSAGES.act) as Required<Message>;
  Object.assign(view!, { step, bags, aids: isPurist ? null : view!.aids });
  own!.actions = [action, ...offers];
  view!.players[own!.seat - 1]!.city = city;
  return doubtOf(action, { view: view!, own: own! });
}

const START = { "0,0": "start-alhambra" };
/** Walls round the start tile but for one side. */
const RING = { ...START, "0,-1": "tower-7-NEW", "1,0": "arcades-4-NES", "0,1": "seraglio-3-ESW" };

describe("what looks like a mistake", () => {
  test("a payment that could be exact", () => {
    const offers = ["buy pavilion-7-E with b5 b2", "buy pavilion-7-E with b9", "buy garden-8-NW with g8"];
    expect(doubt("buy pavilion-7-E with b8", { offers })).toEqual({
      rule: "overpaid",
      why: "You could pay exactly: 5 + 2.",
    });
  });

  test("a payment that could be smaller", () => {
    expect(doubt("buy pavilion-7-E with b9", { offers: ["buy pavilion-7-E with b8"] })?.why).toBe(
      "8 would be enough, only 1 too much.",
    );
  });

  test("more cards than the purchase needs", () => {
    const offers = ["buy pavilion-7-E with b5 b2"];
    expect(doubt("buy pavilion-7-E with b5 b3 b2", { offers })?.rule).toBe("overpaid");
  });

  test("a tile that is turned over for more than necessary", () => {
    const place = "place school-10 at 1,0 as arena-11 with";
    expect(doubt(`${place} b5`, { offers: [`${place} b4`, `${place} g3`] })?.why).toBe("You could pay exactly: 3.");
    expect(doubt(`${place} b4`, { offers: ["place school-10 at 2,0 as arena-11 with g3"] })).toBeNull();
  });

  test("fewer cards than could be taken together", () => {
    const offers = ["take y3 g2", "take y3 g1", "take g2"];
    expect(doubt("take y3", { offers })).toEqual({ rule: "fewer", why: "You could take 3 + 2 together." });
    expect(doubt("take y3 g1", { offers: [...offers, "take y3 g1 o1"] })?.why).toBe(
      "You could take 3 + 1 + 1 together.",
    );
  });

  test("a tile in the reserve that could be built", () => {
    const offers = ["place garden-11 at 0,1"];
    expect(doubt("reserve garden-11", { offers, step: "place" })?.rule).toBe("reserved");
  });

  test("a tile for Dirk that could be built", () => {
    const offers = ["place garden-11 at 0,1"];
    expect(doubt("give garden-11", { offers, step: "place" })?.rule).toBe("given");
  });

  test("a shorter wall: removed, swapped or built over", () => {
    const wall = { ...START, "-1,0": "garden-8-NW", "0,1": "chambers-9-S", "-1,1": "arcades-6-SW" };
    expect(doubt("remove -1,1", { city: wall })).toEqual({
      rule: "shorter",
      why: "Your longest wall gets shorter: 5 → 2.",
    });
    expect(doubt("swap garden-11 at -1,1", { city: wall })?.rule).toBe("shorter");
    // Under the wall of the chambers comes another one: both are inner walls then.
    expect(doubt("place tower-8-N at 0,2", { city: { ...START, "0,1": "chambers-9-S" } })?.why).toContain("1 → 0");
  });

  test("a shorter moat", () => {
    const city = { ...START, "1,0": "arena-2" };
    expect(doubt("remove 1,0", { city })?.why).toBe("Your longest moat gets shorter: 3 → 0.");
  });

  test("a city that nothing can be added to", () => {
    expect(doubt("place chambers-5-NSW at -1,0", { city: RING })?.rule).toBe("closed");
    // In the combined game the other kind still touches the walls (10.5).
    expect(doubt("place chambers-5-NSW at -1,0", { city: RING, bags: [54, 54] })).toBeNull();
  });
});

describe("what cannot be undone and is no matter of course", () => {
  test.each([
    ["hut garden", "hut"],
    ["reveal garden-10", "revealed"],
    ["vizier garden-8-NW with y5 y3", "vizier"],
  ])("%s", (action, rule) => {
    expect(doubt(action)?.rule).toBe(rule);
  });

  test("before a scoring the reader is asked to reveal a card", () => {
    expect(doubt("reveal garden-10", { step: "reveal", offers: ["keep"] })).toBeNull();
  });
});

describe("what is played at once", () => {
  test.each<[string, Case]>([
    ["take g9", { offers: ["take y3", "take y3 g2", "buy garden-11 with o6 o3 o2"] }],
    ["take y3 g2", { offers: ["take y3", "take g2"] }],
    ["buy pavilion-7-E with b5 b2", { offers: ["buy pavilion-7-E with b8"] }],
    ["buy pavilion-7-E with b8", { offers: ["buy pavilion-7-E with b9"] }],
    ["place garden-11 at 0,1", { offers: ["reserve garden-11"] }],
    ["reserve garden-11", { offers: ["place tower-13-E at 0,1"] }],
    ["reserve school-10 as arena-11", { offers: ["place school-10 at 0,1"] }],
    ["give garden-11", { offers: ["reserve garden-11"] }],
    ["add garden-8-NW at -1,0", {}],
    ["remove 0,1", { city: { ...START, "0,1": "garden-11" } }],
    ["wake", {}],
    ["decline", {}],
    ["keep", { offers: ["reveal garden-10"], step: "reveal" }],
    ["pass", {}],
  ])("%s", (action, position) => {
    expect(doubt(action, position)).toBeNull();
  });

  test("at a purist table, what would point something out", () => {
    const offers = ["buy pavilion-7-E with b5 b2"];
    expect(doubt("buy pavilion-7-E with b8", { offers, isPurist: true })).toBeNull();
    const city = { ...START, "-1,0": "garden-8-NW" };
    expect(doubt("remove -1,0", { city, isPurist: true })).toBeNull();
  });
});

test("every rule has its own sentence", () => {
  expect(Object.keys(RULES)).toEqual([
    ...["overpaid", "fewer", "reserved", "given", "shorter", "closed", "hut", "revealed", "vizier"],
  ]);
});

describe("at the table", () => {
  afterEach(() => (settings.confirm = "smart"));
  const table = (name: "act" | "place", alter?: (message: Message) => void) => {
    const all = tableAfter(name, alter);
    return { ...all, controls: new Controls(all.game, all.turn, null) };
  };
  const overpay = (all: ReturnType<typeof table>) => {
    all.turn.pick({ tile: "district-2", from: "yard" });
    all.turn.pickMoney(4); // 6 instead of 2
  };

  test("an overpaid purchase is asked about before it is played", () => {
    const all = table("act");
    const { game, turn, questions, controls, sent } = all;
    overpay(all);
    controls.main();
    expect(sent()).toEqual([]);
    expect(turn.isAsking).toBe(true);
    expect(sentenceOf(game, turn, questions)).toMatchObject({ stress: "You could pay exactly: 2.", tone: "over" });
    controls.main();
    expect(sent()).toMatchObject([{ action: "buy district-2 with o6", hold: false }]);
  });

  test("another payment, Undo and another piece end the question", () => {
    for (const end of [
      ({ turn }: ReturnType<typeof table>) => turn.pickMoney(6),
      ({ controls }: ReturnType<typeof table>) => controls.undo(),
      ({ turn }: ReturnType<typeof table>) => turn.pick({ tile: "garden-11", from: "yard" }),
    ]) {
      const all = table("act");
      overpay(all);
      all.controls.main();
      expect(all.controls.mayUndo).toBe(true);
      end(all);
      expect([all.turn.isAsking, all.controls.mayUndo, all.sent()]).toEqual([false, false, []]);
    }
  });

  test("the server holds what looks like a mistake and ends the turn", () => {
    const { controls, turn, sent } = table("act");
    controls.pickDisplay(2);
    controls.main();
    expect(turn.isAsking).toBe(false);
    expect(sent()).toMatchObject([{ action: "take b3", hold: true }]);
  });

  test("everything else is played at once", () => {
    const { controls, sent } = table("act");
    controls.pickDisplay(2);
    controls.pickDisplay(3);
    controls.main();
    expect(sent()).toMatchObject([{ action: "take b3 b2", hold: false }]);
  });

  test.each([
    ["always", true],
    ["countdown", true],
    ["never", false],
  ] as const)("with %s nothing is weighed", (confirm, hold) => {
    settings.confirm = confirm;
    const all = table("act");
    overpay(all);
    all.controls.main();
    expect(all.sent()).toMatchObject([{ action: "buy district-2 with o6", hold }]);
  });

  test("before the answer to a puzzle nothing is weighed", () => {
    const all = table("act", (message) => (message.table.puzzle = 7));
    overpay(all);
    all.controls.main();
    expect(all.sent()).toMatchObject([{ action: "buy district-2 with o6" }]);
  });

  test("in a lesson everything waits that is not expected", () => {
    for (const [expected, hold] of [
      ["take g5", false],
      ["take o1", true],
    ] as const) {
      const { game, turn, sent } = tableAfter("act");
      new Controls(game, turn, (action) => action === expected).play("take g5");
      expect(sent()).toMatchObject([{ action: "take g5", hold }]);
    }
  });

  test("the reason of what waits is shown after a reload, too", () => {
    const { game, turn, questions } = table("place", ({ own }) => (own!.held = "reserve garden-11"));
    expect(sentenceOf(game, turn, questions).stress).toBe("It would fit in your city.");
    turn.cell = "0,1";
    expect(sentenceOf(game, turn, questions).stress).toBe("");
  });
});

describe("one click takes a card", () => {
  const tapped = (place: number, prepare: (all: ReturnType<typeof tableAfter>) => void = () => {}) => {
    const all = tableAfter("act");
    prepare(all);
    new Controls(all.game, all.turn, null).tapDisplay(place, "single");
    return { taken: all.turn.takenCards, sent: all.sent().map(({ action }) => action) };
  };

  test("that nothing can be added to", () => {
    expect(tapped(0).sent).toEqual(["take g5"]);
  });

  test("but a small one is picked, because others could be taken with it", () => {
    expect(tapped(1)).toEqual({ taken: ["o1"], sent: [] });
  });

  test.each<[string, (all: ReturnType<typeof tableAfter>) => void]>([
    ["a purchase", ({ turn }) => turn.pick({ tile: "garden-11", from: "yard" })],
    ["money", ({ turn }) => turn.pickMoney(5)],
    ["another card", ({ turn }) => turn.pickDisplay(1)],
  ])("not while %s is picked", (_, prepare) => {
    expect(tapped(0, prepare)).toEqual({ taken: ["g5"], sent: [] });
  });

  test("not by a key, and not by a stray click", () => {
    for (const tap of ["key", "stray"] as const) {
      const { game, turn, sent } = tableAfter("act");
      new Controls(game, turn, null).tapDisplay(0, tap);
      expect([turn.action, sent()]).toEqual(["take g5", []]);
    }
  });
});
