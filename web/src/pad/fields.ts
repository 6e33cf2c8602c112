// What can be written on the pad: the fields of a scoring, in groups of rows.

import { combinations, components } from "$lib/box";

export const SCORINGS = ["A", "B", "C"] as const;
export type Scoring = (typeof SCORINGS)[number];
export const DIRK = 0;
/** The parts of an entry that have a number for each type. */
export const PARTS = ["counts", "highest", "bonus", "huts"] as const;
export type Part = (typeof PARTS)[number];
/** The modules that bring something to write down; the others change nothing in a scoring. */
export const WRITTEN = ["bonus", "huts"] as const;

export interface Row {
  /** The name of its number: "wall", "counts.garden", "huts.garden". */
  field: string;
  /** What scores: a stretch or a type. */
  item: string;
}

export interface Group {
  name: "stretches" | "alhambra" | "bonus" | "huts" | "granada";
  rows: Row[];
}

/** An input for a small number: typed or stepped, and quick on a phone. */
export const NUMBER_INPUT = {
  type: "text",
  inputmode: "numeric",
  pattern: "[0-9]*",
  autocomplete: "off",
  enterkeyhint: "next",
  maxlength: 2,
} as const;

export function fieldOf(part: Part, type: string): string {
  return `${part}.${type}`;
}

export function isStretch(item: string): boolean {
  return ["wall", "moat", "run"].includes(item);
}

export function isGranada(type: string): boolean {
  return Object.values(components().tiles).some((tile) => tile.kind === "granada" && tile.type === type);
}

/** The types that some pieces of the box have, in scoring order. */
function typesOf(isWanted: (tile: { kind: string; walls: string; is_hut: boolean }) => boolean): string[] {
  const found = new Set(
    Object.values(components().tiles)
      .filter(isWanted)
      .map((tile) => tile.type),
  );
  return components().types.filter((type) => found.has(type));
}

/** All rows for what is played; the bonus cards show tiles without a wall (1.7). */
export function groupsOf(edition: string, modules: readonly string[]): Group[] {
  const rows = (part: Part, types: string[]) => types.map((item) => ({ field: fieldOf(part, item), item }));
  const { kinds } = combinations(edition);
  const [hasAlhambra, hasGranada] = [kinds.includes("alhambra"), kinds.includes("granada")];
  const stretches = [
    ...(hasAlhambra ? ["wall"] : []),
    ...(hasGranada ? ["moat"] : []),
    ...(hasAlhambra && hasGranada ? ["run"] : []),
  ];
  const groups: Group[] = [{ name: "stretches", rows: stretches.map((item) => ({ field: item, item })) }];
  if (hasAlhambra) {
    groups.push({
      name: "alhambra",
      rows: rows(
        "counts",
        typesOf(({ kind, is_hut }) => kind === "alhambra" && !is_hut),
      ),
    });
    if (modules.includes("bonus"))
      groups.push({
        name: "bonus",
        rows: rows(
          "bonus",
          typesOf(({ kind, is_hut, walls }) => kind === "alhambra" && !is_hut && walls === ""),
        ),
      });
    if (modules.includes("huts"))
      groups.push({
        name: "huts",
        rows: rows(
          "huts",
          typesOf(({ is_hut }) => is_hut),
        ),
      });
  }
  if (hasGranada)
    groups.push({
      name: "granada",
      rows: rows(
        "counts",
        typesOf(({ kind }) => kind === "granada"),
      ),
    });
  return groups;
}
