// The longest wall or moat of a city (7.2), to compare a city before and after an action at once, without asking the
// server; what is shown and scored is always the server's.

import { facts } from "./box";
import { neighbour } from "./city";
import { SIDES, readCell, type Side } from "./notation";

export type Kind = "alhambra" | "granada";

/** The number of edges of the longest stretch of outer walls (Alhambra) or moats (Granada). */
export function longest(city: Record<string, string>, kind: Kind): number {
  const edges = outerEdges(city, kind);
  const at = new Map<string, number[]>();
  edges.forEach(([a, b], i) => {
    for (const corner of [a, b]) at.set(corner, [...(at.get(corner) ?? []), i]);
  });
  const seen = new Set<number>();
  let most = 0;
  for (const start of edges.keys()) {
    const open = [start];
    let length = 0;
    while (open.length > 0) {
      const i = open.pop()!;
      if (seen.has(i)) continue;
      seen.add(i);
      length++;
      for (const corner of edges[i]!) open.push(...at.get(corner)!);
    }
    most = Math.max(most, length);
  }
  return most;
}

/** Whether a tile could touch the city along an edge without a wall or moat (5.2, 5.3). */
export function isOpen(city: Record<string, string>): boolean {
  return Object.entries(city).some(([cell, tile]) =>
    SIDES.some((side) => !facts(tile).walls.includes(side) && city[neighbour(cell, side)] === undefined),
  );
}

/** The corners of each edge that has a wall of the kind with no tile of the same kind behind it. */
function outerEdges(city: Record<string, string>, kind: Kind): [string, string][] {
  return Object.entries(city).flatMap(([cell, tile]) => {
    const { walls, kind: own } = facts(tile);
    if (own !== kind) return [];
    return SIDES.filter((side) => {
      const near = city[neighbour(cell, side)];
      return walls.includes(side) && (near === undefined || facts(near).kind !== kind);
    }).map((side) => cornersOf(cell, side));
  });
}

/** The two corners of an edge; a cell has the corner of its number at the top left. */
export function cornersOf(cell: string, side: Side): [string, string] {
  const { x, y } = readCell(cell);
  const ends: Record<Side, [number, number, number, number]> = {
    N: [x, y, x + 1, y],
    E: [x + 1, y, x + 1, y + 1],
    S: [x, y + 1, x + 1, y + 1],
    W: [x, y, x, y + 1],
  };
  const [a, b, c, d] = ends[side];
  return [`${a},${b}`, `${c},${d}`];
}
