// The clocks of the players, running between the messages.

import type { Message } from "$lib/api";
import { currentLanguage, t } from "$lib/i18n.svelte";
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

/** Correspondence: the seat that decides if its time is over, or if its player has left; its turn can go to a bot. */
export function lateSeat({ message }: Game): number | null {
  const seat = message?.view?.deciding ?? null;
  if (message?.table.options.clock?.mode !== "days" || message.table.phase !== "playing" || seat === null) return null;
  const { kind, is_played_by_bot, clock } = message.table.seats[seat - 1]!;
  const isLate = kind === "open" || (clock !== null && clock - since(message) <= 0);
  return kind !== "bot" && !is_played_by_bot && isLate ? seat : null;
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

const HOUR = 3600;
const DAY = 24 * HOUR;

/** "2 days 5 hr" for the long times of correspondence games, "4:12" for others. */
export function timeWords(milliseconds: number): string {
  const left = Math.max(0, Math.ceil(milliseconds / 1000));
  if (left >= DAY) return [part(left / DAY, "day"), part((left % DAY) / HOUR, "hour")].filter(Boolean).join(" ");
  if (left >= 2 * HOUR)
    return [part(left / HOUR, "hour"), part((left % HOUR) / 60, "minute")].filter(Boolean).join(" ");
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function part(value: number, unit: "day" | "hour" | "minute"): string {
  const whole = Math.floor(value);
  const format = new Intl.NumberFormat(currentLanguage(), { style: "unit", unit, unitDisplay: "narrow" });
  return whole === 0 ? "" : format.format(whole);
}
