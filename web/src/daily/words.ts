// Days, results and times of the daily deal as words.

import { currentLanguage, named, number, t } from "$lib/i18n.svelte";
import type { DailyEdition, DailyResult, Standing } from "./results";

/** "Wednesday, 18 November", or as short as the format says; days are UTC everywhere. */
export function dateWords(
  date: string,
  format: Intl.DateTimeFormatOptions = { weekday: "long", day: "numeric", month: "long" },
): string {
  return new Intl.DateTimeFormat(currentLanguage(), { ...format, timeZone: "UTC" }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

/** The name of an edition where there is little room. */
export function editionWords(edition: DailyEdition): string {
  return edition === "combined" ? t("daily.combined") : named("edition", edition);
}

/** "9 hr 12 min", rounded up to the minute. */
export function timeLeft(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  const words = (value: number, unit: string) =>
    new Intl.NumberFormat(currentLanguage(), { style: "unit", unit, unitDisplay: "short" }).format(value);
  const hours = Math.floor(minutes / 60);
  return [hours > 0 ? words(hours, "hour") : "", words(minutes % 60, "minute")].filter(Boolean).join(" ");
}

/** "Won by 14." */
export function marginWords({ margin }: Pick<DailyResult, "margin">): string {
  if (margin === 0) return t("daily.tied");
  return margin > 0 ? t("daily.won", { n: margin }) : t("daily.lost", { n: -margin });
}

/** "128 points, won by 14" */
export function scoreWords({ points, margin }: Pick<DailyResult, "points" | "margin">): string {
  if (margin === 0) return t("daily.score_tied", { n: points });
  const key = margin > 0 ? "daily.score_won" : "daily.score_lost";
  return t(key, { n: points, margin: Math.abs(margin) });
}

export const SIGNS: Readonly<Record<Standing, string>> = { behind: "▽", level: "●", ahead: "▲" };

/** What can be shared of a result; nothing in it helps those who still have to play: no tile, no money, no action. */
export function shareText(
  result: DailyResult,
  edition: DailyEdition,
  date: string,
  days: number,
  link: string,
): string {
  const course = result.course.map((standing, i) => `${"ABC"[i]} ${SIGNS[standing]}`).join("  ");
  const length = t(edition === "granada" ? "daily.share_moat" : "daily.share_wall", { n: result.wall });
  const lanterns = days > 0 ? `${"☼".repeat(Math.min(days, LANTERNS))} ${t("daily.streak", { n: days })}` : "";
  return [
    t("daily.share_head", {
      date: dateWords(date, { day: "numeric", month: "short" }),
      edition: editionWords(edition),
    }),
    scoreWords(result),
    `${course}   ${t("daily.share_exact", { n: result.exact })} · ${length}`,
    lanterns,
    link,
  ]
    .filter(Boolean)
    .join("\n");
}

/** The most lanterns in a row. */
export const LANTERNS = 7;

/** "23 of 147" */
export function placeWords(place: number, players: number): string {
  return t("daily.place", { place: number(place), n: players });
}
