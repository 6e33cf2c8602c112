// Finished games as this browser keeps them: a list from old to new, and what follows from it. Nothing here is stored.

import type { Message } from "$lib/api";
import { ratingOf } from "$lib/box";
import { isObject } from "$lib/objects";
import { BOT_DEVIATION, UNKNOWN, aged, isRating, rated, type Rating, type Result, type Strength } from "./rating";

export interface SeatRecord {
  kind: "person" | "bot";
  /** The bot on the seat; null for a person. */
  level: string | null;
  /** The rating of the bot at that time; null for people, and for bots that nobody has measured. */
  rating: number | null;
  name: string;
  score: number;
  /** 1 for the winners. */
  rank: number;
}

/** Why a game is only listed: it changes neither the rating nor the statistics, and cannot be the best one. */
export const EXEMPT = ["hot_seat", "continued", "same_deal", "practice", "taken_over"] as const;
export type Exempt = (typeof EXEMPT)[number];

export interface GameRecord {
  /** The table. */
  id: string;
  /** The end of the game, in milliseconds since 1970. */
  ended: number;
  edition: string;
  modules: string[];
  /** The own seat, from 1; the best one of several. */
  seat: number;
  seats: SeatRecord[];
  /** The own points by source, and the mean of the opponents. */
  points: Record<string, number>;
  others: Record<string, number>;
  exact: number;
  purchases: number;
  /** The lengths of the reader's wall, moat and run. */
  longest: Record<string, number>;
  /** The own city, for its picture; null in older games, to save space. */
  city: Record<string, string> | null;
  /** The date of the daily deal that it was; null for other games. */
  daily: string | null;
  exempt: Exempt | null;
  /** The own rating before and after; null for exempt games. */
  rating: { before: Rating; after: Rating } | null;
}

/** What the server says about a finished game (GET /api/tables/{id}/facts), as far as it is used here. */
export interface Facts {
  /** The time of the end; null if the game was not played at this table. */
  ended_at: number | null;
  seats: {
    seat: number;
    rank: number;
    points: Record<string, number>;
    exact: number;
    purchases: number;
    longest: Record<string, number>;
  }[];
}

/** What only the screen knows about a game that was a daily deal. */
export interface Daily {
  date: string;
  isPractice: boolean;
}

/** The most games that are kept: the oldest ones make room, and their rating stays. */
export const MOST_GAMES = 1500;
/** The number of games, the newest, whose cities are kept. */
const MOST_CITIES = 60;
const DAY = 24 * 3600 * 1000;

/** The record of a finished game; null if this browser held no seat. */
export function recordOf(
  message: Message,
  facts: Facts,
  now: number,
  daily: Daily | null = dailyOf(message),
): GameRecord | null {
  const { table, view } = message;
  const own = table.seats.filter(({ is_yours }) => is_yours).map(({ seat }) => seat);
  if (view === null || table.phase !== "over" || own.length === 0) return null;
  const factsOf = (seat: number) => facts.seats.find((one) => one.seat === seat);
  const rankOf = (seat: number) => factsOf(seat)?.rank ?? table.seats.length;
  const seat = own.reduce((best, one) => (rankOf(one) < rankOf(best) ? one : best));
  const mine = factsOf(seat);
  if (mine === undefined) return null;
  const opponents = facts.seats.filter((one) => one.seat !== seat && one.seat > 0);
  return {
    id: table.id,
    ended: facts.ended_at ?? now,
    edition: table.options.edition ?? "alhambra",
    modules: [...(table.options.modules ?? [])].sort(),
    seat,
    seats: table.seats.map((one) => ({
      kind: one.kind === "bot" ? "bot" : "person",
      level: one.kind === "bot" ? one.level : null,
      rating: one.kind === "bot" && one.level !== null ? ratingOf(one.level) : null,
      name: one.name,
      score: view.players[one.seat - 1]!.score,
      rank: rankOf(one.seat),
    })),
    points: { ...mine.points },
    others: meanOf(opponents.map(({ points }) => points)),
    exact: mine.exact,
    purchases: mine.purchases,
    longest: { ...mine.longest },
    city: { ...view.players[seat - 1]!.city },
    daily: daily?.date ?? null,
    exempt: exemptionOf(message, own, daily),
    rating: null,
  };
}

function dailyOf({ table }: Message): Daily | null {
  return table.daily ? { date: table.daily.date, isPractice: !table.daily.counts } : null;
}

function exemptionOf({ table }: Message, own: readonly number[], daily: Daily | null): Exempt | null {
  if (own.length > 1) return "hot_seat";
  if (table.opening > 0) return "continued";
  if (daily?.isPractice) return "practice";
  if (table.is_same_deal && daily === null) return "same_deal";
  return table.seats[own[0]! - 1]!.is_played_by_bot ? "taken_over" : null;
}

/** The mean of several sets of points, to a tenth. */
export function meanOf(all: readonly Record<string, number>[]): Record<string, number> {
  const items = new Set(all.flatMap((points) => Object.keys(points)));
  const mean = (item: string) => all.reduce((sum, points) => sum + (points[item] ?? 0), 0) / all.length;
  return Object.fromEntries([...items].map((item) => [item, Math.round(mean(item) * 10) / 10]));
}

// Ratings

