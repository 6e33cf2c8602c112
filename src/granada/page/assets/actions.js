// The offered actions, grouped by verb.

import { button, el, icon } from "./elements.js";
import { field, select } from "./home.js";
import { CURRENCIES, actionWords, cardMark, cardMarks, cardsWords, facts, readAction, tileLabel, tileMark, tileWords, value } from "./pieces.js";
import { t } from "./words.js";

const BUILDING = ["place", "add", "swap", "remove"];
const REBUILDING = ["add", "swap", "remove"];

/** What can be built, by tile and face: the cells, and for each the action with its payment. */
export function buildings(actions) {
  const found = new Map();
  for (const action of actions.map(readAction).filter(({ verb }) => BUILDING.includes(verb))) {
    const { verb, tile, face, cell, cards, text } = action;
    const key = [verb, tile ?? "", face ?? ""].join(" ").trim();
    if (!found.has(key)) found.set(key, { key, verb, tile, face, payments: [], cells: {} });
    const building = found.get(key);
    const payment = cards.join(" ");
    if (!building.payments.includes(payment)) building.payments.push(payment);
    (building.cells[cell] ??= {})[payment] = text;
  }
  for (const { payments } of found.values()) payments.sort((one, other) => sum(one) - sum(other));
  return [...found.values()];
}

function sum(payment) {
  return payment ? value(payment.split(" ")) : 0;
}

/** Draws the actions of a seat. `turn` has own, view, chosen (a key), payment, act(text), choose(key), pay(payment). */
export function actionGroups(turn) {
  const { own, view } = turn;
  const isHeld = own.held !== null;
  const actions = isHeld ? [] : own.actions.map(readAction);
  const of = (...verbs) => actions.filter(({ verb }) => verbs.includes(verb));
  const built = isHeld ? [] : buildings(own.actions);
  const isActing = view.step === "act" || view.step === "vizier" || own.actions.length === 0;
  return [
    group("place", t("group.place"), [
      built.filter(({ verb }) => verb === "place").map((one) => toggle(turn, one)),
      payments(turn, built.filter(({ verb }) => verb === "place")),
    ]),
    group("reserve", t("group.reserve"), of("reserve").map((action) => play(turn, action, pieceOf(action)))),
    group("give", t("group.give"), cheapest(of("give")).map((action) => play(turn, action, pieceOf(action)))),
    group("reveal", t("hand.bonus"), of("reveal", "keep").map((action) => play(turn, action, actionWords(action)))),
    group("other", t("group.other"), of("wake", "pass", "decline").map((action) => play(turn, action, actionWords(action)))),
    isActing ? display(turn, of("take")) : null,
    isActing ? yard(turn, of("buy", "vizier")) : null,
    group("hut", t("group.hut"), of("hut").map((action) => play(turn, action, hutOf(view, action)))),
    rebuilding(turn, built),
  ];
}

function group(key, words, content) {
  const shown = content.flat(Infinity).filter(Boolean);
  return shown.length === 0 ? null : el("section", { class: `group ${key}` }, el("h3", {}, words), el("div", { class: "row" }, shown));
}

function play({ act }, action, content, attributes = {}) {
  return button(action.text, content, () => act(action.text), { "aria-label": actionWords(action), ...attributes });
}

function pieceOf({ tile, face, cards }) {
  if (face === null) return tileLabel(tile);
  return [tileMark(tile), " → ", tileLabel(face), cards.length > 0 ? cardMarks(cards) : null].filter(Boolean);
}

/** Of actions that differ in the payment only, the cheapest; the notation takes the others. */
function cheapest(actions) {
  const found = new Map();
  for (const action of actions) {
    const key = `${action.tile} ${action.face}`;
    if (!found.has(key) || value(action.cards) < value(found.get(key).cards)) found.set(key, action);
  }
  return [...found.values()];
}

function hutOf(view, action) {
  const { type } = facts(action.tile);
  return tileLabel(view.huts.find((hut) => hut !== null && facts(hut).type === type) ?? action.tile);
}

// Money

function display(turn, takes) {
  const { view } = turn;
  if (takes.length === 0) {
    return el("section", { class: "group" }, el("h3", {}, t("hand.display")), cardMarks(view.display));
  }
  const place = (action) => (action.cards.length === 1 ? view.display.indexOf(action.cards[0]) : 10 + action.cards.length);
  const sorted = [...takes].sort((one, other) => place(one) - place(other));
  return group("take", t("group.take"), sorted.map((action) => play(turn, action, cardMarks(action.cards))));
}

