// What moves between two messages: from the lines of the record that came, or from the difference of the two views.

import type { Message, Own, View } from "$lib/api";
import { facts } from "$lib/box";
import { readAction, total, without, type Action } from "$lib/notation";
import { pieceName } from "./names";

/** Where pieces are on the table: the values of `data-place`. Seat 0 is Dirk; `mini-2` is the small city of seat 2. */
export type Place =
  | "hand"
  | "display"
  | "yard"
  | "huts"
  | "tray"
  | "reserve"
  | "city"
  | "bag"
  | "deck"
  | `space-${string}`
  | `seat-${number}`
  | `mini-${number}`;

export type Kind = "take" | "pay" | "buy" | "place" | "reserve" | "give" | "refill" | "undo";

/** A piece that goes from one place to another. */
export interface Travel {
  kind: Kind;
  piece: string;
  from: Place;
  to: Place;
  /** Whether the tile is turned over on its way (4.2). */
  isTurned: boolean;
}

/** A stretch of the city that is shown large, which became longer. */
export interface Growth {
  item: string;
  before: number;
  after: number;
  edges: readonly string[];
}

export interface Changes {
  travels: Travel[];
  /** 3.4: the price that was paid exactly. */
  exact: { place: Place; isOwn: boolean } | null;
  growths: Growth[];
  /** Who decides now, and who did before. */
  turn: { from: number; to: number } | null;
}

/** A message as one browser shows it: with the cards of one seat, if any. */
export interface Moment {
  message: Message;
  seat: number | null;
}

/** What moves between two moments; null if they do not follow each other, or if more than one turn lies between them. */
export function changesBetween(before: Moment, after: Moment): Changes | null {
  const [was, now] = [before.message, after.message];
  if (was.view === null || now.view === null || before.seat !== after.seat) return null;
  if (was.table.id !== now.table.id || now.version > was.version + 1) return null;
  if (now.view.turns > was.view.turns + 1) return null;
  const { seat } = after;
  const from: Side = { view: was.view, own: ownOf(was, seat), seat };
  const to: Side = { view: now.view, own: ownOf(now, seat), seat };
  const found: Changes = { travels: [], exact: null, growths: [], turn: null };
  if (now.n > was.n) {
    if (now.events.length === 0) return null;
    for (const line of now.events) readLine(found, line, from);
    found.growths = growthsOf(from, to);
  } else found.travels = now.n < was.n ? difference(from, to) : heldTravels(from.own, to.own);
  if (was.view.deciding !== null && now.view.deciding !== null && was.view.deciding !== now.view.deciding)
    found.turn = { from: was.view.deciding, to: now.view.deciding };
  return found;
}

interface Side {
  view: View;
  own: Own | null;
  seat: number | null;
}

function ownOf({ own }: Message, seat: number | null): Own | null {
  return own !== null && own.seat === seat ? own : null;
}

function travel(kind: Kind, tile: string, from: Place, to: Place, isTurned = false): Travel {
  return { kind, piece: pieceName(tile), from, to, isTurned };
}

function readLine(found: Changes, line: string, side: Side): void {
  const [mark = "", word = "", ...rest] = line.split(" ");
  if (mark === "!") found.travels.push(...refill(word, rest));
  else if (mark === "=" && word === "award") found.travels.push(...award(rest, side));
  else if (/^\d$/.test(mark)) readDeed(found, Number(mark), readAction(line.slice(2)), side);
}

/** `! yard 1 school-10`, `! display b7 A g2` */
function refill(word: string, rest: string[]): Travel[] {
  if (word === "yard") return rest.slice(1).map((tile) => travel("refill", tile, "bag", "yard"));
  if (word !== "display") return [];
  return rest.filter((card) => card.length > 1).map((card) => travel("refill", card, "deck", "display"));
}

/** `= award 3 garden-8-NW 2`: the left-over tile of a space. */
function award([, tile = "", owner = ""]: string[], { seat }: Side): Travel[] {
  if (owner === "-") return [];
  return [travel("buy", tile, "yard", Number(owner) === seat ? "tray" : `seat-${Number(owner)}`)];
}

