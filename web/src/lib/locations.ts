// Where a tile stands in a city, in words: beside which tile. People never read coordinates.

import { facts, isStart } from "./box";
import { neighbour } from "./city";
import { readAction, readCell, type Side } from "./notation";
import { elide, list, named, number, t } from "./i18n.svelte";

/** Tiles by their cells. */
export type City = Readonly<Record<string, string>>;

/** Where a cell lies, seen from its neighbour on a side; what stands at the left or right is named first. */
const SEEN_FROM: Record<Side, string> = { W: "right", E: "left", S: "above", N: "below" };
const ORDER: Side[] = ["W", "E", "S", "N"];

/** "Garden 8", "Garden hut", "the starting tile". */
export function tileWords(tile: string): string {
  if (isStart(tile)) return t("city.start");
  const { type, price, is_hut } = facts(tile);
  return is_hut ? t("piece.hut", { type: named("type", type) }) : `${named("type", type)} ${number(price)}`;
}

/** "right of Garden 8"; beside two tiles where the city has another Garden 8; empty for a cell without neighbours. */
export function placeWords(city: City, cell: string): string {
  const beside = ORDER.filter((side) => city[neighbour(cell, side)] !== undefined);
  const clear = beside.filter((side) => isOnly(city, neighbour(cell, side)));
  const sides = clear.length > 0 ? clear.slice(0, 1) : beside.slice(0, 2);
  return list(sides.map((side) => besideWords(city[neighbour(cell, side)]!, SEEN_FROM[side])));
}

/** "Garden 8", or "Garden 8 (right of Tower 9)" if the city has another one. */
export function builtWords(city: City, cell: string): string {
  const tile = city[cell];
  if (tile === undefined) return t("piece.tile");
  return isOnly(city, cell) ? tileWords(tile) : `${tileWords(tile)} (${placeWords(city, cell)})`;
}

/** "2 right, 1 up": where a cell lies from the starting tile, for those who walk through a city by ear. */
export function cellWords(cell: string): string {
  const { x, y } = readCell(cell);
  const across = x === 0 ? "" : named("steps", x > 0 ? "right" : "left", { n: Math.abs(x) });
  const along = y === 0 ? "" : named("steps", y > 0 ? "down" : "up", { n: Math.abs(y) });
  return [across, along].filter(Boolean).join(", ");
}

function isOnly(city: City, cell: string): boolean {
  const name = tileWords(city[cell]!);
  return !Object.entries(city).some(([other, tile]) => other !== cell && tileWords(tile) === name);
}

function besideWords(tile: string, side: string): string {
  if (isStart(tile)) return named("beside_start", side);
  return elide(named("beside", side, { tile: tileWords(tile) }));
}

/** Cities as the lines of a record build them. */
export class Cities {
  readonly #cities: Record<string, string>[];

  constructor(cities: readonly City[] = []) {
    this.#cities = cities.map((city) => ({ ...city }));
  }

  /** The city of a seat after the lines so far. */
  readonly of = (seat: number): City => (this.#cities[seat - 1] ??= { "0,0": "start-alhambra" });

  /** What is said of a line, with the cities before it. */
  describe<Words>(line: string, say: (line: string) => Words): Words {
    const words = say(line);
    this.note(line);
    return words;
  }

  /** Take notice of a line; those that build nothing change nothing. */
  note(line: string): void {
    if (!/^\d (place|add|swap|remove) /.test(line)) return;
    const { cell, tile, face, verb } = readAction(line.slice(2));
    const city = this.of(Number(line[0])) as Record<string, string>;
    if (verb === "remove") delete city[cell!];
    else city[cell!] = face ?? tile!;
  }
}

/** The cities before the action after which the game has n. */
export function citiesBefore(log: readonly { n: number; line: string }[], n: number): Cities {
  const cities = new Cities();
  for (const one of log) if (one.n < n) cities.note(one.line);
  return cities;
}
