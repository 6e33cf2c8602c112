// Who got how many points for what: sums over the rows of a view.

import type { Message, PointsRow, View } from "$lib/api";
import { combinations, components } from "$lib/box";
import { itemWords } from "$lib/descriptions";
import { currentLanguage, named, t, withinSentence } from "$lib/i18n.svelte";

export const SCORINGS = ["A", "B", "C"] as const;
export type Scoring = (typeof SCORINGS)[number];

/** Somebody with points; seat 0 is Dirk. */
export interface Entrant {
  seat: number;
  name: string;
  isYou: boolean;
}

/** All who score, in seat order and then Dirk. Who holds one seat is "you"; several people at one browser have names. */
export function entrantsOf({ table, view }: Message): Entrant[] {
  const isAlone = table.seats.filter(({ is_yours }) => is_yours).length === 1;
  const found = table.seats.map(({ seat, name, is_yours }) => ({
    seat,
    name: name || named("seat", "number", { n: seat }),
    isYou: isAlone && is_yours,
  }));
  return view?.dirk ? [...found, { seat: 0, name: t("piece.dirk"), isYou: false }] : found;
}

/** The name at the beginning of a line: "You". */
export function calledOf({ name, isYou }: Entrant): string {
  return isYou ? t("after.you") : name;
}

export function pointsOf(
  rows: readonly PointsRow[],
  seat: number,
  scoring: string | null = null,
  item: string | null = null,
): number {
  const own = rows.filter(
    (row) => row.seat === seat && (scoring === null || row.scoring === scoring) && (item === null || row.item === item),
  );
  return own.reduce((sum, { points }) => sum + points, 0);
}

export function scoreOf({ players, dirk }: View, seat: number): number {
  return (seat === 0 ? dirk?.score : players[seat - 1]?.score) ?? 0;
}

/** The scorings that have taken place. */
export function doneScorings({ rows }: View): Scoring[] {
  return SCORINGS.filter((scoring) => rows.some((row) => row.scoring === scoring));
}

export function isStretch(item: string): boolean {
  return item === "wall" || item === "moat" || item === "run";
}

/** Whether a type is of Alhambra or of Granada. */
export function kindOf(type: string): string {
  return Object.values(components().tiles).find((tile) => tile.type === type)?.kind ?? "";
}

/** What scores in this game, in scoring order: the stretches that cities have, and the types of the edition. */
export function itemsOf({ table, view }: Message): string[] {
  const kinds: string[] = combinations(table.options.edition ?? "alhambra").kinds;
  const types = components().types.filter((type) => kinds.includes(kindOf(type)));
  return [...Object.keys(view?.players[0]?.lengths ?? {}), ...types];
}

/** "gardens", as it stands within a sentence. */
export function manyWords(type: string): string {
  return named("many", type);
}

/** "garden": the name of a type within a sentence. */
export function oneWords(type: string): string {
  return withinSentence(named("type", type));
}

/** "Gardens", "Wall": as it stands alone. */
export function itemTitle(item: string): string {
  return capitalised(isStretch(item) ? itemWords(item) : manyWords(item));
}

export function capitalised(words: string): string {
  return words.charAt(0).toLocaleUpperCase(currentLanguage()) + words.slice(1);
}
