// What is in the box: asked for once, before anything is drawn.

import { get, type Components, type TileFacts } from "./api";

let box: Components;

export async function loadBox(): Promise<void> {
  box = await get<Components>("/components");
}

export function components(): Components {
  return box;
}

export function levels(): string[] {
  return box.levels.map((level) => level.id);
}

/** What is printed on a tile; a start tile has nothing but its kind. */
export function facts(tile: string): TileFacts {
  return box.tiles[tile] ?? { kind: tile === "start-granada" ? "granada" : "alhambra", type: "start", price: 0, walls: "", is_hut: false, back: null };
}

export function isStart(tile: string): boolean {
  return tile.startsWith("start-");
}
