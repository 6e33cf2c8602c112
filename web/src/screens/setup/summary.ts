// What will be played, as sentences.

import type { TableOptions } from "$lib/api";
import { ratingOf } from "$lib/box";
import { currentLanguage, hasMessage, list, named, t } from "$lib/i18n.svelte";
import { agesOf, isComplete, optionsOf, type SeatChoice, type SetupForm } from "./form";

export function levelWords(level: string): string {
  return named("level", level);
}

/** How a bot of a level plays; a newer server may know more levels than this page. */
export function levelSentence(level: string): string {
  return hasMessage(`level_say.${level}`)
    ? named("level_say", level)
    : t("setup.level_other", { level: levelWords(level) });
}

/** The same with its rating, as far as it is known. Ratings are names of strengths: 1350, not 1,350. */
export function ratedSentence(level: string): string {
  const rating = ratingOf(level);
  return rating === null
    ? levelSentence(level)
    : `${levelSentence(level)} ${t("setup.rating", { rating: String(rating) })}`;
}

/** "90 seconds", "2 minutes". */
export function duration(seconds: number): string {
  const [value, unit] =
    seconds % 3600 === 0 && seconds > 0
      ? [seconds / 3600, "hour"]
      : seconds % 60 === 0 && seconds > 0
        ? [seconds / 60, "minute"]
        : [seconds, "second"];
  return new Intl.NumberFormat(currentLanguage(), { style: "unit", unit, unitDisplay: "long" }).format(value);
}

/** "3 days". */
export function dayWords(days: number): string {
  return new Intl.NumberFormat(currentLanguage(), { style: "unit", unit: "day", unitDisplay: "long" }).format(days);
}

/** "Alhambra with the modules …, simplified scoring". */
export function gameWords({
  edition = "alhambra",
  modules = [],
  scoring,
}: Pick<TableOptions, "edition" | "modules" | "scoring">): string {
  const words = [named("edition", edition)];
  if (modules.length > 0)
    words[0] = t("setup.with", {
      edition: words[0]!,
      n: modules.length,
      modules: list(modules.map((module) => named("module", module))),
    });
  if (scoring === "simplified") words.push(t("home.simplified"));
  return words.join(", ");
}

/** The same in few words: "Alhambra · The Vizier's Favour". */
export function shortGame({
  edition = "alhambra",
  modules = [],
}: {
  edition?: string;
  modules?: readonly string[];
}): string {
  return [named("edition", edition), ...modules.map((module) => named("module", module))].join(" · ");
}

/** "you and 2 bots (Medium)". */
export function lineUp({ seats }: SetupForm): string {
  const here = seats.filter((seat) => seat.kind === "here").length;
  const parts = [here === 1 ? t("home.you") : t("home.people_here", { n: here })];
  for (const [level, bots] of byLevel(seats)) parts.push(t("home.bots", { n: bots.length, level: levelWords(level) }));
  return list(parts);
}

function byLevel(seats: readonly SeatChoice[]): Map<string, SeatChoice[]> {
  const found = new Map<string, SeatChoice[]>();
  for (const seat of seats.filter(({ kind }) => kind === "bot"))
    found.set(seat.level, [...(found.get(seat.level) ?? []), seat]);
  return found;
}

/** What the table agrees on beside the usual. */
export function agreements(options: TableOptions): string[] {
  const { open_money, aids, undo, spectators, takeover, grace = 60, clock, ages = [] } = options;
  const words: string[] = [];
  if (open_money) words.push(t("setup.is_open_money"));
  if (aids === "purist") words.push(t("setup.is_purist"));
  if (undo === false) words.push(t("setup.is_no_undo"));
  if (spectators === false) words.push(t("setup.is_no_spectators"));
  if (clock?.mode === "days") {
    words.push(t("days.is", { time: dayWords(clock.days ?? 3) }));
    if (clock.bot_when_over) words.push(t("days.is_bot"));
  } else if (takeover === false) words.push(t("setup.is_no_takeover"));
  else if (grace !== 60) words.push(t("setup.is_takeover", { time: duration(grace) }));
  if (clock?.mode === "turn") words.push(t("setup.is_clock_turn", { time: duration(clock.seconds ?? 60) }));
  if (clock?.mode === "bank")
    words.push(t("setup.is_clock_bank", { time: duration(clock.seconds ?? 60), more: duration(clock.increment ?? 0) }));
  if (ages.length > 0) words.push(t("setup.is_ages"));
  return words;
}

/** The whole configuration, sentence by sentence. */
export function sentences(setup: SetupForm, names: readonly string[]): string[] {
  const { seats } = setup;
  // On the device names are suggested only after the game is loaded.
  const called = (seat: SeatChoice) => names[seats.indexOf(seat)] || t("seat.number", { n: seats.indexOf(seat) + 1 });
  const here = seats.filter((seat) => seat.kind === "here");
  const free = seats.filter((seat) => seat.kind === "open");
  const said = [t("setup.sum_game", { game: gameWords(optionsOf(setup)), n: seats.length })];
  if (here.length > 0) said.push(t("setup.sum_here", { n: here.length, names: list(here.map(called)) }));
  for (const [level, bots] of byLevel(seats))
    said.push(t("setup.sum_bots", { n: bots.length, names: list(bots.map(called)), level: levelWords(level) }));
  if (free.length > 0) said.push(t("setup.sum_open", { n: free.length }));
  if (seats.length === 2) said.push(t("setup.sum_dirk"));
  const agreed = agreements({ ...optionsOf(setup), ages: agesOf(setup) });
  if (setup.isPublic) agreed.push(t("setup.is_public"));
  if (agreed.length > 0) said.push(t("setup.sum_agreed", { agreed: list(agreed) }));
  return said;
}

/** What the main button of the set-up does. */
export function deedWords(setup: SetupForm): string {
  if (!isComplete(setup)) return t("setup.open");
  return setup.seats.some((seat) => seat.kind === "here") ? t("lobby.start") : t("setup.watch");
}
