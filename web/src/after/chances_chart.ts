// Where the lines of the chances to win lie, and the moments at which they are shown.

import type { LogLine } from "$lib/api";
import { areaOf, labelPlaces, type Curve, type Drawing, type Frame } from "./line_chart";
import { momentsOf } from "./timeline";

export interface ChanceStop {
  /** How many actions were played. */
  n: number;
  name: "begin" | "A" | "B" | "C" | "before_end";
  x: number;
}

/** In percent. */
const TICKS = [0, 25, 50, 75, 100];

/** The curves of all seats; `chances` are those after n actions. */
export function chancesOf(
  chances: readonly (readonly number[])[],
  log: readonly LogLine[],
  frame: Frame,
): Drawing<ChanceStop> {
  // The last position is no chance any more: the winner is known.
  const last = Math.max(1, chances.length - 2);
  const { right, bottom, atX, atY } = areaOf(frame, last, 1);
  const scorings = momentsOf(log).filter(({ n }) => n < last);
  const stops: ChanceStop[] = [
    { n: 0, name: "begin", x: atX(0) },
    ...scorings.map(({ scoring, n }) => ({ n, name: scoring, x: atX(n) })),
    { n: last, name: "before_end", x: atX(last) },
  ];
  const seats = chances[0]?.map((_, i) => i) ?? [];
  const ends = seats.map((i) => atY(chances[last]?.[i] ?? 0));
  const places = labelPlaces(ends, bottom);
  const curves = seats.map((i): Curve => {
    const points = chances.slice(0, last + 1).map((all, n) => `${atX(n).toFixed(1)} ${atY(all[i] ?? 0).toFixed(1)}`);
    const values = stops.map(({ n }) => chances[n]?.[i] ?? 0);
    return {
      seat: i + 1,
      values,
      marks: stops.map(({ x }, k) => ({ x, y: atY(values[k]!) })),
      path: `M${points.join("L")}`,
      labelY: places[i]!,
      endY: ends[i]!,
    };
  });
  return { stops, ticks: TICKS.map((value) => ({ value, y: Math.round(atY(value / 100)) })), curves, right };
}
