// A table: the lobby before the game, the game, and what comes after it.

import { actionGroups, buildings, handPanel } from "./actions.js";
import { After } from "./after.js";
import { post, problemWords } from "./api.js";
import { cityBoard } from "./city.js";
import { announce, button, complain, el, redraw } from "./elements.js";
import { rememberTable } from "./home.js";
import { Lobby } from "./lobby.js";
import { lineWords } from "./log.js";
import { recall, remember } from "./memory.js";
import { actionWords, readAction, tileWords } from "./pieces.js";
import { majorityTable, scoreTable, seatList, standings } from "./scores.js";
import { TableSocket } from "./table.js";
import { t } from "./words.js";

const LONGEST_LOG = 300;
const STEPS = ["act", "place", "award", "vizier", "reveal"];

export class TablePage {
  constructor(root, id, go) {
    this.root = root;
    this.id = id;
    this.message = null;
    this.line = "open";
    this.log = [];
    /** The own seat whose cards are shown; with one own seat always that one. */
    this.seat = null;
    this.chosen = null;
    this.payment = null;
    this.isLarge = false;
    this.after = new After(id, go);
    this.lobby = new Lobby(root, id, () => this.socket.open());
    this.socket = new TableSocket(id, {
      message: (message) => this.receive(message),
      problem: (problem) => complain(problemWords(problem)),
      line: (line) => this.connection(line),
      gone: (problem) => redraw(this.root, [el("p", { class: "panel" }, problem.message)]),
    });
  }

  close() {
    this.socket.close();
    clearTimeout(this.painting);
  }

  // What comes in

  receive(message) {
    const before = this.message;
    this.message = message;
    const names = message.table.seats.map((seat) => seat.name);
    if (names.every(Boolean)) rememberTable(this.id, names);
    const isOther = before === null || before.n !== message.n || (before.own?.held ?? null) !== (message.own?.held ?? null);
    if (isOther) [this.chosen, this.payment] = [null, null];
    const told = message.events.map((line) => lineWords(line, names)).filter(Boolean);
    if (before !== null && message.n < before.n) told.push(t("event.undone"));
    this.log = [...message.events, ...(before !== null && message.n < before.n ? [""] : [])].reduce((log, line) => [line, ...log], this.log).slice(0, LONGEST_LOG);
    this.choosePlayer();
    const isSame = before !== null && (before.view === null) === (message.view === null) && this.frame;
    if (isSame) this.fill();
    else this.draw();
    if (before?.table.phase === "playing" && message.table.phase === "over") scrollTo(0, 0);
    if (isOther && message.view !== null) announce([...told, this.isCurtained ? "" : this.sentence()].join(" "));
    if (message.own?.held && before?.own?.held !== message.own.held && !this.isCurtained) this.frame?.bar.querySelector('[data-key="confirm"]')?.focus();
  }

  connection(line) {
    this.line = line;
    if (line !== "open") announce(t(`line.${line}`));
    if (this.frame) this.fillBar();
  }

  /** Hot seat: who decides has to take the device before the cards are shown. */
  choosePlayer() {
    const { table, view } = this.message;
    const own = table.seats.filter((seat) => seat.is_yours).map(({ seat }) => seat);
    const playing = table.seats.filter((seat) => seat.is_yours && !seat.is_played_by_bot).map(({ seat }) => seat);
    if (own.length <= 1 || table.phase !== "playing") {
      if (this.seat !== null && this.socket.seat !== null) this.socket.look(null);
      this.seat = own[0] ?? null;
      this.awaited = null;
    } else {
      if (!own.includes(this.seat) || this.socket.seat === null) this.seat = this.socket.seat;
      this.awaited = playing.includes(view.deciding) && view.deciding !== this.seat ? view.deciding : null;
    }
  }

  get isCurtained() {
    return this.awaited !== null && this.awaited !== undefined;
  }

  /** What the one who has the device may see. */
  get own() {
    const { own, table } = this.message;
    if (own === null || this.isCurtained) return null;
    return own.seat === this.seat || table.phase === "over" ? own : null;
  }

  lift() {
    this.seat = this.awaited;
    this.awaited = null;
    this.socket.look(this.seat);
    this.fill();
    this.frame.sentence.focus();
  }

  // What goes out

  act(action) {
    this.socket.send({ type: "act", n: this.message.n, action, hold: recall("confirm", true), seat: this.seat });
  }

  command(type) {
    this.socket.send({ type, n: this.message.n, seat: this.seat });
  }

  async sit(seat, deed) {
    try {
      await post(`/tables/${this.id}/seats/${seat}/${deed}`);
      this.socket.open();
    } catch (problem) {
      complain(problem.message);
    }
  }

  // What is drawn

