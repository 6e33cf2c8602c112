// The clocks of the players, running between the messages.

import type { Game } from "./game.svelte";

let now = $state(performance.now());
let arrived = performance.now();
let version = -1;
setInterval(() => (now = performance.now()), 500);

/** "4:12", or nothing without a clock. */
export function clockWords(game: Game, seat: number): string {
  const { message } = game;
  const left = message?.table.seats[seat - 1]?.clock ?? null;
  if (message === null || left === null) return "";
  if (message.version !== version) [version, arrived] = [message.version, performance.now()];
  const isRunning = message.table.phase === "playing" && message.view?.deciding === seat;
  const seconds = Math.max(0, Math.ceil((left - (isRunning ? Math.max(0, now - arrived) : 0)) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
