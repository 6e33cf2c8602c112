// A table of the reader in words: with whom, what is played, who is to play.

import type { Message } from "$lib/api";
import { list, t } from "$lib/i18n.svelte";
import { ownSeats } from "$lib/tables";
import { timeWords } from "../../table/clock.svelte";
import { shortGame } from "../setup/summary";
import type { OwnTable } from "./own_tables.svelte";

/** The names of the others, or "others". */
export function othersOf({ message }: OwnTable): string {
  const names = namesOf(message);
  return names.length > 0 ? list(names) : t("home.others");
}

function namesOf(message: Message): string[] {
  const mine = ownSeats(message);
  return message.table.seats.filter(({ seat, name }) => !mine.includes(seat) && name !== "").map(({ name }) => name);
}

export function titleOf(own: OwnTable): string {
  const { table } = own.message;
  const names = othersOf(own);
  if (own.isLost) return t("home.resume_lost", { names });
  if (own.isMyTurn) return t("home.resume_turn", { names });
  if (table.phase === "lobby") return lobbyWords(own.message);
  if (table.phase === "over") return t("home.resume_over", { names });
  return t(ownSeats(own.message).length > 0 ? "home.resume_wait" : "home.resume_watch", { names });
}

export function lobbyWords({ table }: Message): string {
  const free = table.seats.filter(({ kind }) => kind === "open").length;
  return free > 0 ? t("home.resume_lobby", { n: free }) : t("home.resume_ready");
}

/** "Alhambra", "waiting for Ben", "2 days left": what is known of the table, to be joined; modules only where there is room. */
export function factsOf(own: OwnTable, hasModules = true): string[] {
  const { message, isMyTurn } = own;
  const { table, view } = message;
  const words = [shortGame(hasModules ? table.options : { ...table.options, modules: [] })];
  const isPlaying = table.phase === "playing";
  if (table.phase === "lobby" && namesOf(message).length > 0) words.push(othersOf(own));
  const deciding = table.seats.find(({ seat }) => seat === view?.deciding);
  if (isPlaying && !isMyTurn && deciding?.name) words.push(t("home.resume_decides", { name: deciding.name }));
  // Correspondence: the time that is left for the turn, in milliseconds.
  const left = isPlaying && table.options.clock?.mode === "days" ? (deciding?.clock ?? null) : null;
  if (left !== null) words.push(left > 0 ? t("days.left", { time: timeWords(left) }) : t("days.none_left"));
  else if (isPlaying && isMyTurn) words.push(...nextScoring(message));
  if (table.phase === "over" && view !== null)
    words.push(t("home.resume_winner", { names: list(view.winners.map((seat) => table.seats[seat - 1]?.name ?? "")) }));
  return words;
}

/** Where the next score card can lie. */
function nextScoring({ view }: Message): string[] {
  const [coming] = Object.entries(view?.aids?.unseen.scores ?? {});
  if (coming === undefined) return [];
  const [scoring, [from, to]] = coming;
  return [t("home.resume_scoring", { scoring, from, to })];
}
