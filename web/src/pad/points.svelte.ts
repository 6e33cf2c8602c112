// What the numbers come to: the server counts and finds what cannot be right; the last answer stays until the next one is there.

import { Problem, post, problemWords } from "$lib/api";
import { t } from "$lib/i18n.svelte";
import type { components } from "../api";
import { PARTS, SCORINGS, groupsOf, type Part, type Scoring } from "./fields";
import { isSimplified, isWritten, modules, pad, seats, type Numbers } from "./pad.svelte";

type Schemas = components["schemas"];
export type PadResult = Schemas["PadResult"];
export type PadProblem = Schemas["PadProblem"];
type ScorePad = Schemas["ScorePad"];
type PadEntry = Schemas["PadEntry"];

const PAUSE = 150;
const AGAIN = 4000;
/** Refusals that pass by themselves. */
const PASSING = ["network", "internal", "unavailable", "too_many"];

let result = $state.raw<PadResult | null>(null);
let trouble = $state.raw<Problem | null>(null);
let asked = "";
let timer: ReturnType<typeof setTimeout> | undefined;

/** The pad as the server reads it: only what belongs to the game that was chosen. */
export function written(): ScorePad {
  const fields = new Set(groupsOf(pad.edition, modules()).flatMap(({ rows }) => rows.map(({ field }) => field)));
  const scorings: NonNullable<ScorePad["scorings"]> = {};
  for (const scoring of SCORINGS.filter(isWritten))
    scorings[scoring] = seats().map((seat) => entry(pad.numbers[scoring][seat] ?? {}, fields));
  return {
    edition: pad.edition as NonNullable<ScorePad["edition"]>,
    modules: modules() as NonNullable<ScorePad["modules"]>,
    scoring: isSimplified() ? "simplified" : "regular",
    players: pad.players,
    scorings,
  };
}

function entry(numbers: Numbers, fields: ReadonlySet<string>): PadEntry {
  const made: PadEntry & Record<Part, Record<string, number>> = { counts: {}, highest: {}, bonus: {}, huts: {} };
  for (const [field, value] of Object.entries(numbers)) {
    const [part = "", type = ""] = field.split(".");
    const isPlayed = fields.has(field) || (part === "highest" && fields.has(`counts.${type}`));
    if (!isPlayed) continue;
    if ((PARTS as readonly string[]).includes(part)) made[part as Part][type] = value;
    else made[part as "wall" | "moat" | "run"] = value;
  }
  return made;
}

/** Ask what the pad comes to, once the writing pauses. */
export function count(): void {
  const body = written();
  const text = JSON.stringify(body);
  if (text === asked) return;
  asked = text;
  clearTimeout(timer);
  timer = setTimeout(() => void ask(body, text), PAUSE);
}

async function ask(body: ScorePad, text: string): Promise<void> {
  try {
    const answer = await post<PadResult>("/score", body);
    if (text === asked) [result, trouble] = [answer, null];
  } catch (error) {
    if (text !== asked) return;
    trouble = error instanceof Problem ? error : new Problem({ code: "internal" });
    if (PASSING.includes(trouble.code)) timer = setTimeout(() => void ask(body, text), AGAIN);
  }
}

/** Ask at once, because the server may be there again. */
export function askAgain(): void {
  if (trouble === null) return;
  clearTimeout(timer);
  void ask(written(), asked);
}

/** Why the points may be old. */
export function currentTrouble(): string | null {
  if (trouble === null) return null;
  return PASSING.includes(trouble.code) ? t("pad.offline") : problemWords(trouble);
}

export interface Points {
  points: number;
  /** 0: a stretch has no place. */
  place: number;
}

export function pointsAt(scoring: Scoring, seat: number, item: string): Points | null {
  return result?.rows.find((row) => row.scoring === scoring && row.seat === seat && row.item === item) ?? null;
}

export function rows(): Schemas["PointsRow"][] {
  return result?.rows ?? [];
}

export function totalOf(seat: number): number {
  return result?.totals[seats().indexOf(seat)] ?? 0;
}

export function sumOf(scoring: Scoring, seat: number): number {
  return result?.by_scoring[scoring]?.[seats().indexOf(seat)] ?? 0;
}

/** The place in the standings; Dirk has one too (9.7). */
export function rankOf(seat: number): number {
  return 1 + seats().filter((other) => totalOf(other) > totalOf(seat)).length;
}

export function problems(): PadProblem[] {
  return result?.problems ?? [];
}