// The yard

function yard(turn, buys) {
  const { view } = turn;
  const spaces = view.yard.map((tiles, i) => {
    const letter = Object.keys(CURRENCIES)[i];
    return el("li", { class: "space" },
      el("p", { class: `currency cur-${CURRENCIES[letter]}` }, icon(CURRENCIES[letter]), t(`currency.${letter}`)),
      tiles.map((tile) => (tile === null ? el("p", { class: "gone" }, t("buy.empty")) : wares(turn, tile, buys.filter((buy) => buy.tile === tile)))),
    );
  });
  return el("section", { class: "group" }, el("h3", {}, buys.length > 0 ? t("group.buy") : t("hand.yard")), el("ol", { class: "yard" }, spaces));
}

/** A tile of the yard: how the money fits, the best payment, and the others. */
function wares(turn, tile, buys) {
  const { own, view } = turn;
  const offer = own.offers?.find((one) => one.tile === tile);
  const { price, back } = facts(tile);
  const best = offer?.payment.join(" ");
  const rank = (buy) => (buy.cards.join(" ") === best ? -1 : value(buy.cards) * 10 + buy.cards.length);
  const [first, ...others] = [...buys].sort((one, other) => rank(one) - rank(other));
  const pay = (buy, attributes) => {
    const over = value(buy.cards) - price;
    const fit = own.offers === null ? null : fitChip(over === 0 ? "exact" : "over", over, view.step);
    return play(turn, buy, [el("span", {}, t("buy.now")), cardMarks(buy.cards), fit], attributes);
  };
  return el("div", { class: "wares" },
    tileLabel(tile),
    back ? el("small", {}, t("piece.back", { tile: tileWords(back) })) : null,
    first ? pay(first) : offer ? fitChip(offer.fit, offer.by, "") : null,
    others.length === 0 ? null : el("details", { "data-key": `pay ${tile}` }, el("summary", {}, t("buy.others", { n: others.length })), others.map((buy) => pay(buy))),
  );
}

function fitChip(fit, by, step) {
  const words = fit === "exact" ? (step === "act" ? t("fit.again") : t("fit.exact")) : fit === "over" ? t("fit.over", { n: by }) : t("fit.short", { n: by });
  return el("span", { class: `chip ${fit}` }, words);
}

// Building

/** Chooses what is built; the cells are then marked in the city. */
function toggle(turn, building) {
  const { key, tile, face, verb } = building;
  const content = verb === "remove" ? t("group.remove") : face === null ? tileLabel(tile) : [tileMark(tile), " → ", tileLabel(face)];
  return button(key, content, () => turn.choose(key), { "aria-pressed": String(turn.chosen === key) });
}

/** 4.2: with what the turning over is paid. */
function payments(turn, built) {
  const building = built.find(({ key }) => key === turn.chosen);
  if (!building || building.face === null) return null;
  const options = building.payments.map((payment) => [payment, cardsWords(payment.split(" "))]);
  return field(t("buy.payment"), select("payment", options, turn.payment ?? building.payments[0], turn.pay));
}

function rebuilding(turn, built) {
  const found = REBUILDING.map((verb) => built.filter((one) => one.verb === verb)).filter((list) => list.length > 0);
  if (found.length === 0) return null;
  return el("details", { class: "group", "data-key": "rebuild" },
    el("summary", {}, t("group.rebuild")),
    found.map((list) => group(list[0].verb, t(`group.${list[0].verb}`), list.map((one) => toggle(turn, one)))),
  );
}

export function handPanel(own, view) {
  const { reserve } = view.players[own.seat - 1];
  const isPlacing = view.deciding === own.seat && view.tray.length > 0;
  const pieces = (words, tiles) => (tiles.length === 0 ? null : el("div", {}, el("h3", {}, words), el("div", { class: "row" }, tiles.map(tileLabel))));
  return el("div", { class: "hand" },
    el("div", {}, el("h3", {}, t("hand.title")), el("span", { class: "cards" }, own.hand.map(cardMark))),
    isPlacing ? pieces(t("hand.tray"), view.tray) : null,
    pieces(t("hand.reserve"), reserve),
    pieces(t("hand.bonus"), own.bonus),
  );
}
