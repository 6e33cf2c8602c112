// Record lines as sentences.

import { CURRENCIES, cardsWords, deedWords, readAction, tileWords } from "./pieces.js";
import { t } from "./words.js";

/** The sentence for a record line; names are those of the seats. */
export function lineWords(line, names) {
  const [mark, ...words] = line.split(" ");
  const name = (seat) => (seat === "dirk" ? t("piece.dirk") : (names[Number(seat) - 1] ?? seat));
  if (mark === "!") return chanceWords(words, name);
  if (mark === "=") return resultWords(words, name);
  if (/^\d$/.test(mark)) return deedWords(name(mark), readAction(words.join(" ")));
  return "";
}

function chanceWords([what, ...words], name) {
  const tiles = (list) => list.map((tile) => tileWords(tile)).join(", ");
  if (what === "yard") {
    const currency = t(`currency.${Object.keys(CURRENCIES)[Number(words[0]) - 1]}`);
    return t("event.yard", { tile: tileWords(words[1]), currency });
  }
  if (what === "display") return t("event.display", { cards: words.map((card) => cardsWords([card])).join(", ") });
  if (what === "deal") return t("event.deal", { name: name(words[0]), cards: cardsWords(words.slice(1)) });
  if (what === "start") return t("event.start", { name: name(words[0]) });
  if (what === "reshuffle") return t("event.reshuffle");
  if (what === "dirk") return t("event.dirk", { tiles: tiles(words) });
  if (what === "bonus") return t("event.bonus", { name: name(words[0]), n: words.length - 1 });
  if (what === "hut") return t("event.hut", { tile: tileWords(words[0]) });
  return "";
}

function resultWords([what, ...words], name) {
  if (what === "score") {
    const items = words.slice(2).map((item) => item.split("="));
    const total = items.pop()[1];
    const parts = items.map(([item, points]) => `${itemWords(item)} ${points}`).join(", ");
    const points = parts ? `${total} (${parts})` : total;
    return t("event.score", { scoring: words[0], name: name(words[1]), points });
  }
  if (what === "award") {
    const tile = tileWords(words[1]);
    return words[2] === "-" ? t("event.stays", { tile }) : t("event.award", { tile, name: name(words[2]) });
  }
  return what === "end" ? t("turn.over") : "";
}

/** What scores: a stretch or a type. */
export function itemWords(item) {
  return ["wall", "moat", "run"].includes(item) ? t(`item.${item}`) : t(`type.${item}`);
}
