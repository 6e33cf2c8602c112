// Where the lines of the points lie, and the scorings at which they rise.

import type { LogLine, PointsRow } from "$lib/api";
import { areaOf, labelPlaces, MARGIN, type Curve, type Drawing, type Frame } from "./line_chart";
import { pointsOf, SCORINGS, type Entrant, type Scoring } from "./points";
import { momentsOf } from "./timeline";

export interface ScoringStop {
  scoring: Scoring;
  /** Null where it is not known: scorings are then drawn at even distances. */
  turn: number | null;
  x: number;
}

/** The curves of all entrants. The result of a `hidden` scoring is not shown yet: the lines reach it, but do not rise. */
export function drawingOf(
  entrants: readonly Entrant[],
  rows: readonly PointsRow[],
  log: readonly LogLine[],
  hidden: Scoring | null,
  frame: Frame,
): Drawing<ScoringStop> {
  const moments = momentsOf(log);
  const done = SCORINGS.filter((scoring) => rows.some((row) => row.scoring === scoring));
  const turns = done.map((scoring) => moments.find((moment) => moment.scoring === scoring)?.turn ?? null);
  const isTimed = turns.every((turn) => turn !== null);
  const last = isTimed ? Math.max(1, turns.at(-1) ?? 1) : done.length;
  const totalOf = (seat: number, scorings: readonly Scoring[]) =>
    scorings.reduce((sum, scoring) => sum + pointsOf(rows, seat, scoring), 0);
  const most = Math.max(10, ...entrants.map(({ seat }) => totalOf(seat, done)));
  const { bottom, atX, atY } = areaOf(frame, last, most);
  const stops = done.map((scoring, i) => ({
    scoring,
    turn: turns[i] ?? null,
    x: Math.round(atX(isTimed ? turns[i]! : i + 1)),
  }));
  const ticks = ticksTo(most, (bottom - MARGIN.top) / 34).map((value) => ({ value, y: Math.round(atY(value)) }));
  // The grid ends at the last stop, which lies on a whole pixel.
  const right = stops.at(-1)?.x ?? MARGIN.left;

  const shown = done.filter((scoring) => scoring !== hidden);
  const totals = entrants.map(({ seat }) => shown.map((_, i) => totalOf(seat, shown.slice(0, i + 1))));
  const ends = totals.map((own) => atY(own.at(-1) ?? 0));
  const places = labelPlaces(ends, bottom);
  const curves = entrants.map(({ seat }, i): Curve => {
    const marks = totals[i]!.map((total, k) => ({ x: stops[k]!.x, y: atY(total) }));
    const path = `${marks.reduce((drawn, { x, y }) => `${drawn}H${x}V${y.toFixed(1)}`, `M${MARGIN.left} ${bottom}`)}H${right}`;
    return { seat, values: totals[i]!, marks, path, labelY: places[i]!, endY: ends[i]! };
  });
  return { stops, ticks, curves, right };
}

/** About `wanted` round numbers from 0. */
function ticksTo(most: number, wanted: number): number[] {
  const step = [5, 10, 20, 25, 50, 100, 200, 500].find((size) => most / size <= Math.max(2, wanted)) ?? 1000;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}