/** The games with their ratings, which follow from their order; `base` is the rating before the first one. */
export function ratedGames(games: readonly GameRecord[], base: Rating): { games: GameRecord[]; rating: Rating } {
  let rating = base;
  let last: number | null = null;
  const people = new Map<string, Rating>();
  const found = games.map((game) => {
    if (game.exempt !== null) return game.rating === null ? game : { ...game, rating: null };
    const before: Rating = last === null ? rating : aged(rating, (game.ended - last) / DAY);
    const own = game.seats[game.seat - 1]!;
    const opponents = game.seats.filter((_, i) => i !== game.seat - 1);
    const results = opponents.map((seat): Result => ({
      opponent: strengthOf(seat, people),
      score: scoreOf(own, seat),
    }));
    const after = rated(before, results);
    for (const seat of opponents)
      if (seat.kind === "person")
        people.set(seat.name, rated(strengthOfPerson(seat, people), [{ opponent: before, score: scoreOf(seat, own) }]));
    rating = after;
    last = game.ended;
    return { ...game, rating: { before, after } };
  });
  return { games: found, rating };
}

/** Bots have measured ratings; people the one that follows from their games here. */
function strengthOf(seat: SeatRecord, people: ReadonlyMap<string, Rating>): Strength {
  if (seat.kind === "person") return strengthOfPerson(seat, people);
  return seat.rating === null ? UNKNOWN : { value: seat.rating, deviation: BOT_DEVIATION };
}

function strengthOfPerson({ name }: SeatRecord, people: ReadonlyMap<string, Rating>): Rating {
  return people.get(name) ?? UNKNOWN;
}

/** Whether the first one was ahead of the second one. */
export function scoreOf(one: SeatRecord, other: SeatRecord): 0 | 0.5 | 1 {
  return one.rank < other.rank ? 1 : one.rank === other.rank ? 0.5 : 0;
}

// Best games

export interface Best {
  /** 1: the personal best; 2: the second best ever. */
  place: 1 | 2;
  score: number;
  /** The points of the best game before this one. */
  before: number;
  edition: string;
}

/** Whether a game is the best or second best of its edition so far; null if it is not, or there is nothing to compare it with. */
export function bestOf(games: readonly GameRecord[], id: string): Best | null {
  const index = games.findIndex((game) => game.id === id);
  const game = games[index];
  if (game?.exempt !== null) return null;
  const earlier = games
    .slice(0, index)
    .filter(({ exempt, edition }) => exempt === null && edition === game.edition)
    .map(ownScore)
    .sort((one, other) => other - one);
  const score = ownScore(game);
  const better = earlier.filter((other) => other >= score).length;
  if (earlier.length === 0 || better > 1 || earlier.length === better) return null;
  return { place: better === 0 ? 1 : 2, score, before: earlier[0]!, edition: game.edition };
}

export function ownScore(game: GameRecord): number {
  return game.seats[game.seat - 1]!.score;
}

export function isWon(game: GameRecord): boolean {
  return game.seats[game.seat - 1]!.rank === 1;
}

// The list

/** A list with one more game, from old to new; a game that is there already stays as it is. */
export function withGame(games: readonly GameRecord[], game: GameRecord): GameRecord[] {
  return merged(games, [game]);
}

/** All games of both lists, from old to new; of a game in both, that of the first list. */
export function merged(games: readonly GameRecord[], more: readonly GameRecord[]): GameRecord[] {
  const known = new Set(games.map(({ id }) => id));
  return [...games, ...more.filter(({ id }) => !known.has(id))].sort(
    (one, other) => one.ended - other.ended || (one.id < other.id ? -1 : 1),
  );
}

/** The newest games, of the newest with their cities; and the rating before the first one that is kept. */
export function shortened(games: readonly GameRecord[], base: Rating): { games: GameRecord[]; base: Rating } {
  const dropped = games.slice(0, Math.max(0, games.length - MOST_GAMES));
  const kept = games.slice(dropped.length);
  const firstWithCity = kept.length - MOST_CITIES;
  return {
    games: kept.map((game, i) => (i < firstWithCity && game.city !== null ? { ...game, city: null } : game)),
    base: dropped.reduce((before, { rating }) => rating?.after ?? before, base),
  };
}

// Checks of what a store or a file contains

export function isGameRecord(value: unknown): value is GameRecord {
  if (!isObject(value)) return false;
  const { id, ended, edition, modules, seat, seats, city, daily, exempt, rating } = value;
  return (
    typeof id === "string" &&
    isCount(ended) &&
    typeof edition === "string" &&
    Array.isArray(modules) &&
    modules.every((one) => typeof one === "string") &&
    Array.isArray(seats) &&
    seats.every(isSeatRecord) &&
    isCount(seat) &&
    seat >= 1 &&
    seat <= seats.length &&
    [value["points"], value["others"], value["longest"]].every(isNumbers) &&
    isCount(value["exact"]) &&
    isCount(value["purchases"]) &&
    (city === null || (isObject(city) && Object.values(city).every((tile) => typeof tile === "string"))) &&
    (daily === null || typeof daily === "string") &&
    (exempt === null || EXEMPT.some((one) => one === exempt)) &&
    (rating === null || (isObject(rating) && isRating(rating["before"]) && isRating(rating["after"])))
  );
}

function isSeatRecord(value: unknown): boolean {
  return (
    isObject(value) &&
    (value["kind"] === "person" || value["kind"] === "bot") &&
    (value["level"] === null || typeof value["level"] === "string") &&
    (value["rating"] === null || typeof value["rating"] === "number") &&
    typeof value["name"] === "string" &&
    typeof value["score"] === "number" &&
    isCount(value["rank"])
  );
}

function isNumbers(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((one) => typeof one === "number" && Number.isFinite(one));
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