  draw() {
    this.frame = null;
    if (this.message === null) return redraw(this.root, [el("p", { class: "panel" }, t("app.loading"))]);
    if (this.message.view === null || this.message.table.phase === "lobby") return this.lobby.draw(this.message);
    this.frame = this.makeFrame();
    redraw(this.root, [this.frame.curtain, this.frame.bar, this.frame.page]);
    this.fill();
  }

  makeFrame() {
    const section = (name) => el("section", { class: `panel ${name}` });
    const frame = { bar: el("section", { class: "bar" }), curtain: el("section", { class: "curtain" }) };
    for (const name of ["over", "actions", "city", "seats", "scores", "log"]) frame[name] = section(name);
    frame.sentence = el("h1", { tabindex: "-1", class: "sentence" });
    frame.picture = el("img", { decoding: "async" });
    frame.size = button("size", "", () => this.enlarge());
    frame.large = el("div", { class: "picture", tabindex: "0", role: "region", "aria-label": t("picture.title") }, frame.picture);
    const table = el("section", { class: "panel" }, el("div", { class: "head" }, el("h2", {}, t("picture.title")), frame.size), frame.large);
    frame.typed = this.typed();
    frame.play = el("div", { class: "play" }, frame.actions, frame.city);
    frame.page = el("div", { class: "page" }, frame.over, frame.play, table,
      el("div", { class: "rest" }, frame.scores, frame.seats, frame.log));
    return frame;
  }

  fill() {
    const { frame, message } = this;
    const { table } = message;
    if (table.phase === "lobby") return this.draw();
    const isOver = table.phase === "over";
    frame.curtain.hidden = !this.isCurtained;
    frame.page.hidden = frame.bar.hidden = this.isCurtained;
    this.fillTitle();
    if (this.isCurtained) return this.fillCurtain();
    this.fillBar();
    frame.over.hidden = !isOver;
    if (isOver) redraw(frame.over, this.after.panel(message), frame.sentence);
    this.fillTurn();
    redraw(frame.scores, [isOver ? null : [el("h2", {}, t("scores.title")), scoreTable(message)], majorityTable(message)]);
    redraw(frame.seats, [el("h2", {}, t("home.players")), seatList(message, (seat) => this.socket.send({ type: "back", seat }), (seat, deed) => this.sit(seat, deed))]);
    this.fillLog();
    this.fillPicture();
  }

  fillTitle() {
    const isYours = this.isCurtained || (this.own?.actions.length ?? 0) > 0;
    document.title = isYours ? `● ${t("turn.yours")} – ${t("app.title")}` : t("app.title");
  }

  fillCurtain() {
    const { name } = this.message.table.seats[this.awaited - 1];
    redraw(this.frame.curtain, [
      el("h1", {}, t("curtain.title", { name })),
      button("lift", t("curtain.show", { name }), () => this.lift(), { class: "primary" }),
    ]);
    announce(t("curtain.title", { name }));
    this.frame.curtain.querySelector("button").focus();
  }

  // The turn

  sentence() {
    const { table, view } = this.message;
    if (table.phase === "over") {
      const names = view.winners.map((seat) => table.seats[seat - 1].name).join(", ");
      return names ? t("turn.won", { names, points: view.players[view.winners[0] - 1].score }) : t("turn.over");
    }
    const { own } = this;
    const deciding = table.seats[view.deciding - 1];
    if (own?.held) return t("turn.held", { action: actionWords(readAction(own.held)) });
    if (own === null || own.actions.length === 0 || deciding.is_played_by_bot) {
      const words = deciding.is_played_by_bot ? t("turn.thinking", { name: deciding.name }) : t("turn.other", { name: deciding.name });
      return own === null && !table.seats.some((seat) => seat.is_yours) ? `${words} ${t("turn.watching")}` : words;
    }
    if (own.actions.length === 1 && own.actions[0] === "pass") return t("turn.pass");
    if (view.step === "act" && view.tray.length > 0) return t("turn.again");
    return STEPS.includes(view.step) ? t(`turn.${view.step}`) : t("turn.yours");
  }

  fillBar() {
    const { frame, own } = this;
    frame.sentence.textContent = this.line === "open" ? this.sentence() : t(`line.${this.line}`);
    const isPlaying = this.message.table.phase === "playing" && own !== null;
    frame.bar.classList.toggle("lost", this.line !== "open");
    frame.bar.classList.toggle("yours", (own?.actions.length ?? 0) > 0);
    redraw(frame.bar, [
      frame.sentence,
      isPlaying ? el("div", { class: "row" },
        own.held ? button("confirm", t("undo.confirm"), () => this.command("confirm"), { class: "primary" }) : null,
        button("undo", t("undo.step"), () => this.command("undo"), { disabled: !own.may_undo }),
        button("restart", t("undo.turn"), () => this.command("restart"), { disabled: !own.may_undo }),
      ) : null,
    ], frame.sentence);
  }

