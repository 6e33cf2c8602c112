// The keys of the table; single letters can be switched off in the settings.

import { change, settings } from "$lib/settings.svelte";
import type { Key } from "$lib/i18n.svelte";
import type { Controls } from "./controls.svelte";
import { nextPace } from "./pace";
import type { Turn } from "./turn.svelte";

interface Table {
  turn: Turn;
  controls: Controls;
  /** Send a reaction by its place; returns whether the key is one now. */
  react: (place: number) => boolean;
  /** Show or hide the last round. */
  round: () => void;
  open: (what: "menu" | "keys") => void;
  sheet: (what: string) => void;
}

/** What each key does, for the map of the keys. */
export const KEYS: [string, Key][] = [
  ["Enter, g", "keys.enter"],
  ["Escape", "keys.escape"],
  ["1 – 4", "keys.yard"],
  ["5 – 8", "keys.yard_two"],
  ["1 – 6", "react.keys"],
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
  [", .", "keys.pace"],
  ["b", "keys.round"],
  ["?", "keys.map"],
];

/** Where a key puts the focus. */
const FOCUSED: Record<string, string> = {
  m: "[data-hand]",
  t: "[data-tray]",
  e: "[data-reserve]",
  c: '[role="gridcell"][tabindex="0"]',
};
/** What a key does: the same as the button or the piece that it stands for. */
const ACTIONS: Record<string, (controls: Controls) => void> = {
  g: (controls) => controls.main(),
  v: (controls) => controls.turnOver(),
  x: (controls) => controls.placeElsewhere("reserve"),
  k: (controls) => controls.placeElsewhere("give"),
  u: (controls) => controls.undo(),
  r: (controls) => controls.restart(),
  h: (controls) => controls.toggleHint(),
  p: (controls) => controls.playPlain(["decline", "keep", "pass", "wake"]),
};
const DISPLAY = "asdf";

/** Whether the focus was put where it is by keys: a button that was clicked is not what Enter is meant for. */
let isFocusByKeys = true;
addEventListener("pointerdown", () => (isFocusByKeys = false), { capture: true });
addEventListener("keydown", ({ key }) => (isFocusByKeys ||= key === "Tab" || key in FOCUSED), { capture: true });

export function shortcut(event: KeyboardEvent, { turn, controls, react, round, open, sheet }: Table): void {
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
  // An action that waits for confirmation is undone by undo, not by Escape.
  if (key === "Escape") return turn.held === null ? turn.clear() : undefined;
  if (key === "Enter") {
    const isConfirmed = controls.hasMain && mayConfirm(target, turn);
    if (isConfirmed || isPicked(target)) event.preventDefault();
    if (isConfirmed) controls.main();
    return;
  }
  if (turn.held?.cell && key.startsWith("Arrow") && !target.closest("[role=gridcell], .lines, .maj-scroll")) {
    controls.moveTile?.(key);
    event.preventDefault();
    return;
  }
  if (!settings.keys || key.length !== 1) return;
  if (key === "?") open("keys");
  else if (key === "/") command(sheet);
  else if (key === "l") sheet("log");
  else if (key === "b") round();
  else if (key === "," || key === ".") change("pace", nextPace(key === "," ? -1 : 1));
  else if (key >= "1" && key <= "6" && react(Number(key) - 1)) event.stopPropagation();
  else if (key >= "1" && key <= "8") controls.pickYard((Number(key) - 1) % 4, key > "4" ? 1 : 0);
  else if (DISPLAY.includes(key)) controls.pickDisplay(DISPLAY.indexOf(key));
  else if (key in FOCUSED) document.querySelector<HTMLElement>(FOCUSED[key]!)?.focus();
  else if (key in ACTIONS) ACTIONS[key]!(controls);
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
  const own = target.closest<HTMLElement>("button, a, summary, [role=gridcell]");
  if (own === null || own.dataset["act"] === "main" || isPicked(own)) return true;
  if (turn.held !== null && own.matches(`${PIECES}, [role=gridcell]`)) return true;
  // While a purchase is asked about, other pieces can still be picked; in the city there is nothing to do.
  if (turn.isAsking && own.matches("[role=gridcell]")) return true;
  return !isFocusByKeys && !own.matches("[role=gridcell]");
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
