// What other parts of the page keep in this browser, and how that of two browsers of one person becomes one.

import { loadStored, saveStored } from "$lib/storage";
import { ownResults, uniteResults } from "../daily/own_results.svelte";
import { progress } from "../puzzles/progress.svelte";

export interface Carried {
  /** What is kept here; null if there is nothing. */
  read: () => unknown;
  /** Add what the other browser has kept; whatever is not understood is left out. */
  unite: (other: unknown) => void;
}

/** By their key in storage. */
export const CARRIED: Readonly<Record<string, Carried>> = {
  /** Lessons that were seen to their end (learn/lessons/progress.svelte.ts). */
  lessons: {
    read: () => loadStored<unknown>("lessons", null),
    unite: (other) => saveStored("lessons", [...new Set([...numbers(loadStored("lessons", [])), ...numbers(other)])]),
  },
  /** The answers to puzzles (puzzles/progress.svelte.ts); their rating is part of the profile. */
  puzzles: { read: () => progress.stored, unite: (other) => progress.unite(other) },
  /** Results of daily deals. */
  daily: {
    read: () => (ownResults.value.results.length > 0 ? ownResults.value.results : null),
    unite: uniteResults,
  },
};

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((one): one is number => typeof one === "number") : [];
}
