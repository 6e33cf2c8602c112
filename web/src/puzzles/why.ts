// Why a turn is the best, in two sentences: what it does, and what that brings.

import type { PuzzleFact } from "$lib/api";
import { amountWords, cardsWords, itemWords, tileWords } from "$lib/descriptions";
import { elide, list, named, number, t, withinSentence } from "$lib/i18n.svelte";
import { isExchange, letterOf, valueOf } from "$lib/notation";
import { isStretch, manyWords } from "../after/points";

/** The most sentences. */
const SENTENCES = 2;
/** Facts about what the turn does, and about what follows from it; the more telling ones first. */
const DEEDS = ["exact", "vizier", "flip", "gift", "swap", "add", "remove", "wake"];
const EFFECTS = ["denied", "contested", "ends", "scoring", "prepared", "money", "later"];

type Fact = Required<PuzzleFact>;
const NOTHING = { tile: "", face: "", cards: [], item: "", before: 0, after: 0, scoring: "", seat: 0 };

/** The reasons as text; `nameOf` gives the name of any seat, Dirk's for 0. */
export function whyWords(reasons: readonly PuzzleFact[], nameOf: (seat: number) => string): string {
  const facts = reasons.map((one): Fact => ({ ...NOTHING, ...one }));
  const words = (code: string) =>
    factWords(
      facts.filter((fact) => fact.code === code),
      nameOf,
    );
  const [deed = ""] = DEEDS.map(words).filter(Boolean);
  const sentences = [deed, gainWords(facts), ...EFFECTS.map(words)].filter(Boolean);
  return elide(sentences.slice(0, SENTENCES).join(" "));
}

/** "It brings you: wall 8 → 15, gardens 2 → 8 points in B." */
function gainWords(facts: readonly Fact[]): string {
  const gains = facts.flatMap(({ code, item, before, after, scoring }) => {
    if (code === "stretch") return `${withinSentence(itemWords(item))} ${number(before)} → ${number(after)}`;
    if (code !== "majority") return [];
    return t("puzzle.points", { types: manyWords(item), before, n: after, scoring });
  });
  return gains.length === 0 ? "" : t("puzzle.gains", { gains: gains.join("; ") });
}

/** One sentence for facts with the same code; empty if there are none. */
function factWords(facts: readonly Fact[], nameOf: (seat: number) => string): string {
  const [fact] = facts;
  if (fact === undefined) return "";
  const { code, tile, face, item, before, scoring, seat } = fact;
  const tiles = list(facts.map((one) => tileWords(one.tile)));
  switch (code) {
    case "exact":
      return t("puzzle_why.exact", {
        tiles: list(facts.map((one) => `${tileWords(one.tile)} (${sumWords(one.cards)})`)),
      });
    case "flip":
      return t("puzzle_why.flip", { tile: tileWords(tile), face: tileWords(face) });
    case "denied":
      return t("puzzle_why.denied", {
        name: nameOf(seat),
        n: before,
        types: isStretch(item) ? itemWords(item) : manyWords(item),
        scoring,
      });
    case "contested":
      return named("puzzle_contested", item, { name: nameOf(seat), tile: tileWords(tile) });
    default:
      return named("puzzle_why", code, { tiles, cards: sumWords(fact.cards), scoring });
  }
}

/** "5 + 3 florins"; cards of several currencies one by one. */
function sumWords(cards: readonly string[]): string {
  const [first] = cards;
  if (first === undefined) return "";
  const isOne = cards.every((card) => !isExchange(card) && letterOf(card) === letterOf(first));
  if (!isOne) return cardsWords(cards);
  const before = cards.slice(0, -1).map((card) => `${number(valueOf(card))} + `);
  return before.join("") + amountWords(letterOf(first), valueOf(cards.at(-1)!));
}
