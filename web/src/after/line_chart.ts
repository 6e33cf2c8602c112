// What the charts of lines over time share: what is drawn in them, their measures, and the places of their labels.

/** The size of a chart, and the width of the labels at the end of its lines. */
export interface Frame {
  width: number;
  height: number;
  labels: number;
}

/** The line of a seat. */
export interface Curve {
  seat: number;
  /** The value at each of the stops; the last ones are missing while they are hidden. */
  values: number[];
  marks: { x: number; y: number }[];
  path: string;
  /** Where the label stands, and where its line ends. */
  labelY: number;
  endY: number;
}

export interface Drawing<Stop> {
  /** The moments at which values are shown. */
  stops: Stop[];
  ticks: { value: number; y: number }[];
  curves: Curve[];
  /** Where lines and grid end. */
  right: number;
}

/** A moment in words. */
export interface WordedStop {
  /** As it is read out; no two have the same. */
  name: string;
  /** At the head of its column in the table. */
  head: string;
  /** Below the chart; without it no line is drawn there either. */
  below: string;
  x: number;
}

/** Room for axis and labels, in pixels. */
export const MARGIN = { top: 12, right: 14, bottom: 26, left: 34 };
/** The height of a label. */
const LABEL = 18;

/** The edges of the lines and where a moment and a value lie between them; `last` and `most` lie at the far ends. */
export function areaOf({ width, height, labels }: Frame, last: number, most: number) {
  const right = Math.max(MARGIN.left + 40, width - MARGIN.right - labels);
  const bottom = height - MARGIN.bottom;
  return {
    right,
    bottom,
    atX: (moment: number) => MARGIN.left + ((right - MARGIN.left) * moment) / last,
    atY: (value: number) => bottom - ((bottom - MARGIN.top) * value) / most,
  };
}

/** Where the labels of lines with these ends stand: lines may end at the same place, labels may not cover each other. */
export function labelPlaces(ends: readonly number[], bottom: number): number[] {
  return spreadOut(ends, LABEL, MARGIN.top, bottom + 4);
}

/** Places close to the wanted ones that keep their order and a distance. */
function spreadOut(wanted: readonly number[], distance: number, top: number, bottom: number): number[] {
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
