import { describe, expect, test } from "vitest";
import type { Message } from "$lib/api";
import { Controls } from "../src/table/controls.svelte";
import { tableAfter } from "./game";

// The hand is y3 g6 g2 b4 o6 o3 o2, the display g5 o1 b3 b2.

describe("buying", () => {
  test("a picked tile comes with the payment that the server proposes", () => {
    const { turn } = tableAfter("act");
    turn.pick({ tile: "garden-11", from: "yard" });
    expect(turn.paidCards).toEqual(["o6", "o3", "o2"]);
    expect(turn.action).toBe("buy garden-11 with o6 o3 o2");
  });

  test("without a payment there is no action", () => {
    const { turn } = tableAfter("act");
    turn.pick({ tile: "tower-13-E", from: "yard" });
    expect(turn.paidCards).toEqual([]);
    expect(turn.action).toBeNull();
  });

  test("another card replaces the payment", () => {
    const { turn } = tableAfter("act");
    turn.pick({ tile: "district-2", from: "yard" });
    expect(turn.action).toBe("buy district-2 with o2");
    expect(turn.pickMoney(4)).toBe(true);
    expect(turn.action).toBe("buy district-2 with o6");
  });

  test("a card that no payment has is refused and changes nothing", () => {
    const { turn } = tableAfter("act");
    turn.pick({ tile: "garden-11", from: "yard" });
    expect(turn.pickMoney(0)).toBe(false);
    expect(turn.paidCards).toEqual(["o6", "o3", "o2"]);
  });

  test("money that is picked first stays when its tile is picked", () => {
    const { turn } = tableAfter("act");
    turn.pickMoney(5);
    turn.pick({ tile: "district-2", from: "yard" });
    expect(turn.action).toBe("buy district-2 with o3");
  });

  test("a payment with one card more than an offered one is sent as it is", () => {
    const { turn } = tableAfter("act");
    turn.pick({ tile: "district-2", from: "yard" });
    turn.paid = [...turn.paid, 5];
    expect(turn.action).toBe("buy district-2 with o3 o2");
  });

  test("a tile that is picked again is put back", () => {
    const { turn } = tableAfter("act");
    turn.pick({ tile: "garden-11", from: "yard" });
    turn.pick({ tile: "garden-11", from: "yard" });
    expect([turn.piece, turn.paid, turn.action]).toEqual([null, [], null]);
  });
});

describe("taking money", () => {
  test("cards up to 5 are taken together", () => {
    const { turn } = tableAfter("act");
    turn.pickDisplay(2);
    expect([0, 1, 3].map((place) => turn.fitsTaking(place))).toEqual([false, true, true]);
    turn.pickDisplay(3);
    expect(turn.action).toBe("take b3 b2");
    expect(turn.fitsTaking(1)).toBe(false);
  });

  test("a card that does not fit replaces the others", () => {
    const { turn } = tableAfter("act");
    turn.pickDisplay(2);
    turn.pickDisplay(0);
    expect(turn.action).toBe("take g5");
  });

  test("picking money on the display drops the tile", () => {
    const { turn } = tableAfter("act");
    turn.pick({ tile: "garden-11", from: "yard" });
    turn.pickDisplay(1);
    expect([turn.piece, turn.action]).toEqual([null, "take o1"]);
  });
});

describe("placing", () => {
  test("the first offered tile is picked, and nothing of the market can be", () => {
    const { turn } = tableAfter("place");
    expect(turn.piece).toEqual({ tile: "district-8", from: "tray" });
    expect(turn.isBound).toBe(true);
    expect(turn.action).toBeNull();
    expect(turn.elsewhere("reserve")).toBe("reserve district-8");
    expect(turn.elsewhere("give")).toBeNull();
  });

  test("a cell makes the action", () => {
    const { turn } = tableAfter("place");
    turn.pick({ tile: "garden-11", from: "tray" });
    turn.cell = "0,1";
    expect(turn.action).toBe("place garden-11 at 0,1");
    turn.cell = "1,1";
    expect(turn.action).toBeNull();
  });

  test("the other face is reserved, too", () => {
    const { turn } = tableAfter("place");
    expect(turn.mayTurn).toBe(true);
    turn.turnOver();
    expect(turn.face).toBe("park-9");
    expect(turn.elsewhere("reserve")).toBe("reserve district-8 as park-9");
  });

  test("a tile of Alhambra has one face", () => {
    const { turn } = tableAfter("place");
    turn.pick({ tile: "garden-11", from: "tray" });
    expect(turn.mayTurn).toBe(false);
  });
});

