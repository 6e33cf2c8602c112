// Where the lines, marks and labels of the chart lie.

import type { LogLine, PointsRow } from "$lib/api";
import { pointsOf, SCORINGS, type Entrant, type Scoring } from "./points";
import { momentsOf } from "./timeline";

export interface Stop {
  scoring: Scoring;
  /** Null where it is not known: scorings are then drawn at even distances. */
  turn: number | null;
  x: number;
}

export interface Curve extends Entrant {
  /** The total after each scoring. */
  totals: number[];
  marks: { x: number; y: number }[];
  path: string;
  /** Where the label stands, and where its line ends. */
  labelY: number;
  endY: number;
}

export interface Drawing {
  stops: Stop[];
  ticks: { value: number; y: number }[];
  curves: Curve[];
}

export interface Frame {
  width: number;
  height: number;
  /** The width of the labels at the end of the lines. */
  labels: number;
  /** A scoring that is not told yet; the lines go on to it, but do not rise. */
  hidden: Scoring | null;
}

/** Room for axis and labels, in pixels. */
export const MARGIN = { top: 12, right: 14, bottom: 26, left: 34 };
const LABEL = 18;

export function drawingOf(entrants: readonly Entrant[], rows: readonly PointsRow[], log: readonly LogLine[], { width, height, labels, hidden }: Frame): Drawing {
  const moments = momentsOf(log);
  const done = SCORINGS.filter((scoring) => rows.some((row) => row.scoring === scoring));
  const turns = done.map((scoring) => moments.find((moment) => moment.scoring === scoring)?.turn ?? null);
  const isTimed = turns.every((turn) => turn !== null);
  const right = Math.max(MARGIN.left + 40, width - MARGIN.right - labels);
  const last = isTimed ? Math.max(1, turns.at(-1) ?? 1) : done.length;
  const atX = (place: number) => MARGIN.left + ((right - MARGIN.left) * place) / last;
  const stops = done.map((scoring, i) => ({ scoring, turn: turns[i] ?? null, x: Math.round(atX(isTimed ? turns[i]! : i + 1)) }));

  const totalOf = (seat: number, scorings: readonly Scoring[]) => scorings.reduce((sum, scoring) => sum + pointsOf(rows, seat, scoring), 0);
  const most = Math.max(10, ...entrants.map(({ seat }) => totalOf(seat, done)));
  const told = done.filter((scoring) => scoring !== hidden);
  const totals = entrants.map(({ seat }) => told.map((_, i) => totalOf(seat, told.slice(0, i + 1))));
  const bottom = height - MARGIN.bottom;
  const atY = (value: number) => bottom - ((bottom - MARGIN.top) * value) / most;
  const ticks = ticksTo(most, (bottom - MARGIN.top) / 34).map((value) => ({ value, y: Math.round(atY(value)) }));

  const ends = totals.map((own) => atY(own.at(-1) ?? 0));
  const spread = spreadOut(ends, LABEL, MARGIN.top, bottom + 4);
  const curves = entrants.map((entrant, i): Curve => {
    const marks = totals[i]!.map((total, k) => ({ x: stops[k]!.x, y: atY(total) }));
    const path = `${marks.reduce((drawn, { x, y }) => `${drawn}H${x}V${y.toFixed(1)}`, `M${MARGIN.left} ${bottom}`)}H${stops.at(-1)?.x ?? MARGIN.left}`;
    return { ...entrant, totals: totals[i]!, marks, path, labelY: spread[i]!, endY: ends[i]! };
  });
  return { stops, ticks, curves };
}

/** Round numbers from 0 on, about so many. */
function ticksTo(most: number, wanted: number): number[] {
  const step = [5, 10, 20, 25, 50, 100, 200, 500].find((size) => most / size <= Math.max(2, wanted)) ?? 1000;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

/** Places close to the wanted ones that keep their order and a distance. */
export function spreadOut(wanted: readonly number[], distance: number, top: number, bottom: number): number[] {
  const order = wanted.map((_, i) => i).sort((one, other) => wanted[one]! - wanted[other]!);
  const room = Math.min(distance, order.length > 1 ? (bottom - top) / (order.length - 1) : distance);
  const found = [...wanted];
  order.forEach((i, k) => (found[i] = Math.max(found[i]!, k === 0 ? top : found[order[k - 1]!]! + room)));
  for (let k = order.length - 1; k >= 0; k--) {
    const i = order[k]!;
    found[i] = Math.min(found[i]!, k === order.length - 1 ? bottom : found[order[k + 1]!]! - room);
  }
  return found;
}
