// The ladder of bots, from strong to weak, and where the reader stands on it.

import { levels, ratingOf } from "$lib/box";
import type { GameRecord } from "./games";

export interface Rung {
  level: string;
  rating: number;
  /** Games against this bot, and those in which the reader was ahead of it. */
  played: number;
  won: number;
}

export interface Ladder {
  /** From the strongest to the weakest. */
  rungs: Rung[];
  /** How many of them are above the reader. */
  above: number;
}

/** The bots with a face (art/faces.svg) and a line of character (`character.LEVEL`); others have no rung. */
const CHARACTERS = ["novice", "mason", "greedy", "courtier", "builder", "search", "strongest"];

/** The ladder with the reader's games; a reader without a rating is below all bots. */
export function ladderOf(games: readonly GameRecord[], rating: number | null): Ladder {
  const rungs = levels()
    .filter((level) => CHARACTERS.includes(level) && ratingOf(level) !== null)
    .map((level) => ({ level, rating: ratingOf(level)!, ...against(games, level) }))
    .sort((one, other) => other.rating - one.rating);
  return { rungs, above: rating === null ? rungs.length : rungs.filter((rung) => rung.rating > rating).length };
}

/** Whether more than half of the games were won. */
export function isBeaten({ played, won }: Rung): boolean {
  return won * 2 > played;
}

function against(games: readonly GameRecord[], level: string): { played: number; won: number } {
  const met = games.filter(({ exempt, seats }) => exempt === null && seats.some((seat) => seat.level === level));
  const won = met.filter(({ seat, seats }) =>
    seats.every((other) => other.level !== level || seats[seat - 1]!.rank < other.rank),
  );
  return { played: met.length, won: won.length };
}
