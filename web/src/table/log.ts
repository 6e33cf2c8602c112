// The log of a table, from two sources that may overtake each other: the server's log, and the events of messages.

import type { LogLine } from "$lib/api";

/** Cut off undone actions, and add what happened with the n-th one unless the log already has it. */
export function extended(log: readonly LogLine[], n: number, turn: number, events: readonly string[]): LogLine[] {
  const kept = log.filter((line) => line.n <= n);
  // A message may wait to be drawn while a log that was loaded later is already there.
  if (kept.some((line) => line.n === n)) return kept;
  return [...kept, ...events.map((line) => ({ n, turn, line }))];
}

/** The log that was loaded, with what messages have added since. */
export function merged(loaded: readonly LogLine[], log: readonly LogLine[]): LogLine[] {
  const newest = loaded.at(-1)?.n ?? -1;
  return [...loaded, ...log.filter((line) => line.n > newest)];
}
