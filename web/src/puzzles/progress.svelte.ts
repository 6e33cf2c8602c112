// The reader's answers to puzzles, counted and rated.

import type { Rating } from "../you/rating";
import { profile } from "../you/profile.svelte";
import { Answers } from "./answers.svelte";
import { readProgress, united, type StoredProgress } from "./stored_progress";

/** Puzzles are graded by a few bots, not by thousands of solvers. */
const PUZZLE_DEVIATION = 90;

/** What an answer has changed. */
export interface Counted {
  /** Null for later answers, which are not rated. */
  rating: { before: Rating; after: Rating } | null;
  streak: number;
}

class Progress extends Answers {
  /** Count an answer; the first one to a puzzle is rated. */
  count(number: number, isSolved: boolean, rating: number): Counted {
    this.kept.refresh();
    const { answers, count, streak } = this.kept.value;
    const before = answers[number];
    const answer = {
      isFirstRight: before?.isFirstRight ?? isSolved,
      isSolved: isSolved || before?.isSolved === true,
      last: count + 1,
    };
    const isFirst = before === undefined;
    this.kept.write({
      ...this.kept.value,
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
    this.kept.write(united(this.kept.value, readProgress(JSON.stringify(other ?? null)).value));
  }

  /** All of it, to be carried to another browser; null if there is nothing. */
  get stored(): StoredProgress | null {
    return this.isEmpty ? null : this.kept.value;
  }
}

export const progress = new Progress();
