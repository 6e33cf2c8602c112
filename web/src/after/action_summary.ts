// What happened with an action, for the replay: the sentence, what followed, and the cells that changed.

import type { LogLine, Message } from "$lib/api";
import { readAction } from "$lib/notation";
import { Cities, citiesBefore } from "$lib/locations";
import { lineWords } from "$lib/descriptions";
import { t } from "$lib/i18n.svelte";
import type { Scoring } from "./points";

export interface ActionSummary {
  /** The seat that acted; 0 for the set-up. */
  seat: number;
  sentence: string;
  followed: string[];
  /** The cells of the acting seat that changed. */
  cells: string[];
  /** Tiles that came onto the yard, and cards that came onto the display. */
  freshTiles: string[];
  freshCards: string[];
  scorings: Scoring[];
}

export function summaryOf({ events, n, table, view }: Message, log: readonly LogLine[]): ActionSummary {
  const names = table.seats.map(({ name }) => name);
  const deed = events.find((line) => /^\d /.test(line));
  const others = events.filter((line) => line !== deed);
  const action = deed === undefined ? null : readAction(deed.slice(2));
  // Without a log the cities are those after the action: its neighbours stand there, too.
  const cities = log.length > 0 ? citiesBefore(log, n) : new Cities(view?.players.map(({ city }) => city));
  const words = (lines: string[]) => lines.map((line) => lineWords(line, names, cities.of)).filter(Boolean);
  const start = words(events.filter((line) => line.startsWith("! start")))[0] ?? "";
  return {
    seat: deed === undefined ? 0 : Number(deed[0]),
    sentence: deed === undefined ? (n === 0 ? `${t("replay.setup")} ${start}` : "") : lineWords(deed, names, cities.of),
    followed: words(
      n === 0
        ? others.filter((line) => /^! (deal|dirk|bonus)/.test(line))
        : others.filter((line) => !line.startsWith("= score") && !line.startsWith("= end")),
    ),
    cells: action?.cell ? [action.cell] : [],
    freshTiles:
      n === 0 ? [] : others.filter((line) => line.startsWith("! yard")).map((line) => line.split(" ")[3] ?? ""),
    freshCards:
      n === 0 ? [] : others.filter((line) => line.startsWith("! display")).flatMap((line) => line.split(" ").slice(2)),
    scorings: [
      ...new Set(others.map((line) => /^= score ([ABC])/.exec(line)?.[1]).filter((found) => found !== undefined)),
    ] as Scoring[],
  };
}
