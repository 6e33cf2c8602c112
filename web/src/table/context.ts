// What all parts of the table share.

import { getContext, setContext } from "svelte";
import type { Controls } from "./controls.svelte";
import type { Followed } from "./followed.svelte";
import type { Game } from "./game.svelte";
import type { Questions } from "./questions.svelte";
import type { Turn } from "./turn.svelte";

export interface AtTable {
  game: Game;
  turn: Turn;
  questions: Questions;
  controls: Controls;
  followed: Followed;
}

const KEY = Symbol("table");

export function provideTable(table: AtTable): void {
  setContext(KEY, table);
}

export function useTable(): AtTable {
  return getContext<AtTable>(KEY);
}
