// Points, majorities, and who sits at the table.

import { button, el } from "./elements.js";
import { levelWords } from "./home.js";
import { itemWords } from "./log.js";
import { t } from "./words.js";

const SCORINGS = ["A", "B", "C"];

export function token(seat) {
  return el("span", { class: `token p${seat}`, "aria-hidden": "true" }, seat === 0 ? "D" : String(seat));
}

/** Seats with names and points; Dirk is seat 0. */
export function standings({ table, view }) {
  const players = view.players.map(({ seat, score }) => ({ seat, score, name: table.seats[seat - 1].name }));
  return view.dirk ? [...players, { seat: 0, score: view.dirk.score, name: t("piece.dirk") }] : players;
}

export function scoreTable(message, isSorted = false) {
  const { view } = message;
  const rows = standings(message);
  if (isSorted) rows.sort((one, other) => other.score - one.score);
  const points = (list, seat, scoring) => list.filter((row) => row.seat === seat && row.scoring === scoring).reduce((sum, row) => sum + row.points, 0);
  const held = SCORINGS.filter((scoring) => view.rows.some((row) => row.scoring === scoring));
  const next = view.aids?.next_scoring ?? null;
  return scrolling(t("scores.title"),
    [t("scores.player"), ...held, t("scores.total"), ...(next ? [t("scores.now", { scoring: next })] : [])],
    rows.map(({ seat, score, name }) => [
      [token(seat), name],
      ...held.map((scoring) => points(view.rows, seat, scoring)),
      el("b", {}, String(score)),
      ...(next ? [`+${points(view.aids.points, seat, next)}`] : []),
    ]),
  );
}

export function majorityTable(message) {
  const { view } = message;
  if (!view.aids) return null;
  const players = standings(message);
  const lengths = Object.keys(view.players[0].lengths).map((item) => [itemWords(item), ...view.players.map(({ lengths }) => lengths[item]), ...(view.dirk ? ["–"] : [])]);
  const types = view.aids.majorities.map(({ type, counts, ranks }) => [itemWords(type), ...counts.map((count, i) => (ranks[i] ? `${count} (${ranks[i]})` : count || "·"))]);
  return el("details", { "data-key": "majorities" },
    el("summary", {}, t("scores.majorities")),
    scrolling(t("scores.majorities"), [t("scores.type"), ...players.map(({ seat, name }) => [token(seat), name])], [...lengths, ...types]),
  );
}

function scrolling(caption, head, rows) {
  return el("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": caption },
    el("table", { class: "figures" },
      el("caption", { class: "unseen" }, caption),
      el("thead", {}, el("tr", {}, head.map((cell) => el("th", { scope: "col" }, cell)))),
      el("tbody", {}, rows.map(([first, ...rest]) => el("tr", {}, el("th", { scope: "row" }, first), rest.map((cell) => el("td", {}, typeof cell === "number" ? String(cell) : cell))))),
    ),
  );
}

/** Who sits where; `back` and `leave` take a seat. */
export function seatList({ table, view }, back, leave) {
  const isPlaying = table.phase === "playing";
  return [
    el("ul", { class: "people" }, table.seats.map(({ seat, kind, name, level, is_yours, is_played_by_bot, is_connected }) => {
      const isAway = kind !== "bot" && is_played_by_bot;
      const state = kind === "bot" ? t("seat.bot", { level: levelWords(level) }) : is_yours ? t("seat.you") : is_connected ? t("seat.here") : t("seat.away");
      return el("li", { "aria-current": view.deciding === seat ? "true" : null },
        el("span", { class: "who" }, token(seat), el("b", {}, name), el("span", { class: "chip" }, state)),
        el("small", {}, t("seat.cards", { n: view.players[seat - 1].hand_size })),
        isAway ? el("p", {}, t("seat.played", { name })) : null,
        isPlaying && isAway && is_yours ? button(`back ${seat}`, t("seat.back", { name }), () => back(seat), { class: "primary" }) : null,
        isPlaying && isAway && kind === "open" ? button(`sit ${seat}`, t("lobby.sit"), () => leave(seat, "take")) : null,
        isPlaying && is_yours ? button(`leave ${seat}`, t("seat.leave"), () => leave(seat, "leave"), { class: "quiet" }) : null,
      );
    })),
    table.spectators > 0 ? el("p", {}, el("small", {}, t("seat.watching", { n: table.spectators }))) : null,
    proof(table),
  ];
}

/** The commitment to the luck from the start, and its seed at the end. */
function proof({ commitment, seed }) {
  if (commitment === null) return null;
  return el("details", { "data-key": "proof" },
    el("summary", {}, t("over.proof")),
    el("p", {}, `${t("over.commitment")}: `, el("code", {}, commitment)),
    seed === null ? null : el("p", {}, `${t("over.seed")}: `, el("code", {}, seed)),
  );
}
