// Invalid entries, as the server reports them: their fields and their texts.

import { components } from "$lib/box";
import { hasMessage, list, named, t, withColon } from "$lib/i18n.svelte";
import { fieldOf, isStretch, type Group, type Part, type Row, type Scoring } from "./fields";
import { nameOf, numberAt, seats } from "./pad.svelte";
import { problems, type PadProblem } from "./points.svelte";

/** The same problem of one or several seats in one row. */
export interface FieldError {
  id: string;
  problem: PadProblem;
  /** Whose numbers it is about; nobody's in particular if it is null. */
  seats: number[];
  /** Who is named. */
  who: number[];
  fields: string[];
  /** Whether something is only missing. */
  isOpen: boolean;
}

const PARTS: Record<string, Part> = {
  too_many_bonus_cards: "bonus",
  bonus_card_without_tile: "bonus",
  too_many_huts: "huts",
  hut_without_tile: "huts",
  no_such_price: "highest",
  price_without_tile: "highest",
  price_too_low: "highest",
  price_twice: "highest",
  price_missing: "highest",
};

function fieldOfProblem({ item, code }: PadProblem): string | null {
  if (item === null) return null;
  return isStretch(item) ? item : fieldOf(PARTS[code] ?? "counts", item);
}

/** The faults that are said below a row; a price has no row of its own. */
export function errorsInRow(scoring: Scoring, row: Row): FieldError[] {
  return faults(scoring, (problem) => fieldOfProblem(problem)?.replace("highest.", "counts.") === row.field, [
    row.field,
  ]);
}

/** The faults of several rows together: they are said at the head of their group. */
export function errorsInGroup(scoring: Scoring, { name, rows }: Group): FieldError[] {
  const isOwn = ({ item, code }: PadProblem) => item === null && (PARTS[code] ?? "granada") === name;
  return faults(scoring, isOwn, name === "granada" ? [] : rows.map(({ field }) => field));
}

/** Prices that are missing are asked for once, at the head of their group. */
export const MISSING_ID = "pad-fault-price_missing";

/** "!" where something cannot be right, "?" where only a price is missing, for a scoring or a seat in it. */
export function markOf(scoring: Scoring, seat: number | null = null): "!" | "?" | null {
  const own = problems().filter((problem) => problem.scoring === scoring && (seat === null || problem.seat === seat));
  if (own.length === 0) return null;
  return own.some(({ code }) => code !== "price_missing") ? "!" : "?";
}

/** Whether the highest price is asked for, or something is wrong with it. */
export function needsPrice(scoring: Scoring, seat: number, type: string): boolean {
  return problems().some(
    (problem) =>
      problem.scoring === scoring &&
      problem.seat === seat &&
      problem.item === type &&
      PARTS[problem.code] === "highest",
  );
}

/** Whether the points wait for a price that decides. */
export function isUnsure(scoring: Scoring, type: string): boolean {
  return problems().some(
    (problem) => problem.scoring === scoring && problem.item === type && problem.code === "price_missing",
  );
}

function faults(scoring: Scoring, isOwn: (problem: PadProblem) => boolean, fields: string[]): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const problem of problems().filter((one) => one.scoring === scoring && isOwn(one))) {
    const isOpen = problem.code === "price_missing";
    const id = isOpen
      ? MISSING_ID
      : [
          "pad-fault",
          fields[0]?.replace(".", "-") ?? "granada",
          problem.code,
          problem.seat === null ? "all" : "own",
        ].join("-");
    const own = fieldOfProblem(problem);
    const touched = own === null ? fields : [own];
    const isTouched = (seat: number) => touched.some((field) => numberAt(scoring, seat, field) !== null);
    const fault = found.get(id) ?? { id, problem, seats: [], who: [], fields: touched, isOpen };
    fault.seats.push(...(problem.seat === null ? seats().filter(isTouched) : [problem.seat]));
    if (problem.seat !== null) fault.who.push(problem.seat);
    found.set(id, fault);
  }
  return [...found.values()];
}

/** "Ana: Nobody owns more than three huts. (rule 14.4)" */
export function faultWords({ problem, who }: FieldError): string {
  const { code, item, rule, scoring, seat, detail } = problem;
  const special = [
    item === "run" ? `${code}_run` : "",
    seat === null ? `${code}_${item === null ? "granada" : "all"}` : "",
    code,
  ];
  const key = special.find((one) => one !== "" && hasMessage(`pad_problem.${one}`));
  const count = seats().reduce((sum, one) => sum + (numberAt(scoring as Scoring, one, `counts.${item}`) ?? 0), 0);
  const most = Object.values(components().tiles).filter((tile) => tile.type === item && !tile.is_hut).length;
  const words = key === undefined ? detail : named("pad_problem", key, { count, most });
  return `${who.length === 0 ? "" : `${withColon(list(who.map(nameOf)))} `}${words} ${t("pad.rule", { rule })}`;
}
