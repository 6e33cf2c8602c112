// The profile on this device: finished games, ratings. It stays in this browser unless its owner carries it to another.

import type { Message } from "$lib/api";
import { KeptValue } from "$lib/kept_value.svelte";
import { bestOf, recordOf, withGame, type Best, type Facts, type GameRecord } from "./games";
import { UNKNOWN, rated, type Rating, type Result } from "./rating";
import { readProfile, recomputed, united, type StoredProfile } from "./stored_profile";

const KEY = "you";

/** What a finished game means to the reader; a mark is null where there is nothing to say. */
export interface Finished {
  best: Best | null;
  rating: { value: number; change: number; deviation: number } | null;
}

class Profile {
  readonly kept = new KeptValue<StoredProfile>(KEY, (text) => {
    const { profile: value, problem } = readProfile(text);
    return { value, problem };
  });

  /** Finished games from old to new. */
  get games(): readonly GameRecord[] {
    return this.stored.games;
  }

  get rating(): Rating {
    return this.stored.rating;
  }

  get puzzles(): Rating {
    return this.stored.puzzles;
  }

  /** Whether games were played that count for the rating, here or before it was carried here. */
  get isRated(): boolean {
    return this.rating.deviation < UNKNOWN.deviation;
  }

  /** All of it, to be carried to another browser. */
  get stored(): StoredProfile {
    return this.kept.value;
  }

  /** Keep a game, once for a table; the ratings of all follow. */
  add(game: GameRecord): void {
    this.refresh();
    if (this.games.some(({ id }) => id === game.id)) return;
    this.kept.write(recomputed({ ...this.stored, games: withGame(this.games, game) }));
  }

  /** A puzzle was solved or failed; returns the puzzle rating after it. */
  ratePuzzle(result: Result): Rating {
    this.refresh();
    const puzzles = rated(this.puzzles, [result]);
    this.kept.write({ ...this.stored, puzzles });
    return puzzles;
  }

  /** Add the games of another browser of the same person. */
  unite(other: StoredProfile): void {
    this.refresh();
    this.kept.write(united(this.stored, other));
  }

  /** Take over ratings of another browser where they are more certain; games of this one follow after them. */
  adoptRatings(rating: Rating | null, puzzles: Rating): void {
    this.refresh();
    const own = this.stored;
    const isBetter = rating !== null && rating.deviation < own.rating.deviation;
    this.kept.write(
      recomputed({
        ...own,
        base: isBetter ? rating : own.base,
        puzzles: puzzles.deviation < own.puzzles.deviation ? puzzles : own.puzzles,
      }),
    );
  }

  /** Read what another tab may have written. */
  refresh(): void {
    this.kept.refresh();
  }
}

export const profile = new Profile();

/**
 * Keep a finished game of this browser, and return what it means. Null for spectators and in a frame of another page.
 *
 * Idempotent for each table. These games are listed, but neither rated nor compared: several seats of one browser (hot
 * seat), games continued from a position, a deal that was played before, practice of a daily deal, and games that a bot
 * has finished for the reader.
 */
export function finishedGame(message: Message, facts: Facts): Finished | null {
  const record = recordOf(message, facts, Date.now());
  if (record === null) return null;
  profile.add(record);
  const kept = profile.games.find(({ id }) => id === record.id);
  if (kept === undefined) return null;
  const { rating } = kept;
  return {
    best: bestOf(profile.games, kept.id),
    rating: rating && {
      value: Math.round(rating.after.value),
      change: Math.round(rating.after.value) - Math.round(rating.before.value),
      deviation: Math.round(rating.after.deviation),
    },
  };
}
