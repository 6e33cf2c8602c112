// After the game: the standings, the record, playing again, going through the game.

import { get, post } from "./api.js";
import { button, complain, el, redraw } from "./elements.js";
import { cityBoard } from "./city.js";
import { lineWords } from "./log.js";
import { cardMarks, tileLabel } from "./pieces.js";
import { scoreTable } from "./scores.js";
import { t } from "./words.js";

export class After {
  constructor(id, go) {
    this.id = id;
    this.go = go;
    this.n = null;
    this.shown = el("div", { class: "replayed" });
    this.position = null;
  }

  panel(message) {
    const { table, n } = message;
    this.names = table.seats.map((seat) => seat.name);
    this.all = n;
    this.n ??= n;
    const again = (same_deal) => () => this.move("rematch", { same_deal });
    const mayAsk = table.is_host || table.seats.some((seat) => seat.is_yours);
    return [
      el("section", { class: "panel" },
        el("h2", {}, t("over.standings")),
        scoreTable(message, true),
        el("div", { class: "row" },
          table.next
            ? el("a", { class: "button primary", href: `/t/${table.next}`, "data-go": "", "data-key": "next" }, t("over.next"))
            : mayAsk ? [button("rematch", t("over.rematch"), again(false), { class: "primary" }), table.opening === 0 ? button("same", t("over.same"), again(true)) : null] : null,
          el("a", { class: "button", href: `/api/tables/${this.id}/record`, download: "granada.record", "data-key": "record" }, t("over.record")),
        ),
      ),
      this.replay(),
    ];
  }

  replay() {
    this.slider = el("input", { type: "range", min: "0", max: String(this.all), value: String(this.n), "data-key": "slider", "aria-label": t("replay.title"), input: () => this.show(Number(this.slider.value)) });
    this.label = el("output", {});
    this.fork = button("fork", t("replay.fork"), () => this.move("fork", { n: this.n }));
    this.label.textContent = t("replay.position", { n: this.n, all: this.all });
    this.fork.disabled = this.n >= this.all;
    this.drawPosition();
    return el("section", { class: "panel" },
      el("h2", {}, t("replay.title")),
      el("div", { class: "row" },
        button("before", "◀", () => this.show(this.n - 1), { "aria-label": t("replay.back") }),
        this.slider,
        button("after", "▶", () => this.show(this.n + 1), { "aria-label": t("replay.forward") }),
        this.label,
        this.fork,
      ),
      this.shown,
    );
  }

  /** Show a position; of quick movements only the last is asked for. */
  show(n) {
    this.n = Math.max(0, Math.min(this.all, n));
    this.slider.value = String(this.n);
    this.slider.setAttribute("aria-valuetext", t("replay.position", { n: this.n, all: this.all }));
    this.label.textContent = t("replay.position", { n: this.n, all: this.all });
    this.fork.disabled = this.n >= this.all;
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      try {
        const position = await get(`/tables/${this.id}/positions/${this.n}`);
        if (position.n !== this.n) return;
        this.position = position;
        this.drawPosition();
      } catch (problem) {
        complain(problem.message);
      }
    }, 120);
  }

  drawPosition() {
    if (this.position === null) return;
    const { view, events } = this.position;
    const tiles = view.yard.flat().filter(Boolean);
    redraw(this.shown, [
      el("ul", {}, events.map((line) => lineWords(line, this.names)).filter(Boolean).map((words) => el("li", {}, words))),
      el("div", { class: "hand" },
        el("div", {}, el("h3", {}, t("hand.yard")), el("div", { class: "row" }, tiles.map(tileLabel))),
        el("div", {}, el("h3", {}, t("hand.display")), cardMarks(view.display)),
      ),
      scoreTable(this.position),
      el("div", { class: "cities" }, view.players.map(({ seat, city }) => {
        const words = t("city.of", { name: this.names[seat - 1] });
        return el("div", {}, el("h3", {}, words), cityBoard(words, city));
      })),
    ]);
  }

  async move(what, body) {
    try {
      const opened = await post(`/tables/${this.id}/${what}`, body);
      this.go(`/t/${opened.table.id}`);
    } catch (problem) {
      complain(problem.message);
    }
  }
}
