// The reader's results of daily deals in this browser; on a server they are also in the list of the day.

import { get, post, type Message } from "$lib/api";
import { KeptValue } from "$lib/kept_value.svelte";
import type { components } from "../api";
import { streakOf, today, type Streak } from "./days";
import {
  isOwnResult,
  mergedResults,
  readResults,
  type DailyEdition,
  type OwnResult,
  type StoredResults,
} from "./results";

export type DailyDay = components["schemas"]["DailyDay"];

export const ownResults = new KeptValue<StoredResults>("daily", readResults);

/** Add results; those of deals that are known already stay as they are. */
export function addResults(results: readonly OwnResult[]): void {
  ownResults.refresh();
  const { value } = ownResults;
  const merged = mergedResults(value.results, results);
  if (merged.length !== value.results.length || merged.some((one, i) => one !== value.results[i]))
    ownResults.write({ ...value, results: merged });
}

/** Add what another browser of the same person has kept; whatever is not understood is left out. */
export function uniteResults(other: unknown): void {
  if (Array.isArray(other)) addResults(other.filter(isOwnResult));
}

export function resultOf(edition: string, date: string): OwnResult | null {
  return ownResults.value.results.find((one) => one.edition === edition && one.date === date) ?? null;
}

/** Days on which any edition was played to its end. */
export function ownStreak(now = today()): Streak {
  return streakOf(
    ownResults.value.results.map(({ date }) => date),
    now,
  );
}

/** The deal of a day ("today" or a date), and what is known of its results; the reader's result is kept here. */
export async function askForDay(edition: DailyEdition, date: string): Promise<DailyDay> {
  const day = await get<DailyDay>(`/daily/${edition}/${date}`);
  if (day.mine !== null) addResults([{ edition, date: day.date, ...day.mine }]);
  return day;
}

/** The table of the first attempt, or a new one for practice. */
export function askForTable(edition: DailyEdition, date: string, name: string, signal?: AbortSignal): Promise<Message> {
  return post<Message>(`/daily/${edition}/${date}/table`, name === "" ? {} : { name }, signal);
}
