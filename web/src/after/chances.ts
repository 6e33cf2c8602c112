// Where the lines of the chances to win lie, and the moments at which they are told.

import type { LogLine } from "$lib/api";
import { MARGIN, spreadOut } from "./chart";
import { momentsOf } from "./timeline";

export interface ChanceStop {
  /** How many actions were played. */
  n: number;
  name: "begin" | "A" | "B" | "C" | "before_end";
  x: number;
}

export interface ChanceCurve {
  seat: number;
  path: string;
  marks: { x: number; y: number }[];
  /** The chance at each of the stops. */
  told: number[];
  labelY: number;
  endY: number;
}

export interface ChanceDrawing {
  stops: ChanceStop[];
  ticks: { part: number; y: number }[];
  curves: ChanceCurve[];
  right: number;
}

const LABEL = 18;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** The curves of all seats; `chances` are those after n actions. */
export function chancesOf(chances: readonly (readonly number[])[], log: readonly LogLine[], width: number, height: number, labels: number): ChanceDrawing {
  // The last position is no chance any more: the winner is known.
  const last = Math.max(1, chances.length - 2);
  const right = Math.max(MARGIN.left + 40, width - MARGIN.right - labels);
  const bottom = height - MARGIN.bottom;
  const atX = (n: number) => MARGIN.left + ((right - MARGIN.left) * Math.min(n, last)) / last;
  const atY = (part: number) => bottom - (bottom - MARGIN.top) * part;
  const scorings = momentsOf(log).filter(({ n }) => n < last);
  const stops: ChanceStop[] = [
    { n: 0, name: "begin", x: atX(0) },
    ...scorings.map(({ scoring, n }) => ({ n, name: scoring, x: atX(n) })),
    { n: last, name: "before_end", x: atX(last) },
  ];
  const seats = chances[0]?.map((_, i) => i) ?? [];
  const ends = seats.map((i) => atY(chances[last]?.[i] ?? 0));
  const spread = spreadOut(ends, LABEL, MARGIN.top, bottom + 4);
  const curves = seats.map((i): ChanceCurve => {
    const points = chances.slice(0, last + 1).map((all, n) => `${atX(n).toFixed(1)} ${atY(all[i] ?? 0).toFixed(1)}`);
    const told = stops.map(({ n }) => chances[n]?.[i] ?? 0);
    return { seat: i + 1, path: `M${points.join("L")}`, marks: stops.map(({ x }, k) => ({ x, y: atY(told[k]!) })), told, labelY: spread[i]!, endY: ends[i]! };
  });
  return { stops, ticks: TICKS.map((part) => ({ part, y: Math.round(atY(part)) })), curves, right };
}
