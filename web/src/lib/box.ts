// What is in the box: asked for once, before anything is drawn.

import { get, type Components, type TileFacts } from "./api";

let box: Components;

let loading: Promise<void> | null = null;

/** Asked for once, and again if there was no answer. */
export function loadBox(): Promise<void> {
  loading ??= get<Components>("/components").then(
    (found) => void (box = found),
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

export function components(): Components {
  return box;
}

/** 4.2: what turning a tile over costs at least. Only written on the screen: whether it is paid the server says. */
export const TURNING = 3;

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
