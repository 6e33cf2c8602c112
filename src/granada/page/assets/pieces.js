// Tiles, cards and actions: as words, and as small pictures in which colour never stands alone.

import { get } from "./api.js";
import { el, icon } from "./elements.js";
import { t } from "./words.js";

export const CURRENCIES = { y: "gulden", g: "dirham", b: "denar", o: "dukat" };
const STARTS = "start-";
let box = { tiles: {}, levels: [] };

/** What is in the box; asked for once. */
export async function loadBox() {
  box = await get("/components");
}

export function levels() {
  return box.levels.map((level) => level.id);
}

export function facts(tile) {
  return box.tiles[tile] ?? { kind: "alhambra", type: tile, price: 0, walls: "", is_hut: false, back: null };
}

export function isStart(tile) {
  return tile.startsWith(STARTS);
}

/** "Garden 8", and for listeners "walls N W". */
export function tileWords(tile, isWhole = false) {
  if (isStart(tile)) return t("city.start");
  const { kind, type, price, walls, is_hut } = facts(tile);
  const name = is_hut ? t("piece.hut", { type: t(`type.${type}`) }) : `${t(`type.${type}`)} ${price}`;
  if (!isWhole || !walls) return name;
  const sides = [...walls].map((side) => t(`side.${side}`)).join(" ");
  return `${name}, ${kind === "granada" ? t("piece.moats", { sides }) : t("piece.walls", { sides })}`;
}

/** A tile as a square with its walls; `aria-hidden`, because words stand beside it. */
export function tileMark(tile) {
  return el("span", { class: `tile ${tileClasses(tile)}`, "aria-hidden": "true" }, tileFace(tile));
}

export function tileClasses(tile) {
  if (isStart(tile)) return "start";
  const { kind, type, walls, is_hut } = facts(tile);
  return [`ty-${type}`, kind, is_hut ? "hut" : "", ...[...walls].map((side) => `wall-${side}`)].join(" ");
}

export function tileFace(tile) {
  if (isStart(tile)) return "★";
  const { type, price, is_hut } = facts(tile);
  return [icon(type), el("b", {}, is_hut ? "⌂" : String(price))];
}

/** A tile with its name. */
export function tileLabel(tile) {
  return el("span", { class: "piece" }, tileMark(tile), el("span", {}, tileWords(tile)), wallsUnseen(tile));
}

function wallsUnseen(tile) {
  const rest = tileWords(tile, true).slice(tileWords(tile).length);
  return rest ? el("span", { class: "unseen" }, rest) : null;
}

export function isExchange(card) {
  return card.length === 2 && card[1] in CURRENCIES;
}

export function cardWords(card) {
  if (isExchange(card)) return t("piece.exchange", { one: t(`short.${card[0]}`), other: t(`short.${card[1]}`) });
  if (!(card[0] in CURRENCIES)) return t("piece.score", { card });
  return `${card.slice(1)} ${t(`currency.${card[0]}`)}`;
}

export function cardsWords(cards) {
  return cards.map(cardWords).join(" + ");
}

/** A card: value, symbol and abbreviation. */
export function cardMark(card) {
  if (isExchange(card)) {
    const half = (letter) =>
      el("span", { class: `half cur-${CURRENCIES[letter]}` }, icon(CURRENCIES[letter]), t(`short.${letter}`));
    return el("span", { class: "card exchange" }, half(card[0]), half(card[1]), el("span", { class: "unseen" }, "⇄"));
  }
  const name = CURRENCIES[card[0]];
  return el("span", { class: `card cur-${name}` }, el("b", {}, card.slice(1)), icon(name), t(`short.${card[0]}`));
}

export function cardMarks(cards) {
  return el("span", { class: "cards" }, cards.map(cardMark));
}

export function value(cards) {
  return cards.reduce((sum, card) => sum + (isExchange(card) ? 0 : Number(card.slice(1))), 0);
}

const PARTS = { at: "cell", as: "face", with: "cards" };

/** An action of the notation in its parts: verb, tile, cell, face, cards. */
export function readAction(text) {
  const [verb, ...rest] = text.split(" ");
  const action = { text, verb, tile: null, cell: null, face: null, cards: [] };
  if (verb === "take") return { ...action, cards: rest };
  if (verb === "remove") return { ...action, cell: rest[0] };
  if (verb === "hut") return { ...action, tile: hutOf(rest[0]) };
  action.tile = rest.shift() ?? null;
  let part = "";
  for (const word of rest) {
    if (word in PARTS) part = PARTS[word];
    else if (part === "cards") action.cards.push(word);
    else if (part) action[part] = word;
  }
  return action;
}

/** Any hut of a type: huts of a type are named alike. */
function hutOf(type) {
  return Object.keys(box.tiles).find((tile) => facts(tile).is_hut && facts(tile).type === type) ?? type;
}

/** What fills the words of an action. */
function actionValues({ tile, cell, face, cards }) {
  const isPaid = face !== null && cards.length > 0;
  const turned = face === null ? "" : ` → ${tileWords(face)}${isPaid ? ` (${cardsWords(cards)})` : ""}`;
  return { tile: tile === null ? "" : tileWords(tile) + turned, cell, cards: cardsWords(cards) };
}

/** "Take 3 Florin". */
export function actionWords(action) {
  return t(`do.${action.verb}`, actionValues(action));
}

/** "Ana takes 3 Florin." */
export function deedWords(name, action) {
  return t(`did.${action.verb}`, { ...actionValues(action), name });
}
