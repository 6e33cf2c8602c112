// Where the tiles of a city lie, for drawing it; whether something may be built is the server's to say.

import { facts } from "./box";
import { SIDES, readCell, type Cell, type Side } from "./notation";

export interface Extent {
  left: number;
  top: number;
  columns: number;
  rows: number;
}

const STEPS: Record<Side, Cell> = { N: { x: 0, y: -1 }, E: { x: 1, y: 0 }, S: { x: 0, y: 1 }, W: { x: -1, y: 0 } };

export function neighbour(cell: string, side: Side): string {
  const { x, y } = readCell(cell);
  return `${x + STEPS[side].x},${y + STEPS[side].y}`;
}

/** The smallest rectangle around some cells, at least `least` cells wide and high. */
export function extentOf(cells: readonly string[], least = 1): Extent {
  const places = cells.map(readCell);
  const xs = places.map(({ x }) => x);
  const ys = places.map(({ y }) => y);
  let [left, right] = [Math.min(0, ...xs), Math.max(0, ...xs)];
  let [top, bottom] = [Math.min(0, ...ys), Math.max(0, ...ys)];
  while (right - left + 1 < least) {
    if ((left + right) % 2 === 0) left--;
    else right++;
  }
  while (bottom - top + 1 < least) {
    if ((top + bottom) % 2 === 0) top--;
    else bottom++;
  }
  return { left, top, columns: right - left + 1, rows: bottom - top + 1 };
}

/** Edges ("1,0 N") by their cells. */
export function edgesOf(edges: readonly string[]): Record<string, Side[]> {
  const found: Record<string, Side[]> = {};
  for (const edge of edges) {
    const [cell = "", side = "N"] = edge.split(" ");
    (found[cell] ??= []).push(side as Side);
  }
  return found;
}

/** 7.2: sides of a tile where another tile of its kind stands behind the wall: such double walls are drawn dim. */
export function innerSides(city: Record<string, string>, cell: string): Side[] {
  const tile = city[cell];
  if (tile === undefined) return [];
  const { walls, kind } = facts(tile);
  return SIDES.filter((side) => {
    const near = city[neighbour(cell, side)];
    return walls.includes(side) && near !== undefined && facts(near).kind === kind;
  });
}
