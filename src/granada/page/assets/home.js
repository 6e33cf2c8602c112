// The start page: play at once, open a table, find one, load a record.

import { get, post, postText } from "./api.js";
import { button, complain, el, redraw } from "./elements.js";
import { recall, remember } from "./memory.js";
import { levels } from "./pieces.js";
import { hasWords, t } from "./words.js";

const EDITIONS = ["alhambra", "granada", "combined"];
/** 15: the modules with the editions that they need. */
const MODULES = {
  vizier: EDITIONS,
  exchange: EDITIONS,
  bonus: ["alhambra", "combined"],
  huts: ["alhambra", "combined"],
};
const SIMPLIFIED = ["granada", "combined"];
const USUAL = {
  name: "",
  edition: "alhambra",
  modules: [],
  simplified: false,
  opponents: 2,
  level: "greedy",
  open_money: false,
  purist: false,
  is_public: false,
};

export function levelWords(level) {
  return hasWords(`level.${level}`) ? t(`level.${level}`) : level;
}

/** Tables that this browser was at. */
export function rememberTable(id, names) {
  const others = recall("tables", []).filter((table) => table.id !== id);
  remember("tables", [{ id, names }, ...others].slice(0, 5));
}

export class Home {
  constructor(root, go) {
    this.root = root;
    this.go = go;
    this.wishes = { ...USUAL, ...recall("wishes", {}) };
    this.tables = null;
    this.refresh();
  }

  close() {}

  async refresh() {
    this.tables = await get("/tables").then((answer) => answer.tables, () => []);
    if (this.root.contains(this.listed)) redraw(this.listed, this.tableList());
  }

  draw() {
    this.listed = el("div", {}, this.tableList());
    redraw(this.root, [
      el("div", { class: "home" }, this.form(), el("div", { class: "side" }, this.lists(), this.upload())),
      el("p", { class: "note" }, t("home.note")),
    ]);
  }

  set(name, value) {
    this.wishes[name] = value;
    const { edition } = this.wishes;
    this.wishes.modules = this.wishes.modules.filter((module) => MODULES[module].includes(edition));
    if (!SIMPLIFIED.includes(edition)) this.wishes.simplified = false;
    remember("wishes", this.wishes);
    if (name === "edition") this.draw();
  }

  form() {
    const { name, opponents, level } = this.wishes;
    const counts = [1, 2, 3, 4, 5].map((n) => [n, String(n)]);
    return el(
      "form",
      { class: "panel", submit: (event) => this.submit(event) },
      el("h1", {}, t("app.title")),
      el("p", { class: "lead" }, t("app.tagline")),
      el(
        "fieldset",
        {},
        el("legend", {}, t("home.game")),
        el("div", { class: "choices", role: "radiogroup", "aria-label": t("home.edition") }, EDITIONS.map((one) => this.edition(one))),
        el("details", { "data-key": "modules", open: this.wishes.modules.length > 0 },
          el("summary", {}, t("home.modules")),
          Object.keys(MODULES).map((one) => this.module(one)),
        ),
        el("details", { "data-key": "more" },
          el("summary", {}, t("home.more")),
          this.check("simplified", t("home.simplified"), SIMPLIFIED),
          this.check("open_money", t("home.open_money")),
          this.check("purist", t("home.purist")),
          this.check("is_public", t("home.public")),
        ),
      ),
      el(
        "fieldset",
        { class: "fields" },
        el("legend", {}, t("home.players")),
        field(t("home.name"), el("input", {
          "data-key": "name", maxlength: "40", autocomplete: "nickname", value: name,
          input: (event) => this.set("name", event.target.value),
        })),
        field(t("home.opponents"), select("opponents", counts, opponents, (n) => this.set("opponents", Number(n)))),
        field(t("home.level"), select("level", levels().map((one) => [one, levelWords(one)]), level, (one) => this.set("level", one))),
      ),
      el(
        "div",
        { class: "starts" },
        el("button", { class: "primary", "data-key": "play" }, t("home.play"), el("small", {}, t("home.play_hint"))),
        button("open", [t("home.open"), el("small", {}, t("home.open_hint"))], () => this.open(false)),
      ),
    );
  }

