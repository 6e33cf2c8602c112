// What others changed since the reader's last turn: outlined, so that nothing is missed.

import type { LogLine } from "$lib/api";
import { readAction } from "$lib/notation";
import type { Game } from "./game.svelte";

/** Lines since your previous turn; for spectators, of the last turn. */
export function linesSince({ log, seat, view }: Game): LogLine[] {
  const turns = view?.turns ?? 0;
  const own = `${seat} `;
  let first = 0;
  for (let i = log.length - 1; i >= 0; i--) {
    const { turn, line } = log[i]!;
    const isLast = seat === null ? turn < turns - 1 : turn < turns && line.startsWith(own);
    if (isLast) {
      first = i + 1;
      break;
    }
  }
  // The set-up changed nothing: it is where everything begins.
  return log.slice(first).filter(({ n }) => n > 0);
}

/** Cells of another city that were built, swapped or cleared. */
export function changedCells(game: Game, seat: number): string[] {
  const deeds = linesSince(game).filter(({ line }) => line.startsWith(`${seat} `));
  return [...new Set(deeds.map(({ line }) => readAction(line.slice(2)).cell).filter((cell) => cell !== null))];
}

/** Tiles that came to the yard. */
export function freshTiles(game: Game): Set<string> {
  return new Set(
    linesSince(game)
      .filter(({ line }) => line.startsWith("! yard "))
      .map(({ line }) => line.split(" ")[3] ?? ""),
  );
}

/** Cards that came to the display, each as often as it came. */
export function freshCards(game: Game): string[] {
  return linesSince(game)
    .filter(({ line }) => line.startsWith("! display "))
    .flatMap(({ line }) => line.split(" ").slice(2));
}
