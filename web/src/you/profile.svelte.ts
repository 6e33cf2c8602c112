// The profile on this device: finished games, ratings. It stays in this browser unless its owner carries it to another.

import type { Message } from "$lib/api";
import { onStored, removeStored, saveStored, saveStoredText, storedText } from "$lib/storage";
import { bestOf, recordOf, withGame, type Best, type Facts, type GameRecord } from "./games";
import { UNKNOWN, rated, type Rating, type Result } from "./rating";
import { EMPTY, readProfile, recomputed, united, type StoredProfile } from "./stored_profile";

const KEY = "you";
/** A copy of a damaged profile as it was found, until its owner discards it. */
const DAMAGED_KEY = "you.damaged";

/** What a finished game means to the reader; a mark is null where there is nothing to say. */
export interface Finished {
  best: Best | null;
  rating: { value: number; change: number; deviation: number } | null;
}

class Profile {
  #stored = $state.raw<StoredProfile>(EMPTY);
  #problem = $state.raw<"damaged" | "newer" | null>(null);
  #isFull = $state(false);
  #text: string | null = null;

  constructor() {
    this.refresh();
    onStored(KEY, () => this.refresh());
  }

  /** Finished games from old to new. */
  get games(): readonly GameRecord[] {
    return this.#stored.games;
  }

  get rating(): Rating {
    return this.#stored.rating;
  }

  get puzzles(): Rating {
    return this.#stored.puzzles;
  }

  /** Whether games were played that count for the rating, here or before it was carried here. */
  get isRated(): boolean {
    return this.#stored.rating.deviation < UNKNOWN.deviation;
  }

  /** `damaged`: parts of it cannot be read, and a copy is kept; `newer`: from a newer page, nothing is written. */
  get problem(): "damaged" | "newer" | null {
    return this.#problem;
  }

  /** Whether the last change could not be stored. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** All of it, to be carried to another browser. */
  get stored(): StoredProfile {
    return this.#stored;
  }

  /** The text of a damaged profile as it was found. */
  get damaged(): string | null {
    return storedText(DAMAGED_KEY);
  }

  discardDamaged(): void {
    removeStored(DAMAGED_KEY);
    if (this.#problem === "damaged") this.#problem = null;
  }

  /** Keep a game, once for a table; the ratings of all follow. */
  add(game: GameRecord): void {
    this.refresh();
    if (this.#stored.games.some(({ id }) => id === game.id)) return;
    this.write(recomputed({ ...this.#stored, games: withGame(this.#stored.games, game) }));
  }

  /** A puzzle was solved or failed; returns the puzzle rating after it. */
  ratePuzzle(result: Result): Rating {
    this.refresh();
    const puzzles = rated(this.#stored.puzzles, [result]);
    this.write({ ...this.#stored, puzzles });
    return puzzles;
  }

  /** Add the games of another browser of the same person. */
  unite(other: StoredProfile): void {
    this.refresh();
    this.write(united(this.#stored, other));
  }

  /** Take over ratings of another browser where they are more certain; games of this one follow after them. */
  adoptRatings(rating: Rating | null, puzzles: Rating): void {
    this.refresh();
    const own = this.#stored;
    const isBetter = rating !== null && rating.deviation < own.rating.deviation;
    this.write(
      recomputed({
        ...own,
        base: isBetter ? rating : own.base,
        puzzles: puzzles.deviation < own.puzzles.deviation ? puzzles : own.puzzles,
      }),
    );
  }

  /** Read what another tab may have written. */
  refresh(): void {
    const text = storedText(KEY);
    if (text === this.#text && text !== null) return;
    this.#text = text;
    const { profile, problem } = readProfile(text);
    this.#stored = profile;
    if (problem === "damaged" && text !== null && saveStoredText(DAMAGED_KEY, text)) this.write(profile);
    this.#problem = problem ?? (this.damaged === null ? null : "damaged");
  }

  private write(profile: StoredProfile): void {
    if (this.#problem === "newer") return;
    this.#stored = profile;
    this.#isFull = !saveStored(KEY, profile);
    this.#text = storedText(KEY);
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
