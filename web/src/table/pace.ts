// How quickly other players' turns are shown; bots wait for as long (granada.tables.pace).

import type { IconName } from "$art/icons";
import { settings } from "$lib/settings.svelte";

export type Pace = "follow" | "quick" | "instant";
/** From slow to fast; the names of their icons. */
export const PACES = ["follow", "quick", "instant"] as const satisfies readonly (Pace & IconName)[];

/** Milliseconds for which a turn can be read; `follow` gives more to a turn of many actions. */
const READING: Record<Pace, number> = { follow: 2500, quick: 1000, instant: 0 };
const FURTHER = 500;
const MAX_READING = 4000;

export function readingTime(actions: number): number {
  const { pace } = settings;
  const further = pace === "follow" ? FURTHER * Math.max(0, actions - 2) : 0;
  return Math.min(READING[pace] + further, MAX_READING);
}

/** The pace that is one step slower or faster, or the same. */
export function nextPace(step: -1 | 1): Pace {
  return PACES[PACES.indexOf(settings.pace) + step] ?? settings.pace;
}
