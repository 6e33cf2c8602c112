// The keys of the table; single letters can be switched off in the settings.

import { settings } from "$lib/settings.svelte";
import type { Key } from "$lib/i18n.svelte";
import type { Turn } from "./turn.svelte";

interface Hands {
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
const FOCUSED: Record<string, string> = {
  m: "[data-hand]",
  t: "[data-tray]",
  e: "[data-reserve]",
  c: '[role="gridcell"][tabindex="0"]',
};
/** Which button a key presses. */
const PRESSED: Record<string, string> = {
  g: "main",
  v: "flip",
  x: "reserve",
  k: "give",
  u: "undo",
  r: "restart",
  h: "hint",
};
const PLAIN = ["decline", "keep", "pass", "wake"];
const DISPLAY = "asdf";

/** Whether the focus was put where it is by keys: a button that was clicked is not what Enter is meant for. */
let isFocusByKeys = true;
addEventListener("pointerdown", () => (isFocusByKeys = false), { capture: true });
addEventListener("keydown", ({ key }) => (isFocusByKeys ||= key === "Tab" || key in FOCUSED), { capture: true });

export function shortcut(event: KeyboardEvent, { turn, open, sheet }: Hands): void {
  const target = event.target as HTMLElement;
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    document.querySelector("dialog[open]")
  )
    return;
  if (target.closest("input, select, textarea")) return;
  const { key } = event;
  // What waits for its confirmation is taken back by undo, not by Escape.
  if (key === "Escape") return turn.held === null ? turn.clear() : undefined;
  if (key === "Enter") {
    if (mayConfirm(target, turn)) press("main", event);
    else if (isPicked(target)) event.preventDefault();
    return;
  }
  if (turn.held?.cell && key.startsWith("Arrow") && !target.closest("[role=gridcell], .lines, .maj-scroll"))
    return walk(turn.cell, event);
  if (!settings.keys || key.length !== 1) return;
  if (key === "?") open("keys");
  else if (key === "/") command(sheet);
  else if (key === "l") sheet("log");
  else if (key >= "1" && key <= "8") click(yardTile(Number(key)));
  else if (DISPLAY.includes(key)) click(document.querySelectorAll<HTMLElement>("[data-display]")[DISPLAY.indexOf(key)]);
  else if (key in FOCUSED) document.querySelector<HTMLElement>(FOCUSED[key]!)?.focus();
  else if (key in PRESSED) press(PRESSED[key]!, event);
  else if (key === "p")
    click(PLAIN.map((verb) => document.querySelector<HTMLElement>(`[data-act="${verb}"]`)).find((one) => one !== null));
  else return;
  event.preventDefault();
}

/** Pieces and cards that can be picked. */
const PIECES = "[data-hand], [data-display], [data-yard], [data-tray], [data-reserve], [data-hut], [data-bonus]";

function isPicked(target: HTMLElement): boolean {
  return target.closest(PIECES)?.ariaPressed === "true";
}

/** Whether Enter does what the main button says: everywhere but on a button or link that was reached by keys for itself. */
function mayConfirm(target: HTMLElement, turn: Turn): boolean {
  if (document.querySelector<HTMLButtonElement>('[data-act="main"]')?.disabled !== false) return false;
  const own = target.closest<HTMLElement>("button, a, summary, [role=gridcell]");
  if (own === null || own.dataset["act"] === "main" || isPicked(own)) return true;
  if (turn.held !== null && own.matches(`${PIECES}, [role=gridcell]`)) return true;
  return !isFocusByKeys && !own.matches("[role=gridcell]");
}

/** Move the tile that waits for its confirmation by the arrow keys, wherever the focus is. */
function walk(cell: string | null, event: KeyboardEvent): void {
  const ghost = document.querySelector<HTMLElement>(`[data-cell="${cell}"]`);
  ghost?.focus();
  ghost?.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: true, cancelable: true }));
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
