// The text in which a profile is stored and carried to another browser.

import { isObject } from "$lib/objects";
import { isGameRecord, merged, ratedGames, shortened, type GameRecord } from "./games";
import { UNKNOWN, isRating, type Rating } from "./rating";

/** Profiles of a higher version are left alone. */
export const VERSION = 1;

export interface StoredProfile {
  version: number;
  /** The rating before the first game of the list. */
  base: Rating;
  /** The rating from games now. */
  rating: Rating;
  /** Finished games from old to new. */
  games: GameRecord[];
  /** The rating from puzzles. */
  puzzles: Rating;
}

export const EMPTY: StoredProfile = { version: VERSION, base: UNKNOWN, rating: UNKNOWN, games: [], puzzles: UNKNOWN };

/** What a text contains: everything, what is valid of a damaged one, or nothing of a newer version. */
export interface ReadProfile {
  profile: StoredProfile;
  problem: "damaged" | "newer" | null;
}

export function readProfile(text: string | null): ReadProfile {
  if (text === null) return { profile: EMPTY, problem: null };
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return { profile: EMPTY, problem: "damaged" };
  }
  if (!isObject(found) || typeof found["version"] !== "number") return { profile: EMPTY, problem: "damaged" };
  if (found["version"] > VERSION) return { profile: EMPTY, problem: "newer" };
  const all: unknown[] = Array.isArray(found["games"]) ? found["games"] : [];
  const games = merged([], all.filter(isGameRecord));
  const { base, rating, puzzles } = found;
  const isWhole =
    Array.isArray(found["games"]) && games.length === all.length && [base, rating, puzzles].every(isRating);
  if (isWhole) return { profile: { ...(found as unknown as StoredProfile), games }, problem: null };
  const known = isRating(base) ? base : UNKNOWN;
  return {
    profile: recomputed({ ...EMPTY, base: known, games, puzzles: isRating(puzzles) ? puzzles : UNKNOWN }),
    problem: "damaged",
  };
}

/** The same with the ratings that follow from its games, and with as many games as are kept. */
export function recomputed(profile: StoredProfile): StoredProfile {
  const { games, rating } = ratedGames(profile.games, profile.base);
  return { ...profile, rating, ...shortened(games, profile.base) };
}

/** Two profiles of one person: the games of both, in order; the puzzle rating that is more certain. */
export function united(own: StoredProfile, other: StoredProfile): StoredProfile {
  // The list that goes back further knows the rating before both.
  const [first] = own.games;
  const [theirs] = other.games;
  const isOlder = theirs !== undefined && (first === undefined || theirs.ended < first.ended);
  return recomputed({
    version: VERSION,
    base: isOlder ? other.base : own.base,
    rating: own.rating,
    games: merged(own.games, other.games),
    puzzles: other.puzzles.deviation < own.puzzles.deviation ? other.puzzles : own.puzzles,
  });
}
