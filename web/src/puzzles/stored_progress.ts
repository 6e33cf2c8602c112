// The text in which the answers to puzzles are stored and carried to another browser.

import type { ReadValue } from "$lib/kept_value.svelte";
import { isObject } from "$lib/objects";

/** Progress of a higher version is left alone. */
export const VERSION = 1;

export interface Answered {
  /** Whether the first answer was right; only that one is rated. */
  isFirstRight: boolean;
  /** Whether any answer was right. */
  isSolved: boolean;
  /** The sequence number of the last answer. */
  last: number;
}

export interface StoredProgress {
  version: number;
  /** How many answers were given. */
  count: number;
  /** How many first answers in a row were right. */
  streak: number;
  /** By the number of the puzzle. */
  answers: Readonly<Record<string, Answered>>;
}

export const NONE: StoredProgress = { version: VERSION, count: 0, streak: 0, answers: {} };

export function readProgress(text: string | null): ReadValue<StoredProgress> {
  if (text === null) return { value: NONE, problem: null };
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return { value: NONE, problem: "damaged" };
  }
  if (!isObject(found) || typeof found["version"] !== "number") return { value: NONE, problem: "damaged" };
  if (found["version"] > VERSION) return { value: NONE, problem: "newer" };
  const all = isObject(found["answers"]) ? Object.entries(found["answers"]) : [];
  const valid = all.filter((entry): entry is [string, Answered] => isNumber(entry[0]) && isAnswered(entry[1]));
  const { count, streak } = found;
  const isWhole = isObject(found["answers"]) && valid.length === all.length && isCount(count) && isCount(streak);
  const latest = Math.max(0, ...valid.map(([, { last }]) => last));
  const value = {
    version: VERSION,
    count: Math.max(isCount(count) ? count : 0, latest),
    streak: isCount(streak) ? streak : 0,
    answers: Object.fromEntries(valid),
  };
  return { value, problem: isWhole ? null : "damaged" };
}

/** The progress of one person in two browsers: an answer counts in the browser where it was given first. */
export function united(own: StoredProgress, other: StoredProgress): StoredProgress {
  const answers = { ...other.answers };
  for (const [number, answer] of Object.entries(own.answers)) {
    const theirs = other.answers[number];
    answers[number] = theirs === undefined ? answer : { ...answer, isSolved: answer.isSolved || theirs.isSolved };
  }
  const [longer] = [own, other].sort((one, two) => two.count - one.count);
  return { version: VERSION, count: longer!.count, streak: longer!.streak, answers };
}

function isNumber(key: string): boolean {
  return /^[1-9]\d{0,5}$/.test(key);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

function isAnswered(value: unknown): value is Answered {
  if (!isObject(value)) return false;
  const { isFirstRight, isSolved, last } = value;
  return typeof isFirstRight === "boolean" && typeof isSolved === "boolean" && isCount(last);
}