  edition(edition) {
    return el(
      "label",
      { class: "choice" },
      el("input", {
        type: "radio", name: "edition", value: edition, "data-key": `edition ${edition}`,
        checked: this.wishes.edition === edition, change: () => this.set("edition", edition),
      }),
      t(`edition.${edition}`),
    );
  }

  module(module) {
    const toggle = (is) => this.set("modules", Object.keys(MODULES).filter((one) => (one === module ? is : this.wishes.modules.includes(one))));
    return this.tick(`module ${module}`, t(`module.${module}`), this.wishes.modules.includes(module), MODULES[module], toggle);
  }

  check(name, words, editions = EDITIONS) {
    return this.tick(name, words, this.wishes[name], editions, (is) => this.set(name, is));
  }

  tick(key, words, is, editions, toggle) {
    const { edition } = this.wishes;
    const isPossible = editions.includes(edition);
    const why = isPossible ? "" : ` (${t("module.not_with", { edition: t(`edition.${edition}`) })})`;
    return el(
      "label",
      { class: "tick" },
      el("input", { type: "checkbox", "data-key": key, checked: is, disabled: !isPossible, change: (event) => toggle(event.target.checked) }),
      words + why,
    );
  }

  submit(event) {
    event.preventDefault();
    this.open(true);
  }

  async open(isAtOnce) {
    const { name, edition, modules, simplified, opponents, level, open_money, purist, is_public } = this.wishes;
    const person = { kind: "person", name: name.trim() || null };
    const others = Array.from({ length: opponents }, () => (isAtOnce ? { kind: "bot", level } : { kind: "open" }));
    const options = { edition, modules, scoring: simplified ? "simplified" : "regular", open_money, aids: purist ? "purist" : "all" };
    try {
      const opened = await post("/tables", { seats: [person, ...others], options, is_public: is_public && !isAtOnce });
      if (isAtOnce) await post(`/tables/${opened.table.id}/start`);
      this.go(`/t/${opened.table.id}`);
    } catch (problem) {
      complain(problem.message);
    }
  }

  lists() {
    const recent = recall("tables", []);
    return [
      recent.length === 0 ? null : el("section", { class: "panel" }, el("h2", {}, t("home.recent")), el("ul", { class: "tables" }, recent.map(({ id, names }) => this.link(id, names.join(", "))))),
      el("section", { class: "panel" },
        el("div", { class: "head" }, el("h2", {}, t("home.tables")), button("refresh", t("home.refresh"), () => this.refresh())),
        this.listed,
      ),
    ];
  }

  tableList() {
    if (this.tables === null) return [el("p", {}, t("app.loading"))];
    if (this.tables.length === 0) return [el("p", {}, t("home.no_tables"))];
    return [el("ul", { class: "tables" }, this.tables.map(({ id, phase, edition, modules, names, open }) => {
      const what = [t(`edition.${edition}`), ...modules.map((one) => t(`module.${one}`))].join(", ");
      const state = phase === "lobby" && open > 0 ? t("home.free", { n: open }) : t(`phase.${phase}`);
      return this.link(id, names.filter(Boolean).join(", ") || t("seat.open"), `${what} · ${state}`);
    }))];
  }

  link(id, words, rest = "") {
    return el("li", {}, el("a", { href: `/t/${id}`, "data-key": `table ${id}`, "data-go": "" }, words), rest ? el("small", {}, rest) : null);
  }

  upload() {
    const file = el("input", { type: "file", required: true, "data-key": "file", accept: ".record,.txt,text/plain" });
    const submit = async (event) => {
      event.preventDefault();
      try {
        const opened = await postText("/records", await file.files[0].text());
        this.go(`/t/${opened.table.id}`);
      } catch (problem) {
        complain(problem.message);
      }
    };
    return el("form", { class: "panel fields", submit },
      el("h2", {}, t("home.record")),
      el("p", {}, t("home.record_hint")),
      field(t("home.file"), file),
      el("button", { "data-key": "load" }, t("home.load")),
    );
  }
}

export function field(words, input) {
  return el("label", { class: "field" }, el("span", {}, words), input);
}

export function select(key, options, chosen, change) {
  return el("select", { "data-key": key, change: (event) => change(event.target.value) },
    options.map(([value, words]) => el("option", { value, selected: String(value) === String(chosen) }, words)),
  );
}
