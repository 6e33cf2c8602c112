// The clocks of the players, running between the messages.

import type { Message } from "$lib/api";
import { t } from "$lib/i18n.svelte";
import type { Game } from "./game.svelte";

let now = $state(performance.now());
setInterval(() => (now = performance.now()), 500);
/** When each message came; it may be shown later. */
const arrivals = new WeakMap<Message, number>();

export function noteArrival(message: Message): void {
  arrivals.set(message, performance.now());
}

/** Milliseconds since a message came. */
function since(message: Message): number {
  return Math.max(0, now - (arrivals.get(message) ?? now));
}

/** "4:12", or nothing without a clock. */
export function clockWords(game: Game, seat: number): string {
  const { message } = game;
  const left = message?.table.seats[seat - 1]?.clock ?? null;
  if (message === null || left === null) return "";
  const isRunning = message.table.phase === "playing" && message.view?.deciding === seat;
  return timeWords(left - (isRunning ? Math.max(0, since(message) - wait(message)) : 0));
}

/** Hot seat: for how many milliseconds after a message the clock waits until the device has been passed. */
function wait(message: Message): number {
  const passing = message.table.passing ?? null;
  return passing === null ? 0 : (passing.left ?? Infinity);
}

/** Hot seat: what the clock does while the device is being passed; nothing if it does not wait. */
export function waitingWords(game: Game): string {
  const { message } = game;
  const left = message === null ? 0 : wait(message) - since(message);
  if (left <= 0) return "";
  return left === Infinity ? t("curtain.clock") : t("curtain.clock_soon", { time: timeWords(left) });
}

/** "0:42" until a bot takes over for somebody who is away, or nothing if none will. */
export function takeoverWords(game: Game, seat: number): string {
  const { message } = game;
  const left = message?.table.seats[seat - 1]?.takeover_in ?? null;
  return message === null || left === null ? "" : timeWords(left - since(message));
}

function timeWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
