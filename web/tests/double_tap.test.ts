import { describe, expect, test } from "vitest";
import type { Message } from "$lib/api";
import { Controls } from "../src/table/controls.svelte";
import { DoubleTap } from "../src/table/double_tap";
import { tableAfter } from "./game";

describe("clicks", () => {
  const read = (...clicks: [detail: number, what: string][]) => {
    const taps = new DoubleTap();
    return clicks.map(([detail, what]) => taps.read({ detail } as MouseEvent, what));
  };

  test("a second one on the same thing is a double click, a third one is not another", () => {
    expect(read([1, "a"], [2, "a"], [3, "a"])).toEqual(["single", "second", "stray"]);
  });

  test("two slow ones are two single ones", () => {
    expect(read([1, "a"], [1, "a"])).toEqual(["single", "single"]);
  });

  test("a second one after the table has changed is not meant", () => {
    expect(read([1, "a 3"], [2, "a 4"])).toEqual(["single", "stray"]);
  });

  test("Enter and Space are no clicks", () => {
    expect(read([0, "a"], [0, "a"])).toEqual(["key", "key"]);
  });
});

// The hand is y3 g6 g2 b4 o6 o3 o2, the display g5 o1 b3 b2.
describe("a double click", () => {
  const table = (name: "act" | "place", change?: (message: Message) => void) => {
    const all = tableAfter(name, change);
    const controls = new Controls(all.game, all.turn, null);
    const double = (deed: (tap: "single" | "second") => void) => {
      deed("single");
      deed("second");
    };
    return { ...all, controls, double, actions: () => all.sent().map(({ action }) => action) };
  };

  test("takes a card with those that are picked", () => {
    const { controls, double, actions } = table("act");
    controls.tapDisplay(2, "single");
    double((tap) => controls.tapDisplay(3, tap));
    expect(actions()).toEqual(["take b3 b2"]);
  });

  test("takes the cards that are picked also if it is one of them", () => {
    const { controls, double, actions } = table("act");
    controls.tapDisplay(2, "single");
    controls.tapDisplay(3, "single");
    double((tap) => controls.tapDisplay(2, tap));
    expect(actions()).toEqual(["take b3 b2"]);
  });

  test("buys a tile that is paid exactly", () => {
    const { controls, double, actions } = table("act");
    double((tap) => controls.tapYard(3, 0, tap));
    expect(actions()).toEqual(["buy garden-11 with o6 o3 o2"]);
  });

  test("leaves a tile picked that would be overpaid", () => {
    const { controls, turn, double, actions } = table("act");
    double((tap) => controls.tapYard(2, 0, tap));
    expect(turn.action).toBe("buy pavilion-2-NEW with b4");
    expect(actions()).toEqual([]);
  });

  test("leaves a tile picked that is too expensive", () => {
    const { controls, turn, double, actions } = table("act");
    double((tap) => controls.tapYard(0, 0, tap));
    expect([turn.piece, actions()]).toEqual([{ tile: "tower-13-E", from: "yard" }, []]);
  });

  test.each<[number, string[]]>([
    [1, ["place garden-11 at 0,-1"]],
    [2, []],
    [0, []],
  ])("builds a tile of the tray only if it has one place: %i", (places, expected) => {
    const { controls, turn, double, actions } = table("place", ({ own }) => {
      const placing = own!.actions.filter((action) => action.startsWith("place"));
      own!.actions = own!.actions.filter((action) => !placing.slice(places).includes(action));
    });
    double((tap) => controls.tapTray("garden-11", tap));
    expect(actions()).toEqual(expected);
    expect(turn.piece?.tile).toBe("garden-11");
  });
});
