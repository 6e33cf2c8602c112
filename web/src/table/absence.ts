// Players who are away: what the table shows of it, and what is said when it changes.

import type { SeatInfo } from "$lib/api";
import { t } from "$lib/i18n.svelte";
import { takeoverWords } from "./clock.svelte";
import type { Game } from "./game.svelte";

/** Away, gone for good, or played by a bot meanwhile. */
type Absence = "away" | "gone" | "bot";

export function absenceOf({ kind, is_connected, is_played_by_bot, is_yours }: SeatInfo): Absence | null {
  if (kind === "bot") return null;
  if (is_played_by_bot) return "bot";
  if (kind === "open") return "gone";
  return is_connected || is_yours ? null : "away";
}

/** "away", "bot in 0:42", "bot is playing"; the time is not for those who listen. */
export function absenceWords(game: Game, seat: number, hasTime = true): string {
  const info = game.message?.table.seats[seat - 1];
  const absence = info === undefined ? null : absenceOf(info);
  if (absence === null) return "";
  const time = hasTime ? takeoverWords(game, seat) : "";
  if (absence === "away") return time === "" ? t("seat.away") : t("seat.bot_in", { time });
  return t(absence === "bot" ? "seat.by_bot" : "seat.gone");
}

/** What is said when somebody goes, is replaced, or comes back. */
export function absenceNews(before: readonly SeatInfo[], after: readonly SeatInfo[]): string[] {
  return after.flatMap((now, i) => {
    const was = before[i];
    return was === undefined || was.kind === "bot" || now.is_yours ? [] : changeWords(was, now);
  });
}

function changeWords(was: SeatInfo, now: SeatInfo): string[] {
  const [before, after] = [absenceOf(was), absenceOf(now)];
  const { name, takeover_in } = now;
  const isCounting = after === "away" && takeover_in !== null && was.takeover_in === null;
  if (before === after && !isCounting) return [];
  if (after === null) return before === null || name === "" ? [] : [t("seat.is_back", { name })];
  if (after === "bot") return [t("seat.took", { name })];
  if (after === "gone") return was.kind === "open" || was.name === "" ? [] : [t("seat.has_left", { name: was.name })];
  const soon = isCounting ? t("seat.bot_soon", { n: Math.ceil(takeover_in / 1000) }) : "";
  return [[t("seat.is_away", { name }), soon].filter(Boolean).join(" ")];
}
