import { describe, expect, test } from "vitest";
import type { PuzzleFact } from "$lib/api";
import { chooseLanguage, LANGUAGE_NAMES } from "$lib/i18n.svelte";
import { NONE, VERSION, readProgress, united, type StoredProgress } from "../src/puzzles/stored_progress";
import { whyWords } from "../src/puzzles/why";

const RIGHT = { isFirstRight: true, isSolved: true, last: 2 };
const WRONG = { isFirstRight: false, isSolved: false, last: 1 };
const ANSWERED: StoredProgress = { version: VERSION, count: 2, streak: 1, answers: { "4": WRONG, "12": RIGHT } };

describe("stored answers", () => {
  test("are read as they were written", () => {
    expect(readProgress(null)).toEqual({ value: NONE, problem: null });
    expect(readProgress(JSON.stringify(ANSWERED))).toEqual({ value: ANSWERED, problem: null });
  });

  test("that are damaged keep what is valid, and count on", () => {
    const damaged = { ...ANSWERED, count: "two", answers: { ...ANSWERED.answers, "0": RIGHT, x: RIGHT, "9": {} } };
    expect(readProgress(JSON.stringify(damaged))).toEqual({ value: ANSWERED, problem: "damaged" });
    expect(readProgress("{").problem).toBe("damaged");
    expect(readProgress(JSON.stringify({ ...ANSWERED, version: VERSION + 1 }))).toEqual({
      value: NONE,
      problem: "newer",
    });
  });

  test("of two browsers become one", () => {
    const other: StoredProgress = {
      version: VERSION,
      count: 5,
      streak: 3,
      answers: { "4": { isFirstRight: true, isSolved: true, last: 5 }, "7": RIGHT },
    };
    const all = united(ANSWERED, other);
    expect(all).toEqual({
      version: VERSION,
      count: 5,
      streak: 3,
      answers: { "4": { ...WRONG, isSolved: true }, "7": RIGHT, "12": RIGHT },
    });
  });
});

const FACTS: PuzzleFact[] = [
  { code: "exact", tile: "garden-8-NW", cards: ["g5", "g3"] },
  { code: "vizier", tile: "garden-8-NW", cards: ["g8"] },
  { code: "flip", tile: "library-4", face: "school-5" },
  { code: "gift", tile: "garden-8-NW" },
  { code: "swap", tile: "garden-8-NW" },
  { code: "add", tile: "garden-8-NW" },
  { code: "remove" },
  { code: "wake" },
  { code: "denied", item: "garden", seat: 2, before: 5, scoring: "B" },
  { code: "contested", tile: "garden-8-NW", item: "exact", seat: 2 },
  { code: "contested", tile: "garden-8-NW", item: "over", seat: 2 },
  { code: "ends" },
  { code: "scoring", scoring: "B" },
  { code: "prepared", tile: "garden-8-NW", cards: ["g5", "g3"] },
  { code: "money", cards: ["g5", "b3"] },
  { code: "later" },
];
const GAINS: PuzzleFact[] = [
  { code: "stretch", item: "wall", before: 8, after: 15 },
  { code: "majority", item: "garden", before: 7, after: 19, scoring: "B" },
];
const nameOf = (seat: number) => ["Dirk", "Ana", "Zirid"][seat]!;

describe("the reasons", () => {
  test("are two sentences: what the turn does, and what it brings", () => {
    expect(whyWords([...GAINS, ...FACTS.slice(8), FACTS[0]!], nameOf)).toBe(
      "You pay exactly for Garden 8 (5 + 3 dirhams) and take another action. " +
        "It brings you: wall 8 → 15; gardens 7 → 19 points in B.",
    );
    expect(whyWords([FACTS[9]!, FACTS[8]!], nameOf)).toBe(
      "Zirid gets 5 points less for gardens in B. Otherwise Zirid could pay exactly for Garden 8.",
    );
  });

  test.each(Object.keys(LANGUAGE_NAMES))("are all words in %s", async (language) => {
    await chooseLanguage(language);
    for (const fact of [...FACTS, ...GAINS]) {
      const words = whyWords([fact], nameOf);
      expect(words).toMatch(/^[^_{}]+\.$/u);
    }
    await chooseLanguage("en");
  });
});
