// What is in the box: asked for once, before anything is drawn.

import { Problem, get, type Combinations, type Components, type StepFacts, type TileFacts } from "./api";
import { href, isSite } from "./base";

let box: Components;

let loading: Promise<void> | null = null;

/** Asked for once, and again if there was no answer. */
export function loadBox(): Promise<void> {
  loading ??= request().then(
    (found) => void (box = found),
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** On the site it is a file, so that no screen waits until Python is loaded. */
async function request(): Promise<Components> {
  if (!isSite) return get<Components>("/components");
  const response = await fetch(href("/components.json"));
  if (!response.ok) throw new Problem({ code: "device_download" });
  return (await response.json()) as Components;
}

export function components(): Components {
  return box;
}

/** 15: what can be combined with an edition; nothing, if the server does not know it. */
export function combinations(edition: string): Combinations {
  return box.combinations[edition] ?? { kinds: [], modules: [], scorings: [], players: [] };
}

/** What the rules say of a step at which a player chooses; a newer server may know more than this page. */
export function stepFacts(word: string): StepFacts {
  return box.steps[word] ?? { is_of_turn: true, verbs: [] };
}

/** 4.2: what turning a tile over costs at least. Only written on the screen: whether it is paid the server says. */
export const TURNING = 3;

export type Level = Components["levels"][number];

/** The names of all bots: the levels from friendly to strong, then those with a mind of their own, then those of others. */
export function levels(): string[] {
  return box.levels.map((level) => level.id);
}

/** The same in their groups. */
export function levelGroups(): { kind: Level["kind"]; levels: Level[] }[] {
  const kinds = [...new Set(box.levels.map(({ kind }) => kind))];
  return kinds.map((kind) => ({ kind, levels: box.levels.filter((level) => level.kind === kind) }));
}

/** How strong a bot plays; null where nobody has measured it. */
export function ratingOf(id: string): number | null {
  return box.levels.find((level) => level.id === id)?.rating ?? null;
}

/** The strongest level. */
export function strongest(): string {
  return box.levels.filter(({ kind }) => kind === "level").at(-1)?.id ?? "greedy";
}

/** What is printed on a tile; a start tile has nothing but its kind. */
export function facts(tile: string): TileFacts {
  return (
    box.tiles[tile] ?? {
      kind: tile === "start-granada" ? "granada" : "alhambra",
      type: "start",
      price: 0,
      walls: "",
      is_hut: false,
      back: null,
    }
  );
}

export function isStart(tile: string): boolean {
  return tile.startsWith("start-");
}
