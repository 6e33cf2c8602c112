// The keys of the table; single letters can be switched off in the settings.

import { settings } from "$lib/settings.svelte";
import type { Key } from "$lib/words.svelte";
import type { Game } from "./game.svelte";
import type { Turn } from "./turn.svelte";

interface Hands {
  game: Game;
  turn: Turn;
  open: (what: "menu" | "keys") => void;
  sheet: (what: string) => void;
}

/** What each key does, for the map of the keys. */
export const KEYS: [string, Key][] = [
  ["Enter, g", "keys.enter"],
  ["Escape", "keys.escape"],
  ["1 – 4", "keys.yard"],
  ["5 – 8", "keys.yard_two"],
  ["a s d f", "keys.display"],
  ["m", "keys.money"],
  ["t", "keys.tray"],
  ["e", "keys.reserve"],
  ["c", "keys.city"],
  ["← ↑ → ↓", "keys.arrows"],
  ["n", "keys.next"],
  ["v", "keys.turn"],
  ["x", "keys.to_reserve"],
  ["k", "keys.give"],
  ["p", "keys.plain"],
  ["u", "keys.undo"],
  ["r", "keys.restart"],
  ["h", "keys.hint"],
  ["/", "keys.command"],
  ["l", "keys.log"],
  ["?", "keys.map"],
];

/** Where a key puts the focus. */
const FOCUSED: Record<string, string> = { m: "[data-hand]", t: "[data-tray]", e: "[data-reserve]", c: '[role="gridcell"][tabindex="0"]' };
/** Which button a key presses. */
const PRESSED: Record<string, string> = { g: "main", v: "flip", x: "reserve", k: "give", u: "undo", r: "restart", h: "hint" };
const PLAIN = ["decline", "keep", "pass", "wake"];
const DISPLAY = "asdf";

export function shortcut(event: KeyboardEvent, { turn, open, sheet }: Hands): void {
  const target = event.target as HTMLElement;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (target.closest("input, select, textarea")) return;
  const { key } = event;
  if (key === "Escape") return turn.clear();
  if (key === "Enter") {
    // On a button Enter presses that button, as everywhere.
    if (!target.closest("button, a, [role=gridcell]")) press("main", event);
    return;
  }
  if (!settings.keys || key.length !== 1) return;
  if (key === "?") open("keys");
  else if (key === "/") command(sheet);
  else if (key === "l") sheet("log");
  else if (key >= "1" && key <= "8") click(yardTile(Number(key)));
  else if (DISPLAY.includes(key)) click(document.querySelectorAll<HTMLElement>("[data-display]")[DISPLAY.indexOf(key)]);
  else if (key in FOCUSED) document.querySelector<HTMLElement>(FOCUSED[key]!)?.focus();
  else if (key in PRESSED) press(PRESSED[key]!, event);
  else if (key === "p") click(PLAIN.map((verb) => document.querySelector<HTMLElement>(`[data-act="${verb}"]`)).find((one) => one !== null));
  else return;
  event.preventDefault();
}

/** The tile on a space; 5 to 8 are the second tiles of the combined game. */
function yardTile(n: number): HTMLElement | undefined {
  const space = document.querySelectorAll(".space")[(n - 1) % 4];
  const tiles = space?.querySelectorAll<HTMLElement>(".ytile");
  return tiles?.[n > 4 ? 1 : 0];
}

function press(act: string, event: KeyboardEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>(`[data-act="${act}"]`)?.click();
}

/** The focus stays where it is, so that Enter does what was picked instead of putting it back. */
function click(element: HTMLElement | null | undefined): void {
  element?.click();
}

function command(sheet: (what: string) => void): void {
  if (document.querySelector("[data-command]") === null) sheet("log");
  requestAnimationFrame(() => {
    const line = document.querySelector<HTMLElement>("[data-command]");
    const folded = line?.closest("details");
    if (folded) folded.open = true;
    line?.focus();
  });
}
