// What the cards of the home page say about the daily deal and the puzzles; loaded once the page is painted.

import { get, type PuzzleInfo, type PuzzleRatings } from "$lib/api";
import { loadStored } from "$lib/storage";
import { today } from "../../daily/days";
import { askForDay, ownResults, ownStreak } from "../../daily/own_results.svelte";
import type { OwnResult } from "../../daily/results";
import { scoreWords } from "../../daily/words";
import { answers } from "../../puzzles/answers.svelte";
import { nextPuzzle } from "../../puzzles/next_puzzle";

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
  /** The puzzles with their ratings; null before they are loaded. The list with all cities is ten times as long. */
  #puzzles = $state.raw<readonly { id: number; rating: number }[] | null>(null);
  /** The number of the next puzzle; null if there is none. */
  readonly puzzle = $derived.by((): number | null => nextPuzzle(this.#puzzles ?? [], this.#rating)?.id ?? null);
  readonly areAllSolved = $derived(this.#puzzles !== null && this.puzzle === null);
  #shown = $state.raw<PuzzleInfo | null>(null);
  /** The city of the next puzzle; null before it is loaded. */
  readonly city = $derived.by(() => (this.#shown !== null && this.#shown.id === this.puzzle ? this.#shown.city : null));

  constructor() {
    this.look();
    // Without an answer the card leads to the list, which says why.
    void this.#askForPuzzle().catch(() => {});
  }

  /** Read what other windows have written, and which day it is. */
  look(): void {
    this.#now = today();
    ownResults.refresh();
    answers.kept.refresh();
    const { value } = loadStored<{ puzzles?: { value?: unknown } } | null>("you", null)?.puzzles ?? {};
    this.#rating = typeof value === "number" && Number.isFinite(value) ? value : UNKNOWN;
    void this.#askForPlace().catch(() => {});
    if (this.#puzzles !== null) void this.#askForCity().catch(() => {});
  }

  get rating(): number {
    return Math.round(this.#rating);
  }

  /** How many puzzles in a row were solved. */
  get solved(): number {
    return answers.streak;
  }

  async #askForPuzzle(): Promise<void> {
    const { ratings } = await get<PuzzleRatings>("/puzzles/ratings");
    this.#puzzles = Object.entries(ratings).map(([id, rating]) => ({ id: Number(id), rating }));
    await this.#askForCity();
  }

  async #askForCity(): Promise<void> {
    if (this.puzzle === null || this.puzzle === this.#shown?.id) return;
    this.#shown = await get<PuzzleInfo>(`/puzzles/${this.puzzle}`);
  }

  async #askForPlace(): Promise<void> {
    if (this.result === null) return;
    const { place, players } = await askForDay(this.result.edition, this.result.date);
    this.place = place !== null && players > 1 ? { place, of: players } : null;
  }
}
