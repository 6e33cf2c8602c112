// The reader's own results of daily deals, as they are kept in this browser: one for each edition and day.

import type { components } from "../api";
import type { ReadValue } from "$lib/kept_value.svelte";
import { isObject } from "$lib/objects";

export type DailyResult = components["schemas"]["DailyResult"];
export type Standing = DailyResult["course"][number];

export const EDITIONS = ["alhambra", "granada", "combined"] as const;
export type DailyEdition = (typeof EDITIONS)[number];

export interface OwnResult extends DailyResult {
  edition: DailyEdition;
  /** The day (UTC), as in 2026-11-18. */
  date: string;
}

/** Results of a higher version are left alone. */
const VERSION = 1;
/** The most results that are kept: every deal of more than a year; the oldest ones make room. */
const MOST = 1500;
const STANDINGS: readonly unknown[] = ["behind", "level", "ahead"] satisfies Standing[];

export interface StoredResults {
  version: number;
  /** From old to new. */
  results: OwnResult[];
}

export function readResults(text: string | null): ReadValue<StoredResults> {
  const nothing = { version: VERSION, results: [] };
  if (text === null) return { value: nothing, problem: null };
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return { value: nothing, problem: "damaged" };
  }
  if (!isObject(found) || typeof found["version"] !== "number") return { value: nothing, problem: "damaged" };
  if (found["version"] > VERSION) return { value: nothing, problem: "newer" };
  const all: unknown[] = Array.isArray(found["results"]) ? found["results"] : [];
  const results = mergedResults([], all.filter(isOwnResult));
  const isWhole = Array.isArray(found["results"]) && results.length === all.length;
  return { value: { version: VERSION, results }, problem: isWhole ? null : "damaged" };
}

/** The results of both lists, from old to new; of a deal in both, that of the first list. */
export function mergedResults(own: readonly OwnResult[], more: readonly OwnResult[]): OwnResult[] {
  const found = new Map([...more, ...own].map((result) => [keyOf(result), result]));
  return [...found.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)).slice(-MOST);
}

function keyOf({ date, edition }: OwnResult): string {
  return `${date} ${EDITIONS.indexOf(edition)}`;
}

export function isOwnResult(value: unknown): value is OwnResult {
  if (!isObject(value)) return false;
  const { edition, date, points, margin, won, course, exact, wall } = value;
  return (
    EDITIONS.some((one) => one === edition) &&
    isDate(date) &&
    [points, margin, exact, wall].every(Number.isInteger) &&
    typeof won === "boolean" &&
    Array.isArray(course) &&
    course.length === 3 &&
    course.every((one) => STANDINGS.includes(one))
  );
}

/** Whether a value is a day that exists, as in 2026-11-18. */
export function isDate(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const at = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
}
