// What the reader has answered of the puzzles, as far as it is known in this browser.

import { KeptValue } from "$lib/kept_value.svelte";
import { readProgress, type StoredProgress } from "./stored_progress";

/** A failed puzzle comes again after this many other answers. */
const COMES_AGAIN = 4;

export type PuzzleState = "new" | "solved" | "failed";

const kept = new KeptValue<StoredProgress>("puzzles", readProgress);

export class Answers {
  readonly kept = kept;

  /** How many first answers in a row were right. */
  get streak(): number {
    return kept.value.streak;
  }

  get isEmpty(): boolean {
    return kept.value.count === 0;
  }

  stateOf(number: number): PuzzleState {
    const answer = kept.value.answers[number];
    return answer === undefined ? "new" : answer.isSolved ? "solved" : "failed";
  }

  /** Whether a failed puzzle may come again. */
  isDue(number: number): boolean {
    const { answers, count } = kept.value;
    return this.stateOf(number) === "failed" && count - answers[number]!.last >= COMES_AGAIN;
  }

  /** How long ago the last answer was, in answers. */
  ageOf(number: number): number {
    return kept.value.count - (kept.value.answers[number]?.last ?? 0);
  }
}

export const answers = new Answers();
