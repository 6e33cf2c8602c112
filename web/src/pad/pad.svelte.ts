// The pad as it is written: it survives reloading, and what was wiped out at once can be had back.

import { combinations } from "$lib/box";
import { loadStored, saveStored } from "$lib/storage";
import { t } from "$lib/i18n.svelte";
import { DIRK, SCORINGS, WRITTEN, type Scoring } from "./fields";

/** What one seat has in one scoring, by field; what is not written is nothing. */
export type Numbers = Record<string, number>;
type Sheet = Record<Scoring, Record<string, Numbers>>;

export interface Pad {
  edition: string;
  modules: string[];
  isSimplified: boolean;
  players: number;
  /** The names by seat, also those of seats that are not used now. */
  names: string[];
  numbers: Sheet;
  /** Groups of rows that are folded out. */
  open: string[];
  tab: Scoring | "sheet";
  /** Whether the choice of the game was made. */
  isSetUp: boolean;
}

const MEMORY = "pad";
const LARGEST = 99;
const blank = (): Sheet => ({ A: {}, B: {}, C: {} });
const fresh = (): Pad => ({
  edition: "alhambra",
  modules: [],
  isSimplified: false,
  players: 3,
  names: [],
  numbers: blank(),
  open: [],
  tab: "A",
  isSetUp: false,
});

export const pad: Pad = $state({ ...fresh(), ...loadStored<Partial<Pad>>(MEMORY, {}) });
/** What was done at once to many numbers, and the numbers before. */
let wiped = $state.raw<{ words: () => string; numbers: Sheet } | null>(null);

/** Called whenever something on the pad has changed. */
export function keep(): void {
  saveStored(MEMORY, $state.snapshot(pad));
}

// Who plays

/** The seats in the order of the columns; Dirk is the last of two players (9.2). */
export function seats(): number[] {
  const people = Array.from({ length: pad.players }, (_, i) => i + 1);
  return pad.players === 2 ? [...people, DIRK] : people;
}

export function nameOf(seat: number): string {
  if (seat === DIRK) return t("piece.dirk");
  return pad.names[seat - 1]?.trim() || t("pad.player", { n: seat });
}

/** What stands on a token: the name, or the number of a player without one. */
export function tokenOf(seat: number): string {
  return seat === DIRK ? nameOf(seat) : pad.names[seat - 1]?.trim() || String(seat);
}

/** The modules that are written down and go with the edition. */
export function modules(): string[] {
  return WRITTEN.filter((module) => pad.modules.includes(module) && isPossible(module));
}

/** 15: whether a module goes with the edition. */
export function isPossible(module: string): boolean {
  return combinations(pad.edition).modules.includes(module);
}

/** 15: whether the simplified scoring goes with the edition, and whether it is played. */
export function hasSimplified(): boolean {
  return combinations(pad.edition).scorings.includes("simplified");
}

export function isSimplified(): boolean {
  return pad.isSimplified && hasSimplified();
}

// The numbers

export function numberAt(scoring: Scoring, seat: number, field: string): number | null {
  return pad.numbers[scoring][seat]?.[field] ?? null;
}

/** Write a number; null wipes it out. */
export function write(scoring: Scoring, seat: number, field: string, value: number | null): void {
  const { [field]: _, ...others } = pad.numbers[scoring][seat] ?? {};
  pad.numbers[scoring][seat] = value === null ? others : { ...others, [field]: Math.max(0, Math.min(LARGEST, value)) };
}

export function isWritten(scoring: Scoring): boolean {
  return seats().some((seat) => Object.values(pad.numbers[scoring][seat] ?? {}).length > 0);
}

/** The last scoring before this one that has numbers. */
export function before(scoring: Scoring): Scoring | null {
  return SCORINGS.slice(0, SCORINGS.indexOf(scoring)).filter(isWritten).at(-1) ?? null;
}

// Many numbers at once, and back

export function takeOver(from: Scoring, to: Scoring): void {
  wipe(() => t("pad.taken", { from, to }), { ...whole(), [to]: structuredClone(whole()[from]) });
}

export function clear(scoring: Scoring | null): void {
  if (scoring === null) wipe(() => t("pad.cleared_all"), blank());
  else wipe(() => t("pad.cleared", { scoring }), { ...whole(), [scoring]: {} });
}

export function undo(): void {
  if (wiped !== null) pad.numbers = wiped.numbers;
  wiped = null;
}

/** What can be undone, in words. */
export function undoable(): string | null {
  return wiped?.words() ?? null;
}

export function forgetUndo(): void {
  wiped = null;
}

function whole(): Sheet {
  return $state.snapshot(pad.numbers);
}

function wipe(words: () => string, numbers: Sheet): void {
  wiped = { words, numbers: whole() };
  pad.numbers = numbers;
}
