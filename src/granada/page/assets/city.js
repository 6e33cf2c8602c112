// A city as a table of cells; cells that can be chosen are buttons.

import { button, el } from "./elements.js";
import { tileClasses, tileFace, tileWords } from "./pieces.js";

/** A city: its tiles by cell, the cells that can be chosen with their words, what then happens, and the cell in question. */
export function cityBoard(caption, tiles, choices = {}, choose = () => {}, asked = null) {
  const cells = [...Object.keys(tiles), ...Object.keys(choices)].map((cell) => cell.split(",").map(Number));
  const [xs, ys] = [cells.map(([x]) => x), cells.map(([, y]) => y)];
  const rows = [];
  for (let y = Math.min(...ys); y <= Math.max(...ys); y++) {
    const row = el("tr");
    for (let x = Math.min(...xs); x <= Math.max(...xs); x++) {
      row.append(boardCell(`${x},${y}`, tiles, choices, choose, asked));
    }
    rows.push(row);
  }
  return el(
    "div",
    { class: "board", tabindex: "0", role: "region", "aria-label": caption },
    el("table", {}, el("caption", { class: "unseen" }, caption), el("tbody", {}, rows)),
  );
}

function boardCell(cell, tiles, choices, choose, asked) {
  const tile = tiles[cell];
  const face = tile ? tileFace(tile) : null;
  const classes = tile ? `tile ${tileClasses(tile)} ${cell === asked ? "asked" : ""}` : "";
  if (cell in choices) {
    const act = () => choose(cell);
    const content = tile ? face : "+";
    return el("td", {}, button(`cell ${cell}`, content, act, { class: `spot ${classes}`, "aria-label": choices[cell] }));
  }
  if (!tile) return el("td");
  const words = `${tileWords(tile, true)} (${cell})`;
  return el("td", { title: words }, el("span", { class: classes, "aria-hidden": "true" }, face), unseen(words));
}

function unseen(words) {
  return el("span", { class: "unseen" }, words);
}
