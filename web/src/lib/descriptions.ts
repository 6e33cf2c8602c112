// Cards, tiles, actions and record lines as words.

import { facts, isStart } from "./box";
import { LETTERS, isExchange, isLetter, letterOf, readAction, valueOf, type Action } from "./notation";
import { Cities, builtWords, placeWords, tileWords, type City } from "./locations";
import { list, named, t, withinSentence } from "./i18n.svelte";

export { tileWords };

/** "Garden 8, walls north and west". */
export function wholeTileWords(tile: string): string {
  const { kind, walls } = facts(tile);
  if (isStart(tile) || !walls) return tileWords(tile);
  const sides = list(Array.from(walls).map((side) => named("side", side)));
  return `${tileWords(tile)}, ${kind === "granada" ? t("piece.moats", { sides, n: walls.length }) : t("piece.walls", { sides, n: walls.length })}`;
}

export function currencyWords(letter: string): string {
  return named("currency", letter);
}

/** "3 florins". */
export function amountWords(letter: string, n: number): string {
  return named("money", letter, { n });
}

export function cardWords(card: string): string {
  if (isExchange(card)) return t("piece.exchange", { one: currencyWords(card[0]!), other: currencyWords(card[1]!) });
  if (!isLetter(card[0])) return t("piece.score", { card });
  return amountWords(letterOf(card), valueOf(card));
}

export function cardsWords(cards: readonly string[]): string {
  return cards.map(cardWords).join(" + ");
}

/** What scores: a stretch or a type. */
export function itemWords(item: string): string {
  return ["wall", "moat", "run"].includes(item) ? named("item", item) : named("type", item);
}

function actionValues({ verb, tile, cell, face, cards }: Action, city: City) {
  const isPaid = face !== null && cards.length > 0;
  const turned = face === null ? "" : ` → ${tileWords(face)}${isPaid ? ` (${cardsWords(cards)})` : ""}`;
  const name =
    tile === null ? "" : verb === "hut" ? t("piece.hut", { type: named("type", tile) }) : tileWords(tile) + turned;
  const where = cell === null ? "" : placeWords(city, cell);
  return { tile: name, where, old: cell === null ? "" : builtWords(city, cell), cards: cardsWords(cards) };
}

/** "Take 3 florins", "Place Tower 9 right of Garden 8"; the city is that of the seat, before the action. */
export function actionWords(action: Action | string, city: City): string {
  const read = typeof action === "string" ? readAction(action) : action;
  return named("do", read.verb, actionValues(read, city));
}

/** A whole turn, action by action; each is said with the city that those before it have built. */
export function turnWords({ action, then }: { action: string; then?: readonly string[] }, city: City): string[] {
  const cities = new Cities([city]);
  return [action, ...(then ?? [])].map((one) => cities.describe(`1 ${one}`, () => actionWords(one, cities.of(1))));
}

/** "Ana takes 3 florins." */
export function deedWords(name: string, action: Action, city: City): string {
  return named("did", action.verb, { ...actionValues(action, city), name });
}

/** The sentence for a line of a record; names are those of the seats, cities those before the line. */
export function lineWords(line: string, names: readonly string[], cityOf: (seat: number) => City): string {
  const [mark = "", ...words] = line.split(" ");
  const name = (seat = "") => (seat === "dirk" ? t("piece.dirk") : (names[Number(seat) - 1] ?? seat));
  if (mark === "!") return chanceWords(words, name);
  if (mark === "=") return resultWords(words, name);
  return /^\d$/.test(mark) ? deedWords(name(mark), readAction(words.join(" ")), cityOf(Number(mark))) : "";
}

type Name = (seat?: string) => string;

function chanceWords([what, ...words]: string[], name: Name): string {
  const [first = ""] = words;
  switch (what) {
    case "yard":
      return t("event.yard", {
        tile: tileWords(words[1] ?? ""),
        currency: withinSentence(currencyWords(LETTERS[Number(first) - 1] ?? "y")),
      });
    case "display":
      return t("event.display", { cards: words.map(cardWords).join(", ") });
    case "deal":
      return t("event.deal", { name: name(first), cards: cardsWords(words.slice(1)) });
    case "start":
      return t("event.start", { name: name(first) });
    case "reshuffle":
      return t("event.reshuffle");
    case "dirk":
      return t("event.dirk", { tiles: words.map(tileWords).join(", ") });
    case "bonus":
      return t("event.bonus", { name: name(first), n: words.length - 1 });
    case "hut":
      return t("event.hut", { tile: tileWords(first) });
    default:
      return "";
  }
}

function resultWords([what, ...words]: string[], name: Name): string {
  if (what === "score") {
    const items = words.slice(2).map((item) => item.split("="));
    const total = items.pop()?.[1] ?? "0";
    const parts = items.map(([item = "", points = ""]) => `${itemWords(item)} ${points}`).join(", ");
    return t("event.score", {
      scoring: words[0] ?? "",
      name: name(words[1]),
      points: parts ? `${total} (${parts})` : total,
    });
  }
  if (what === "award") {
    const tile = tileWords(words[1] ?? "");
    return words[2] === "-" ? t("event.stays", { tile }) : t("event.award", { tile, name: name(words[2]) });
  }
  return what === "end" ? t("turn.over") : "";
}
