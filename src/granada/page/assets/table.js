// The socket of a table: connects again whenever it breaks, and sends again what was not answered.

import { get } from "./api.js";

const LONGEST_WAIT = 8000;
/** So many milliseconds may pass before a silent connection counts as lost. */
const PATIENCE = 3000;

export class TableSocket {
  /** `on` has message(message), problem(problem), line(word: "open", "lost", "restart") and gone(problem). */
  constructor(id, on) {
    this.id = id;
    this.on = on;
    /** The own seat that is looked from; null: the one that decides. */
    this.seat = null;
    this.unanswered = new Map();
    this.tries = 0;
    this.rest = null;
    this.wake = () => document.visibilityState === "visible" && this.check();
    document.addEventListener("visibilitychange", this.wake);
    addEventListener("online", this.wake);
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    this.socket?.removeEventListener("close", this.lose);
    this.socket?.close();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = this.seat === null ? "" : `?seat=${this.seat}`;
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.id}/socket${query}`);
    this.socket = socket;
    this.lose = () => this.lost();
    socket.addEventListener("close", this.lose);
    socket.addEventListener("open", () => {
      this.tries = 0;
      this.on.line("open");
      for (const command of this.unanswered.values()) socket.send(JSON.stringify(command));
    });
    socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
  }

  hear(message) {
    clearTimeout(this.doubt);
    if (message.type === "reconnect") {
      this.rest = message.after;
      this.on.line("restart");
      return;
    }
    this.unanswered.delete(message.answers);
    if (message.type === "table") this.on.message(message);
    if (message.type === "problem") this.on.problem(message);
  }

  async lost() {
    clearTimeout(this.doubt);
    const wait = this.rest ?? Math.min(LONGEST_WAIT, 250 * 2 ** this.tries) * (0.75 + Math.random() / 2);
    if (this.rest === null) this.on.line("lost");
    this.rest = null;
    this.tries += 1;
    if (this.tries > 1) {
      const problem = await get(`/tables/${this.id}`).then(() => null, (error) => error);
      if (this.isClosed) return;
      if (["not_found", "spectators_off"].includes(problem?.code)) return void this.on.gone(problem);
    }
    this.timer = setTimeout(() => this.open(), wait);
  }

  /** After sleep or a lost network: is anybody there? */
  check() {
    if (this.socket.readyState !== WebSocket.OPEN) return void this.open();
    this.send({ type: "look", seat: this.seat });
    clearTimeout(this.doubt);
    this.doubt = setTimeout(() => this.open(), PATIENCE);
  }

  /** Look from another of the own seats from now on. */
  look(seat) {
    this.seat = seat;
    this.send({ type: "look", seat });
  }

  /** Send a command; an action waits for the answer to the one before. */
  send(command) {
    const isLook = command.type === "look";
    if (!isLook && this.unanswered.size > 0) return;
    const sent = { id: newId(), ...command };
    if (!isLook) this.unanswered.set(sent.id, sent);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(sent));
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearTimeout(this.doubt);
    document.removeEventListener("visibilitychange", this.wake);
    removeEventListener("online", this.wake);
    this.socket.removeEventListener("close", this.lose);
    this.socket.close();
  }
}

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