  fillTurn() {
    const { frame, own } = this;
    const { view, table } = this.message;
    frame.actions.hidden = frame.city.hidden = own === null || table.phase === "over";
    if (frame.actions.hidden) return;
    const built = own.held ? [] : buildings(own.actions);
    const isPlacing = view.step === "place" || view.step === "award";
    if (this.chosen === null && isPlacing) this.chosen = built.find(({ verb }) => verb === "place")?.key ?? null;
    const turn = {
      own, view, chosen: this.chosen, payment: this.payment,
      act: (text) => this.act(text),
      choose: (key) => this.choose(key),
      pay: (payment) => {
        this.payment = payment;
        this.fillTurn();
      },
    };
    frame.play.classList.toggle("building", own.actions.length > 0 && (isPlacing || Boolean(own.held && readAction(own.held).cell)));
    redraw(frame.actions, [
      el("h2", { class: "unseen" }, t("turn.title")),
      handPanel(own, view),
      actionGroups(turn),
      own.actions.length > 0 && !own.held ? el("details", { class: "group", "data-key": "notation" }, el("summary", {}, t("command.title")), frame.typed) : null,
      this.confirming(),
    ], frame.sentence);
    this.fillCity(own, view, built);
  }

  /** Whether the end of a turn waits for a confirmation. */
  confirming() {
    return el("label", { class: "tick" },
      el("input", { type: "checkbox", "data-key": "confirming", checked: recall("confirm", true), change: (event) => remember("confirm", event.target.checked) }),
      t("undo.switch"),
    );
  }

  choose(key) {
    [this.chosen, this.payment] = [this.chosen === key ? null : key, null];
    this.fillTurn();
    if (this.chosen !== null) this.frame.city.scrollIntoView({ block: "nearest" });
  }

  fillCity(own, view, built) {
    const building = built.find(({ key }) => key === this.chosen);
    const held = own.held ? readAction(own.held) : { cell: null, tile: null };
    const { city, lengths } = view.players[own.seat - 1];
    const cells = building ? Object.keys(building.cells) : [];
    const payment = this.payment ?? building?.payments[0];
    const actionAt = (cell) => building.cells[cell][payment];
    const choices = Object.fromEntries(cells.filter(actionAt).map((cell) => [cell, actionWords(readAction(actionAt(cell)))]));
    const what = building ? (building.tile === null ? t("group.remove") : tileWords(building.face ?? building.tile)) : "";
    redraw(this.frame.city, [
      el("div", { class: "head" }, el("h2", {}, t("city.yours")),
        el("span", {}, Object.entries(lengths).map(([item, length]) => el("span", { class: "chip" }, `${t(`item.${item}`)} ${length}`)))),
      building ? el("p", {}, t("city.choose", { tile: what })) : null,
      cityBoard(t("city.yours"), held.cell && held.tile ? { ...city, [held.cell]: held.face ?? held.tile } : city, choices, (cell) => this.act(actionAt(cell)), held.cell),
    ], this.frame.sentence);
  }

  typed() {
    const input = el("input", { autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: "200", required: true, "data-key": "typed" });
    const submit = (event) => {
      event.preventDefault();
      this.act(input.value.trim().replace(/\s+/g, " "));
      input.value = "";
    };
    return el("form", { class: "row", submit },
      el("label", { class: "field" }, el("span", {}, t("command.label", { example: "take y3 g2" })), input),
      el("button", { "data-key": "send" }, t("command.send")),
    );
  }

  // Beside it

  fillLog() {
    const names = this.message.table.seats.map((seat) => seat.name);
    const lines = this.log.map((line) => (line ? lineWords(line, names) : t("event.undone"))).filter(Boolean);
    redraw(this.frame.log, [
      el("h2", {}, t("log.title")),
      lines.length === 0 ? el("p", {}, t("log.empty")) : el("ol", { tabindex: "0" }, lines.map((words) => el("li", {}, words))),
    ]);
  }

  /** The picture of each version, as the one sees it who has the device; not for every step of quick bots. */
  fillPicture() {
    const { frame, message } = this;
    const words = standings(message).map(({ name, score }) => `${name} ${score}`).join(", ");
    frame.picture.alt = t("picture.alt", { words });
    frame.size.textContent = this.isLarge ? t("picture.small") : t("picture.large");
    frame.large.classList.toggle("large", this.isLarge);
    const seat = this.seat === null ? "" : `seat=${this.seat}&`;
    const source = `/api/tables/${this.id}/picture.svg?${seat}version=${message.version}`;
    clearTimeout(this.painting);
    if (frame.picture.getAttribute("src") === source) return;
    this.painting = setTimeout(() => (frame.picture.src = source), frame.picture.src ? 150 : 0);
  }

  enlarge() {
    this.isLarge = !this.isLarge;
    this.fillPicture();
  }
}
