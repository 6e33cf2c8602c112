// When things happened: the turns and scorings of a game by the number of actions played.

import type { LogLine } from "$lib/api";
import type { Scoring } from "./points";

export interface Moment {
  scoring: Scoring;
  n: number;
  turn: number;
}

/** The scorings that have taken place, in their order. */
export function momentsOf(log: readonly LogLine[]): Moment[] {
  const found = new Map<string, Moment>();
  for (const { n, turn, line } of log) {
    const scoring = /^= score ([ABC]) /.exec(line)?.[1];
    if (scoring !== undefined && !found.has(scoring)) found.set(scoring, { scoring: scoring as Scoring, n, turn });
  }
  return [...found.values()];
}

/** The first position of each turn: where the player on turn begins to decide. */
export function turnStarts(log: readonly LogLine[]): number[] {
  const starts = [0];
  let turn: number | null = null;
  for (const line of log) {
    if (line.turn === 0 || !/^\d /.test(line.line)) continue;
    if (turn !== null && line.turn !== turn) starts.push(line.n - 1);
    turn = line.turn;
  }
  return [...new Set(starts)];
}

/** The turn in which action n was played; 0 is the set-up. */
export function turnOf(log: readonly LogLine[], n: number): number | null {
  return log.find((line) => line.n === n)?.turn ?? null;
}
