// What the cards of the home page say about the daily deal and the puzzles; loaded once the page is painted.

import type { ListedPuzzle } from "$lib/api";
import { loadStored } from "$lib/storage";
import { today } from "../../daily/days";
import { askForDay, ownResults, ownStreak } from "../../daily/own_results.svelte";
import type { OwnResult } from "../../daily/results";
import { scoreWords } from "../../daily/words";
import { answers } from "../../puzzles/answers.svelte";
import { allPuzzles, nextPuzzle } from "../../puzzles/puzzle_list.svelte";

/** The rating before the first answer. */
const UNKNOWN = 1500;

export class Today {
  /** The place in the list of the day; null without a result, and where there is no list. */
  place = $state.raw<{ place: number; of: number } | null>(null);
  /** The reader's puzzle rating, read without the rest of the profile (you/profile.svelte.ts). */
  #rating = $state(UNKNOWN);
  #now = $state(today());

  /** The day's result; with several editions, the last of them. */
  readonly result = $derived.by((): OwnResult | null => {
    return ownResults.value.results.filter(({ date }) => date === this.#now).at(-1) ?? null;
  });
  readonly score = $derived(this.result && scoreWords(this.result));
  /** Days in a row. */
  readonly streak = $derived(ownStreak(this.#now).days);
  readonly puzzle = $derived.by((): ListedPuzzle | null => nextPuzzle(allPuzzles.list ?? [], this.#rating));
  readonly areAllSolved = $derived(allPuzzles.list !== null && this.puzzle === null);

  constructor() {
    this.look();
    // Without an answer the card leads to the list, which says why.
    void allPuzzles.load().catch(() => {});
  }

  /** Read what other windows have written, and which day it is. */
  look(): void {
    this.#now = today();
    ownResults.refresh();
    answers.kept.refresh();
    const { value } = loadStored<{ puzzles?: { value?: unknown } } | null>("you", null)?.puzzles ?? {};
    this.#rating = typeof value === "number" && Number.isFinite(value) ? value : UNKNOWN;
    void this.#askForPlace().catch(() => {});
  }

  get rating(): number {
    return Math.round(this.#rating);
  }

  /** How many puzzles in a row were solved. */
  get solved(): number {
    return answers.streak;
  }

  async #askForPlace(): Promise<void> {
    if (this.result === null) return;
    const { place, players } = await askForDay(this.result.edition, this.result.date);
    this.place = place !== null && players > 1 ? { place, of: players } : null;
  }
}
