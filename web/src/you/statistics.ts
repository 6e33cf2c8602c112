// What the finished games of a reader say: points by source, payments, walls, opponents. Exempt games are left out.

import { components } from "$lib/box";
import { isWon, ownScore, type GameRecord } from "./games";

export interface Source {
  item: string;
  /** Mean points a game, of the reader and of the opponents. */
  own: number;
  others: number;
}

export interface Statistics {
  games: number;
  won: number;
  /** The part of purchases that were paid exactly; null without purchases. */
  exact: number | null;
  /** The longest stretch, and whether it is a wall, a moat or a run. */
  longest: { item: string; length: number } | null;
  best: number | null;
  sources: Source[];
}

const STRETCHES = ["wall", "moat", "run"];

/** Games that count: all of them, or those of one edition, with one opponent. */
export function counted(games: readonly GameRecord[], edition = "", opponent = ""): GameRecord[] {
  return games.filter(
    (game) =>
      game.exempt === null &&
      (edition === "" || game.edition === edition) &&
      (opponent === "" || opponentsIn(game).some((seat) => keyOf(seat) === opponent)),
  );
}

export function statisticsOf(games: readonly GameRecord[]): Statistics {
  const purchases = sum(games.map((game) => game.purchases));
  const stretch = STRETCHES.find((item) => games.some(({ longest }) => item in longest));
  const items = [...STRETCHES, ...components().types].filter((item) =>
    games.some(({ points, others }) => item in points || item in others),
  );
  return {
    games: games.length,
    won: games.filter(isWon).length,
    exact: purchases > 0 ? sum(games.map((game) => game.exact)) / purchases : null,
    longest:
      stretch === undefined
        ? null
        : { item: stretch, length: Math.max(...games.map(({ longest }) => longest[stretch] ?? 0)) },
    best: games.length > 0 ? Math.max(...games.map(ownScore)) : null,
    sources: items.map((item) => ({
      item,
      own: mean(games.map(({ points }) => points[item] ?? 0)),
      others: mean(games.map(({ others }) => others[item] ?? 0)),
    })),
  };
}

export interface Opponent {
  /** What tells opponents apart: `bot LEVEL` or `person NAME`. */
  key: string;
  /** The level of a bot; null for a person. */
  level: string | null;
  name: string;
  games: number;
  /** Games in which the reader was ahead of them. */
  ahead: number;
  /** By how many points, in the mean; negative if they were ahead. */
  margin: number;
}

/** All opponents, the most frequent first. */
export function opponentsOf(games: readonly GameRecord[]): Opponent[] {
  const found = new Map<string, { seat: Seat; ahead: number; margins: number[] }>();
  for (const game of counted(games)) {
    const own = game.seats[game.seat - 1]!;
    const met = new Map<string, Seat[]>();
    for (const seat of opponentsIn(game)) met.set(keyOf(seat), [...(met.get(keyOf(seat)) ?? []), seat]);
    for (const [key, seats] of met) {
      const before = found.get(key) ?? { seat: seats[0]!, ahead: 0, margins: [] };
      const isAhead = seats.every(({ rank }) => own.rank < rank);
      before.margins.push(own.score - Math.max(...seats.map(({ score }) => score)));
      found.set(key, { ...before, ahead: before.ahead + Number(isAhead) });
    }
  }
  return [...found]
    .map(([key, { seat, ahead, margins }]) => ({
      key,
      level: seat.level,
      name: seat.name,
      games: margins.length,
      ahead,
      margin: mean(margins),
    }))
    .sort((one, other) => other.games - one.games || one.key.localeCompare(other.key));
}

type Seat = GameRecord["seats"][number];

export function opponentsIn(game: GameRecord): Seat[] {
  return game.seats.filter((_, i) => i !== game.seat - 1);
}

export function keyOf({ level, name }: Seat): string {
  return level === null ? `person ${name}` : `bot ${level}`;
}

function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0);
}

function mean(all: readonly number[]): number {
  return all.length > 0 ? sum(all) / all.length : 0;
}
