// One scoring in its steps: what is scored, what each has of it, and what that brings.

import { get, type Message, type View } from "$lib/api";
import { facts } from "$lib/box";
import { entrantsOf, isStretch, itemsOf, kindOf, pointsOf, SCORINGS, type Entrant, type Scoring } from "./points";

/** What somebody has of a type when it is scored: null where it is not known. */
interface Holding {
  count: number;
  highest: number;
  /** What is shown of it: buildings and huts of the city, and revealed bonus cards. */
  tiles: string[];
  cards: string[];
}

/** What a step brings somebody. */
export interface Share extends Entrant {
  place: number;
  points: number;
  before: number;
  holding: Holding | null;
  length: number | null;
}

export interface Step {
  item: string;
  shares: Share[];
  /** How many tiles of the type lie in all cities. */
  inAll: number | null;
}

/** Whether the message is the one in which the scoring took place, so that its cities are those that were scored. */
export function isOf(message: Message, scoring: Scoring): boolean {
  if (message.events.some((line) => line.startsWith(`= score ${scoring} `))) return true;
  return scoring === "C" && message.table.phase === "over" && message.view?.deciding === null;
}

/** The message in which a scoring took place: after a reload, or later in the game, the server sends it again. */
export async function messageOf(message: Message, scoring: Scoring): Promise<Message> {
  if (isOf(message, scoring)) return message;
  return get<Message>(`/tables/${message.table.id}/scorings/${scoring}`);
}

export function stepsOf(message: Message, scoring: Scoring): Step[] {
  const { view } = message;
  if (view === null) return [];
  const isExact = isOf(message, scoring);
  const entrants = entrantsOf(message);
  const totals = new Map(entrants.map(({ seat }) => [seat, pointsBefore(view, seat, scoring)]));
  return itemsOf(message).map((item) => {
    const held =
      isExact && !isStretch(item) ? entrants.map(({ seat }) => holdingOf(message, scoring, seat, item)) : null;
    const holdings = held?.every((holding) => holding !== null) ? held : null;
    const shares = entrants.map((entrant, i): Share => {
      const { seat } = entrant;
      const row = view.rows.find((found) => found.seat === seat && found.scoring === scoring && found.item === item);
      const before = totals.get(seat) ?? 0;
      const points = row?.points ?? 0;
      totals.set(seat, before + points);
      const length = isStretch(item) && isExact && seat > 0 ? (view.players[seat - 1]?.lengths[item] ?? null) : null;
      return {
        ...entrant,
        place: row?.place ?? (holdings ? placeOf(holdings, i, kindOf(item) === "granada") : 0),
        points,
        before,
        holding: holdings?.[i] ?? null,
        length,
      };
    });
    return { item, shares, inAll: holdings ? holdings.reduce((sum, { count }) => sum + count, 0) : null };
  });
}

function pointsBefore(view: View, seat: number, scoring: Scoring): number {
  const earlier = SCORINGS.slice(0, SCORINGS.indexOf(scoring));
  return earlier.reduce((sum, done) => sum + pointsOf(view.rows, seat, done), 0);
}

/** The place of one who gets nothing for it; what scores has its place from the server. */
function placeOf(holdings: readonly Holding[], i: number, isBroken: boolean): number {
  const { count, highest } = holdings[i]!;
  if (count === 0) return 0;
  return (
    1 +
    holdings.filter((other) => other.count > count || (isBroken && other.count === count && other.highest > highest))
      .length
  );
}

function holdingOf(message: Message, scoring: Scoring, seat: number, type: string): Holding | null {
  const view = message.view!;
  if (seat === 0) return countedOf(withoutLaterDraws(message, scoring), type);
  const player = view.players[seat - 1]!;
  const majority = view.aids?.majorities.find((found) => found.type === type);
  const counted = countedOf([...Object.values(player.city)], type);
  counted.cards = player.revealed.filter((card) => facts(card).type === type);
  if (majority) return { ...counted, count: majority.counts[seat - 1] ?? 0, highest: majority.highest[seat - 1] ?? 0 };
  // Without aids we count what lies there; what a hut is worth is not for us to say.
  return counted.tiles.some((tile) => facts(tile).is_hut)
    ? null
    : { ...counted, count: counted.count + counted.cards.length };
}

function countedOf(tiles: readonly string[], type: string): Holding {
  const own = tiles.filter((tile) => facts(tile).type === type);
  const buildings = own.filter((tile) => !facts(tile).is_hut);
  return {
    count: buildings.length,
    highest: Math.max(0, ...buildings.map((tile) => facts(tile).price)),
    tiles: own,
    cards: [],
  };
}

/** 9.5: right after a scoring Dirk draws tiles, which did not count in it. */
function withoutLaterDraws({ events, view }: Message, scoring: Scoring): string[] {
  const tiles = [...(view?.dirk?.tiles ?? [])];
  const scored = events.map((line) => line.startsWith(`= score ${scoring} `)).lastIndexOf(true);
  for (const line of scored < 0 ? [] : events.slice(scored)) {
    if (!line.startsWith("! dirk ")) continue;
    for (const tile of line.split(" ").slice(2)) {
      const i = tiles.lastIndexOf(tile);
      if (i >= 0) tiles.splice(i, 1);
    }
  }
  return tiles;
}
