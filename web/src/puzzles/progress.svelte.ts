// The reader's answers to puzzles, kept in this browser.

import type { Rating } from "../you/rating";
import { KeptValue } from "$lib/kept_value.svelte";
import { profile } from "../you/profile.svelte";
import { readProgress, united, type StoredProgress } from "./stored_progress";

const KEY = "puzzles";
/** Puzzles are graded by a few bots, not by thousands of solvers. */
const PUZZLE_DEVIATION = 90;
/** A failed puzzle comes again after this many other answers. */
const COMES_AGAIN = 4;

export type PuzzleState = "new" | "solved" | "failed";

/** What an answer has changed. */
export interface Counted {
  /** Null for later answers, which are not rated. */
  rating: { before: Rating; after: Rating } | null;
  streak: number;
}

class Progress {
  readonly kept = new KeptValue<StoredProgress>(KEY, readProgress);

  get #stored(): StoredProgress {
    return this.kept.value;
  }

  /** How many first answers in a row were right. */
  get streak(): number {
    return this.#stored.streak;
  }

  get isEmpty(): boolean {
    return this.#stored.count === 0;
  }

  stateOf(number: number): PuzzleState {
    const answer = this.#stored.answers[number];
    return answer === undefined ? "new" : answer.isSolved ? "solved" : "failed";
  }

  /** Whether a failed puzzle may come again. */
  isDue(number: number): boolean {
    const { answers, count } = this.#stored;
    return this.stateOf(number) === "failed" && count - answers[number]!.last >= COMES_AGAIN;
  }

  /** How long ago the last answer was, in answers. */
  ageOf(number: number): number {
    return this.#stored.count - (this.#stored.answers[number]?.last ?? 0);
  }

  /** Count an answer; the first one to a puzzle is rated. */
  count(number: number, isSolved: boolean, rating: number): Counted {
    this.kept.refresh();
    const { answers, count, streak } = this.#stored;
    const before = answers[number];
    const answer = {
      isFirstRight: before?.isFirstRight ?? isSolved,
      isSolved: isSolved || before?.isSolved === true,
      last: count + 1,
    };
    const isFirst = before === undefined;
    this.kept.write({
      ...this.#stored,
      count: count + 1,
      streak: !isFirst ? streak : isSolved ? streak + 1 : 0,
      answers: { ...answers, [number]: answer },
    });
    if (!isFirst) return { rating: null, streak: this.streak };
    const old = profile.puzzles;
    const opponent = { value: rating, deviation: PUZZLE_DEVIATION };
    const after = profile.ratePuzzle({ opponent, score: isSolved ? 1 : 0 });
    return { rating: { before: old, after }, streak: this.streak };
  }

  /** Add the answers of another browser of the same person. */
  unite(other: unknown): void {
    this.kept.refresh();
    this.kept.write(united(this.#stored, readProgress(JSON.stringify(other ?? null)).value));
  }

  /** All of it, to be carried to another browser; null if there is nothing. */
  get stored(): StoredProgress | null {
    return this.isEmpty ? null : this.#stored;
  }
}

export const progress = new Progress();