function readDeed(found: Changes, seat: number, action: Action, { view, seat: reader }: Side): void {
  const { verb, tile, cell, face, cards } = action;
  const isOwn = seat === reader;
  const plate: Place = `seat-${seat}`;
  const tray = isOwn ? "tray" : plate;
  const reserve = isOwn ? "reserve" : plate;
  const city = isOwn ? "city" : (`mini-${seat}` as const);
  const built = cell === null ? undefined : view.players[seat - 1]?.city[cell];
  const go = (kind: Kind, tile: string, from: Place, to: Place) => {
    if (from !== to) found.travels.push(travel(kind, tile, from, to, face !== null));
  };
  switch (verb) {
    case "take":
      for (const card of cards) go("take", card, "display", isOwn ? "hand" : plate);
      break;
    case "buy":
    case "vizier": {
      const price = priceOf(view, tile!);
      if (isOwn) for (const card of cards) go("pay", card, "hand", price);
      go("buy", tile!, "yard", tray);
      if (verb === "buy" && total(cards) === facts(tile!).price) found.exact = { place: price, isOwn };
      break;
    }
    case "hut": {
      const hut = view.huts.find((one) => one !== null && facts(one).type === tile);
      if (hut) go("buy", hut, "huts", tray);
      break;
    }
    case "place":
      go("place", tile!, tray, city);
      break;
    case "reserve":
      go("reserve", tile!, tray, reserve);
      break;
    case "give":
      go("give", tile!, tray, "seat-0");
      break;
    case "swap":
    case "remove":
      if (built !== undefined) go("reserve", built, city, reserve);
      if (verb === "swap") go("place", tile!, reserve, city);
      break;
    case "add":
      go("place", tile!, reserve, city);
      break;
  }
}

/** The price of a tile in the yard: its space, and its half of that in the combined game. */
function priceOf({ yard }: View, tile: string): Place {
  const piece = pieceName(tile);
  const half = (tiles: (string | null)[]) => tiles.findIndex((one) => one !== null && pieceName(one) === piece);
  const space = yard.findIndex((tiles) => half(tiles) >= 0);
  return `space-${space}-${half(yard[space] ?? [])}`;
}

function growthsOf(from: Side, to: Side): Growth[] {
  // Spectators look at the city of the player who decides.
  const shown = to.seat ?? to.view.deciding ?? 1;
  const [was, now] = [from, to].map(({ view }) => view.players[shown - 1]);
  return Object.entries(now?.lengths ?? {})
    .map(([item, after]) => ({ item, before: was?.lengths[item] ?? 0, after, edges: now?.traces[item] ?? [] }))
    .filter(({ before, after }) => after > before);
}

/** What waits for its confirmation is shown where it will be, until it is undone. */
function heldTravels(from: Own | null, to: Own | null): Travel[] {
  const [was, now] = [shownAhead(from), shownAhead(to)];
  if (was?.tile === now?.tile) return [];
  if (now !== null) return [travel("place", now.tile, now.from, "city", now.isTurned)];
  return was === null ? [] : [travel("undo", was.tile, "city", was.from, was.isTurned)];
}

function shownAhead(own: Own | null): { tile: string; from: "tray" | "reserve"; isTurned: boolean } | null {
  if (!own?.held) return null;
  const { verb, tile, face } = readAction(own.held);
  if (tile === null || !["place", "add", "swap"].includes(verb)) return null;
  return { tile, from: verb === "place" ? "tray" : "reserve", isTurned: face !== null };
}

/** 4.1: the reader's pieces that lie elsewhere, after an undo. */
function difference(from: Side, to: Side): Travel[] {
  const [was, now] = [placesOf(from), placesOf(to)];
  const found: Travel[] = [];
  for (const [piece, place] of now) {
    const before = was.get(piece);
    if (before !== undefined && before !== place)
      found.push({ kind: "undo", piece, from: before, to: place, isTurned: false });
  }
  const returned = found.find(({ to: place }) => place === "yard");
  const cards = rest(to.own?.hand ?? [], from.own?.hand ?? []);
  if (returned !== undefined)
    found.push(...cards.map((card) => travel("undo", card, priceOf(to.view, returned.piece), "hand")));
  for (const card of rest(from.own?.hand ?? [], to.own?.hand ?? []))
    if (to.view.display.includes(card)) found.push(travel("undo", card, "hand", "display"));
  return found;
}

/** What is left of some cards without others, which need not all be among them. */
function rest(cards: readonly string[], others: readonly string[]): string[] {
  return others.reduce((left, card) => without(left, [card]) ?? left, [...cards]);
}

function placesOf({ view, seat }: Side): Map<string, Place> {
  const own = seat === null ? undefined : view.players[seat - 1];
  const places = new Map<string, Place>();
  const put = (tiles: readonly (string | null)[], place: Place) => {
    for (const tile of tiles) if (tile !== null && facts(tile).type !== "start") places.set(pieceName(tile), place);
  };
  put(view.yard.flat(), "yard");
  put(view.huts, "huts");
  put(own?.to_place ?? [], "tray");
  put(own?.reserve ?? [], "reserve");
  put(Object.values(own?.city ?? {}), "city");
  return places;
}
