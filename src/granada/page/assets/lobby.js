// Before the game: who sits where.

import { post, put } from "./api.js";
import { announce, button, complain, el, redraw } from "./elements.js";
import { field, levelWords, select } from "./home.js";
import { recall, remember } from "./memory.js";
import { levels } from "./pieces.js";
import { t } from "./words.js";

export class Lobby {
  /** `sat` is called when this browser may have become known to the server. */
  constructor(root, id, sat) {
    this.root = root;
    this.id = id;
    this.sat = sat;
    this.level = "greedy";
    /** What is being typed, by seat: a message of the table must not take it away. */
    this.typed = new Map();
  }

  draw({ table }) {
    const { seats, options, is_host, opening } = table;
    this.isSeated = seats.some((seat) => seat.is_yours);
    const isReady = seats.every((seat) => seat.kind !== "open");
    const what = [t(`edition.${options.edition}`), ...options.modules.map((one) => t(`module.${one}`))];
    if (options.scoring === "simplified") what.push(t("home.simplified"));
    redraw(this.root, [
      el("section", { class: "panel lobby" },
        el("h1", {}, t("lobby.title")),
        el("p", { class: "lead" }, what.join(" · ")),
        opening > 0 ? el("p", {}, t("lobby.opening", { n: opening })) : null,
        this.link(),
        el("ol", { class: "seats" }, seats.map((seat) => this.seat(seat, is_host))),
        is_host && !isReady ? el("p", {}, t("lobby.missing")) : null,
        is_host
          ? button("start", t("lobby.start"), () => this.ask(() => post(`/tables/${this.id}/start`)), { class: "primary", disabled: !isReady })
          : el("p", {}, t("lobby.host")),
      ),
    ]);
  }

  link() {
    const input = el("input", { readonly: "", value: location.href, "data-key": "link", focus: () => input.select() });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(location.href);
      } catch {
        input.select();
        document.execCommand("copy"); // without https there is no other way
      }
      copied.textContent = t("lobby.copied");
      announce(t("lobby.copied"));
    };
    const copied = el("span", { "aria-hidden": "true" });
    return el("div", {},
      el("p", {}, t("lobby.share")),
      el("div", { class: "row" }, field(t("lobby.link"), input), button("copy", t("lobby.copy"), copy), copied),
    );
  }

  seat(seat, isHost) {
    const { seat: n, kind, name, level, is_yours, is_connected } = seat;
    const state = kind === "bot" ? t("seat.bot", { level: levelWords(level) }) : kind === "open" ? t("seat.open") : is_yours ? t("seat.you") : is_connected ? t("seat.here") : t("seat.away");
    return el("li", { class: "seat" },
      el("div", { class: "head" }, el("b", {}, el("span", { class: `token p${n}`, "aria-hidden": "true" }, String(n)), name || t("seat.number", { n })), el("span", { class: "chip" }, state)),
      el("div", { class: "row" }, this.deeds(seat, isHost)),
    );
  }

  deeds({ seat: n, kind, is_yours }, isHost) {
    const path = `/tables/${this.id}/seats/${n}`;
    const wish = (body) => () => this.ask(() => put(path, body));
    if (kind === "bot") return isHost ? [button(`clear ${n}`, t("lobby.clear"), wish({ kind: "open" }))] : [];
    if (kind === "person" && !is_yours) return [];
    const input = el("input", {
      maxlength: "40", "data-key": `name ${n}`, autocomplete: "nickname", value: this.typed.get(n) ?? (this.isSeated ? "" : recall("wishes", {}).name ?? ""),
      input: () => this.typed.set(n, input.value),
    });
    const named = field(t("lobby.name"), input);
    const called = () => input.value.trim() || null;
    const take = (ask) => async () => {
      if (await this.ask(ask)) {
        this.typed.delete(n);
        this.sat();
      }
    };
    if (is_yours) {
      return [
        named,
        button(`rename ${n}`, t("lobby.rename"), take(() => post(`${path}/take`, { name: called() }))),
        button(`leave ${n}`, t("lobby.leave"), () => this.ask(() => post(`${path}/leave`))),
      ];
    }
    const sit = button(`sit ${n}`, t("lobby.sit"), take(() => {
      if (called()) remember("wishes", { ...recall("wishes", {}), name: called() });
      return post(`${path}/take`, { name: called() });
    }));
    if (!isHost) return [named, sit];
    return [
      named,
      button(`here ${n}`, t("lobby.here"), take(() => put(path, { kind: "person", name: called() }))),
      field(t("home.level"), select(`level ${n}`, levels().map((one) => [one, levelWords(one)]), this.level, (one) => (this.level = one))),
      button(`bot ${n}`, t("lobby.bot"), () => wish({ kind: "bot", level: this.level })()),
    ];
  }

  async ask(request) {
    try {
      await request();
      return true;
    } catch (problem) {
      complain(problem.message);
      return false;
    }
  }
}
