import { expect, test } from "vitest";
import { named, t } from "$lib/i18n.svelte";
import { tileWords } from "$lib/locations";
import { chapterOf, sentenceOf } from "../src/table/sentence";
import { tableAfter } from "./game";

type Table = ReturnType<typeof tableAfter>;
const sentence = ({ game, turn, questions }: Table) => sentenceOf(game, turn, questions);

test("a turn begins with the choice", () => {
  const table = tableAfter("act");
  expect(sentence(table)).toEqual({
    step: named("step", "act", { n: 0 }),
    say: named("turn", "act"),
    stress: "",
    tone: "",
  });
  expect(chapterOf(table.game, table.turn)).toBe("turn");
});

test("an exact payment adds up, and is praised", () => {
  const table = tableAfter("act");
  table.turn.pick({ tile: "garden-11", from: "yard" });
  const { say, stress, tone } = sentence(table);
  expect(say).toContain("6 + 3 + 2 = 11");
  expect(say).toContain("Garden 11");
  expect([stress, tone]).toEqual([t("fit.again"), "exact"]);
  expect(chapterOf(table.game, table.turn)).toBe("buy");
});

test("what is overpaid and what is missing is named", () => {
  const table = tableAfter("act");
  table.turn.pick({ tile: "pavilion-2-NEW", from: "yard" });
  expect(sentence(table)).toMatchObject({ stress: t("turn.over_by", { n: 2 }), tone: "over" });
  table.turn.pick({ tile: "garden-11", from: "yard" });
  table.turn.pickMoney(4);
  expect(sentence(table)).toMatchObject({ stress: t("fit.short", { n: 6 }), tone: "over" });
});

test("a tile without a payment is too expensive", () => {
  const table = tableAfter("act");
  table.turn.pick({ tile: "tower-13-E", from: "yard" });
  expect(sentence(table).say).toBe(t("turn.short", { tile: "Tower 13" }));
});

test("several cards of money are added up", () => {
  const table = tableAfter("act");
  table.turn.pickDisplay(2);
  table.turn.pickDisplay(3);
  expect(sentence(table).say).toBe(t("turn.several", { sum: "3 + 2 = 5 denars" }));
  expect(chapterOf(table.game, table.turn)).toBe("money");
});

test("a tile that fits nowhere is said so", () => {
  const table = tableAfter("place");
  expect(sentence(table).say).toBe(t("turn.nowhere", { tile: tileWords("district-8") }));
});

test("a refused cell is explained with its rule", () => {
  const table = tableAfter("place");
  table.turn.pick({ tile: "garden-11", from: "tray" });
  table.turn.cell = "1,1";
  Object.defineProperty(table.questions, "cells", {
    value: { "1,1": { cell: "1,1", is_legal: false, code: "no_neighbour", rule: "5.1" } },
  });
  const { say, tone } = sentence(table);
  expect(say).toContain("5.1");
  expect(tone).toBe("illegal");
  expect(chapterOf(table.game, table.turn)).toBe("building");
});

test("what waits for its confirmation is named with where it is now", () => {
  const table = tableAfter("place", ({ own }) => (own!.held = "place garden-11 at 0,1"));
  const before = sentence(table).say;
  table.turn.cell = "1,0";
  expect(before).toContain("Garden 11");
  expect(sentence(table).say).not.toBe(before);
});

test("players and spectators read who decides", () => {
  const other = tableAfter("act", (message) => {
    message.view!.deciding = 2;
    message.own!.actions = [];
  });
  expect(sentence(other).say).toBe(t("turn.thinking", { name: "Zaki" }));
  const spectator = tableAfter("act", (message) => {
    message.view!.deciding = 2;
    message.own = null;
    for (const seat of message.table.seats) seat.is_yours = false;
  });
  expect(sentence(spectator).say).toBe(t("turn.thinking", { name: "Zaki" }));
});

test("the end names the winners and their points", () => {
  const table = tableAfter("act", ({ table, view }) => {
    table.phase = "over";
    view!.winners = [2, 3];
    for (const player of view!.players) player.score = 77;
  });
  expect(sentence(table).say).toBe(t("turn.won", { names: "Zaki and Salma", points: 77 }));
  expect(chapterOf(table.game, table.turn)).toBe("end");
});
