// The small part of a profile, which fits into a code and a link where there is no server: name, token and ratings.
// Games are carried by a file (device/backup.ts).

import { LONGEST_NAME, chooseToken, mayBeName, ownName, ownToken, rename } from "$lib/identity.svelte";
import { pack, unpack } from "$lib/packing";
import { profile } from "./profile.svelte";
import { isRating, type Rating } from "./rating";

const VERSION = 1;
/** The most bytes of an unpacked one. */
const LONGEST = 1000;
/** The number of characters at the end that check the others, and of their values. */
const CHECK = 4;
const CHECKS = 36 ** CHECK;

export interface Small {
  name: string;
  token: number;
  rating: Rating | null;
  puzzles: Rating;
}

/** A code of letters, digits, - and _. */
export async function smallCode(): Promise<string> {
  const { rating, puzzles, isRated } = profile;
  const small = [VERSION, ownName(), ownToken(), isRated ? numbersOf(rating) : null, numbersOf(puzzles)];
  const text = await pack(JSON.stringify(small));
  return text + checkOf(text);
}

/** The small profile in a code or a link; null if it is damaged, or of a newer page. */
export async function readSmall(typed: string): Promise<Small | null> {
  const code = typed.trim().replace(/^https?:\/\/\S*#/, "");
  const text = code.slice(0, -CHECK);
  if (code.slice(-CHECK) !== checkOf(text)) return null;
  try {
    const found = JSON.parse(await unpack(text, LONGEST)) as unknown;
    if (!Array.isArray(found) || found[0] !== VERSION) return null;
    const [, name, token, rating, puzzles] = found as unknown[];
    if (typeof name !== "string" || typeof token !== "number") return null;
    const small = { name, token, rating: ratingOf(rating), puzzles: ratingOf(puzzles) };
    return small.puzzles === null ? null : { ...small, puzzles: small.puzzles };
  } catch {
    return null;
  }
}

/** Become this person: games of this browser stay, and the more certain ratings count. */
export function takeOverSmall({ name, token, rating, puzzles }: Small): void {
  profile.adoptRatings(rating, puzzles);
  if (name !== "" && mayBeName(name)) rename(name.slice(0, LONGEST_NAME));
  chooseToken(token);
}

function numbersOf({ value, deviation, volatility }: Rating): number[] {
  return [Math.round(value), Math.round(deviation), Number(volatility.toFixed(4))];
}

function ratingOf(numbers: unknown): Rating | null {
  const [value, deviation, volatility] = Array.isArray(numbers) ? (numbers as unknown[]) : [];
  const rating = { value, deviation, volatility };
  return isRating(rating) ? rating : null;
}

function checkOf(text: string): string {
  let total = 7;
  for (const letter of text) total = (total * 31 + letter.charCodeAt(0)) % CHECKS;
  return total.toString(36).padStart(CHECK, "0");
}