describe("before the confirmation", () => {
  const held = () => tableAfter("place", ({ own }) => (own!.held = "place garden-11 at 0,1"));

  test("the tile stays picked on its cell", () => {
    const { turn } = held();
    expect(turn.held?.text).toBe("place garden-11 at 0,1");
    expect([turn.piece, turn.cell]).toEqual([{ tile: "garden-11", from: "tray" }, "0,1"]);
    expect(turn.isMoved).toBe(false);
  });

  test("only the same tile can be moved", () => {
    const { turn } = held();
    expect(new Set(turn.actions.map(({ tile }) => tile))).toEqual(new Set(["garden-11"]));
    turn.cell = "1,0";
    expect(turn.isMoved).toBe(true);
    expect(turn.action).toBe("place garden-11 at 1,0");
  });
});

describe("what is part of a turn", () => {
  const held = (message: Message) => {
    message.own!.held = "place garden-11 at 0,1";
    message.view!.tray = ["garden-11"];
  };

  test("the last placement ends the turn", () => {
    const { game, turn } = tableAfter("place", held);
    expect([game.isTurn, turn.isLast, turn.isBound]).toEqual([true, true, true]);
  });

  test("the tile of a vizier is placed between turns", () => {
    const { game, turn } = tableAfter("place", (message) => {
      held(message);
      message.view!.turn = (message.view!.deciding! % message.view!.players.length) + 1;
    });
    expect([game.isTurn, turn.isLast]).toEqual([false, false]);
  });

  for (const [step, isTurn, isBound] of [
    ["act", true, false],
    ["place", true, true],
    ["award", false, true],
    ["reveal", false, true],
    ["vizier", false, false],
  ] as const)
    test(`the step ${step}`, () => {
      const { game, turn } = tableAfter("act", (message) => (message.view!.step = step));
      expect([game.isTurn, turn.isBound]).toEqual([isTurn, isBound]);
    });
});

describe("controls", () => {
  test("pick from the yard by space, play, and send one command", () => {
    const { game, turn, sent } = tableAfter("act");
    const controls = new Controls(game, turn, null);
    expect(controls.hasMain).toBe(false);
    controls.pickYard(3, 0);
    expect(turn.action).toBe("buy garden-11 with o6 o3 o2");
    controls.main();
    expect(sent().map(({ type, action }) => [type, action])).toEqual([["act", "buy garden-11 with o6 o3 o2"]]);
  });

  test("do nothing where there is no control", () => {
    const { game, turn, sent } = tableAfter("act");
    const controls = new Controls(game, turn, () => false);
    controls.pickYard(3, 5);
    controls.pickDisplay(7);
    controls.main();
    controls.undo();
    controls.restart();
    controls.turnOver();
    controls.placeElsewhere("give");
    controls.playPlain(["pass", "keep"]);
    controls.toggleHint(); // a lesson has none
    expect([turn.piece, turn.taken, turn.isTurned, controls.isHintOpen]).toEqual([null, [], false, false]);
    expect(sent()).toEqual([]);
  });

  test("do nothing for spectators", () => {
    const { game, turn, sent } = tableAfter("act", (message) => {
      message.own = null;
      for (const seat of message.table.seats) seat.is_yours = false;
    });
    const controls = new Controls(game, turn, null);
    controls.pickYard(3, 0);
    controls.pickDisplay(0);
    controls.main();
    expect([turn.piece, turn.taken, controls.mayHint]).toEqual([null, [], false]);
    expect(sent()).toEqual([]);
  });

  test("nothing of the market is picked while a tile has to be placed", () => {
    const { game, turn } = tableAfter("place");
    const controls = new Controls(game, turn, null);
    controls.pickYard(0, 0);
    expect(turn.piece?.from).toBe("tray");
  });

  test("a confirmation sends the tile where it was moved to", () => {
    const { game, turn, sent } = tableAfter("place", ({ own }) => (own!.held = "place garden-11 at 0,1"));
    const controls = new Controls(game, turn, null);
    turn.cell = "1,0";
    controls.main();
    expect(sent()).toMatchObject([{ type: "act", action: "place garden-11 at 1,0", hold: false }]);
  });
});
