// Turns as they were played: what one player did in one turn, for the sentence and the pieces that tell it.

import type { LogLine } from "$lib/api";
import { facts } from "$lib/box";
import { cardWords } from "$lib/descriptions";
import { list, named, t } from "$lib/i18n.svelte";
import { builtWords, citiesBefore, tileWords } from "$lib/locations";
import { LETTERS, letterOf, readAction, total, valueOf, type Action } from "$lib/notation";

/** What one player did in one turn, in its order. */
export interface PlayedTurn {
  seat: number;
  turn: number;
  deeds: { n: number; action: Action }[];
}

/** Actions that show nothing on the table. */
const SILENT = ["keep", "decline"];

/** The turns in some lines of the log. A turn of which nothing can be seen is left out. */
export function playedTurns(lines: readonly LogLine[]): PlayedTurn[] {
  const found: PlayedTurn[] = [];
  for (const { n, turn, line } of lines) {
    if (!/^\d /.test(line)) continue;
    const [seat, action] = [Number(line[0]), readAction(line.slice(2))];
    if (SILENT.includes(action.verb)) continue;
    const last = found.at(-1);
    if (last?.seat === seat && last.turn === turn) last.deeds.push({ n, action });
    else found.push({ seat, turn, deeds: [{ n, action }] });
  }
  return found;
}

const isPurchase = ({ verb }: Action) => verb === "buy" || verb === "vizier";
const excess = ({ tile, cards }: Action) => total(cards) - facts(tile!).price;
const isExact = (action: Action) => action.verb === "buy" && excess(action) === 0;

/** "Mason pays exactly for Tower 9 and Garden 8 and takes 5 florins." The log tells what stood where. */
export function turnSentence({ seat, deeds }: PlayedTurn, name: string, log: readonly LogLine[]): string {
  const exact = deeds.filter(({ action }) => isExact(action)).map(({ action }) => tileWords(action.tile!));
  // That a tile is built goes without saying if something else can be said.
  const said = deeds.filter(({ action }) => !isExact(action) && (action.verb !== "place" || action.face !== null));
  const clauses = said.map(({ n, action }) => clauseOf(seat, n, action, log));
  if (exact.length > 0) clauses.unshift(t("deed.exact", { tiles: list(exact) }));
  if (clauses.length === 0) clauses.push(...deeds.map(({ n, action }) => clauseOf(seat, n, action, log)));
  return t("banner.turn", { name, deeds: list(clauses) });
}

function clauseOf(seat: number, n: number, action: Action, log: readonly LogLine[]): string {
  const { verb, tile, cell, face, cards } = action;
  const isReplacing = cell !== null && (verb === "swap" || verb === "remove");
  return named("deed", verb === "buy" ? "over" : verb, {
    n: verb === "buy" ? excess(action) : 0,
    cards: list(cards.map(cardWords)),
    old: isReplacing ? builtWords(citiesBefore(log, n).of(seat), cell) : "",
    tile: tile === null ? "" : verb === "hut" ? t("piece.hut", { type: named("type", tile) }) : tileWords(face ?? tile),
  });
}

/** What to show of a turn beside its sentence: what was paid and what was got, in their order. */
export interface Exchange {
  cards: readonly string[];
  tile: string | null;
}

export function exchangesOf({ deeds }: PlayedTurn): Exchange[] {
  const faces = new Map(deeds.map(({ action: { tile, face } }) => [tile, face]));
  const found = deeds.flatMap(({ action }): Exchange[] => {
    if (isPurchase(action)) return [{ cards: action.cards, tile: faces.get(action.tile) ?? action.tile }];
    return action.verb === "take" ? [{ cards: action.cards, tile: null }] : [];
  });
  if (found.length > 0) return found;
  const { tile = null, verb = "pass", face = null } = deeds.at(-1)?.action ?? {};
  return tile === null || verb === "hut" || verb === "reveal" ? [] : [{ cards: [], tile: face ?? tile }];
}

/** The spaces of the yard from which something was bought: its money says which, except for the vizier (11.2). */
export function spacesOf({ deeds }: PlayedTurn): number[] {
  return deeds.flatMap(({ action: { verb, cards } }) => {
    const money = cards.find((card) => valueOf(card) > 0);
    return verb === "buy" && money !== undefined ? [LETTERS.indexOf(letterOf(money))] : [];
  });
}

/** The types of the tiles that a turn brought into a city or took out of it. */
export function typesOf({ deeds }: PlayedTurn): string[] {
  return deeds.flatMap(({ action: { verb, tile, face } }) => {
    if (tile === null || verb === "reveal") return [];
    return [verb === "hut" ? tile : facts(face ?? tile).type];
  });
}
