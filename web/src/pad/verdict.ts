// Who is ahead or has won, as a sentence, and the whole sheet as plain text.

import { itemWords } from "$lib/descriptions";
import { list, named, number, t, withColon } from "$lib/i18n.svelte";
import { DIRK, SCORINGS, groupsOf, type Scoring } from "./fields";
import { isSimplified, isWritten, modules, nameOf, pad, seats } from "./pad.svelte";
import { pointsAt, rankOf, sumOf, totalOf } from "./points.svelte";

/** The scorings that have numbers. */
export function scored(): Scoring[] {
  return SCORINGS.filter(isWritten);
}

/** 8.4, 9.7: the best of the players; Dirk never wins. */
export function verdict(): string {
  const last = scored().at(-1);
  if (last === undefined) return t("pad.nothing");
  const people = seats().filter((seat) => seat !== DIRK);
  const most = Math.max(...people.map(totalOf));
  const best = people.filter((seat) => totalOf(seat) === most).map(nameOf);
  const values = { names: list(best), points: most, scoring: last };
  if (last === "C") return best.length > 1 ? t("pad.share", values) : t("pad.wins", values);
  return best.length > 1 ? t("pad.level", values) : t("pad.leads", values);
}

/** What scores in this game, in scoring order. */
export function items(): string[] {
  const groups = groupsOf(pad.edition, modules());
  return groups
    .filter(({ name }) => name !== "bonus" && name !== "huts")
    .flatMap(({ rows }) => rows.map(({ item }) => item));
}

export function partsOf(seat: number, item: string): number[] {
  return SCORINGS.map((scoring) => pointsAt(scoring, seat, item)?.points ?? 0);
}

/** The game that is played: "Granada · Simplified scoring · 3 players". */
export function gameWords(): string[] {
  const simplified = isSimplified() ? [t("pad.simplified")] : [];
  return [
    named("edition", pad.edition),
    ...modules().map((module) => named("module", module)),
    ...simplified,
    t("pad.people", { n: pad.players }),
  ];
}

/** The sheet as text for a message to friends. */
export function sheetText(): string {
  const standings = [...seats()].sort((one, other) => totalOf(other) - totalOf(one));
  const lines = standings.map((seat) => {
    const sums = scored().map((scoring) => `${scoring} ${number(sumOf(scoring, seat))}`);
    const parts = items().map(
      (item) => [itemWords(item), partsOf(seat, item).reduce((sum, points) => sum + points, 0)] as const,
    );
    const sources = parts.filter(([, points]) => points > 0).map(([words, points]) => `${words} ${number(points)}`);
    return `${number(rankOf(seat))}. ${withColon(nameOf(seat))} ${number(totalOf(seat))} (${sums.join(" + ")})${sources.length > 0 ? `\n   ${sources.join(", ")}` : ""}`;
  });
  return [gameWords().join(" · "), verdict(), "", ...lines].join("\n");
}
