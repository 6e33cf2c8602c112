// The socket of a table: reconnects when it breaks, and resends unanswered commands.

import {
  Problem,
  get,
  newId,
  type Answer,
  type Command,
  type FromServer,
  type Message,
  type ProblemMessage,
  type Reacted,
} from "$lib/api";
import { noteCommand } from "$lib/reloading.svelte";
import { transport, type Channel } from "$lib/transport";
import type { Pace } from "./pace";

export type ConnectionState = "connecting" | "open" | "lost" | "restart";

export interface Listener {
  message(message: Message): void;
  problem(problem: ProblemMessage): void;
  line(line: ConnectionState): void;
  reaction?(reaction: Reacted): void;
  gone(problem: Problem): void;
}

/** A command without what the socket itself adds. */
export type CommandBody = Command extends infer C ? (C extends { id: string } ? Omit<C, "id"> : never) : never;
type Question = Omit<Extract<Command, { type: "ask" }>, "id" | "type">;

const LONGEST_WAIT = 8000;
const FIRST_WAIT = 250;
/** How long a connection may be silent before it counts as lost, in milliseconds. */
const PATIENCE = 3000;
/** The state of a socket that can send (WebSocket.OPEN). */
const OPEN = 1;
/** Refusals after which trying again is of no use. */
const FINAL = ["not_found", "old_rules", "damaged", "spectators_off", "malformed"];

/** The game on this device says itself when it cannot run. */
const isFinal = (code: string) => FINAL.includes(code) || code.startsWith("device_");

export class TableSocket {
  /** The seat whose view is requested; null for the deciding one. */
  seat: number | null = null;
  readonly #id: string;
  readonly #listener: Listener;
  readonly #unanswered = new Map<string, Command>();
  readonly #asked = new Map<string, (answer: Answer | null) => void>();
  /** Called when no command waits for its answer any more. */
  #onAnswered: (() => void) | null = null;
  #socket: Channel | null = null;
  #tries = 0;
  #rest: number | null = null;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #replyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string, listener: Listener) {
    this.#id = id;
    this.#listener = listener;
    document.addEventListener("visibilitychange", this.#wake);
    addEventListener("online", this.#wake);
    this.open();
  }

  open(): void {
    clearTimeout(this.#timer);
    this.#drop();
    const query = this.seat === null ? "" : `?seat=${this.seat}`;
    const socket = transport().socket(`/api/tables/${this.#id}/socket${query}`);
    this.#socket = socket;
    socket.addEventListener("close", this.#onClose);
    socket.addEventListener("open", () => {
      this.#tries = 0;
      this.#listener.line("open");
      for (const command of this.#unanswered.values()) socket.send(JSON.stringify(command));
    });
    socket.addEventListener("message", (event: MessageEvent<string>) =>
      this.#receive(JSON.parse(event.data) as FromServer),
    );
  }

  #drop(): void {
    this.#socket?.removeEventListener("close", this.#onClose);
    this.#socket?.close();
    for (const answer of this.#asked.values()) answer(null);
    this.#asked.clear();
  }

  #receive(message: FromServer): void {
    clearTimeout(this.#replyTimer);
    if (message.type === "reaction") return this.#listener.reaction?.(message);
    if (message.type === "reconnect") {
      this.#rest = message.after;
      this.#listener.line("restart");
      return;
    }
    const answered = message.answers ?? "";
    this.#unanswered.delete(answered);
    if (this.#unanswered.size === 0) this.#onAnswered?.();
    const asker = this.#asked.get(answered);
    this.#asked.delete(answered);
    if (message.type === "answer") asker?.(message);
    else if (asker)
      asker(null); // a question that came too late is no fault of the reader
    else if (message.type === "problem") this.#listener.problem(message);
    if (message.type === "table") this.#listener.message(message);
  }

  readonly #onClose = (): void => void this.#reconnect();

  async #reconnect(): Promise<void> {
    clearTimeout(this.#replyTimer);
    const wait = this.#rest ?? Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries) * (0.75 + Math.random() / 2);
    if (this.#rest === null) this.#listener.line("lost");
    this.#rest = null;
    this.#tries += 1;
    const problem = await get(`/tables/${this.#id}`).then(
      () => null,
      (error: unknown) => error,
    );
    if (this.#isClosed) return;
    if (problem instanceof Problem && isFinal(problem.code)) {
      this.#listener.gone(problem);
      return;
    }
    this.#timer = setTimeout(() => this.open(), wait);
  }

  /** After sleep or a lost network: check the connection. */
  readonly #wake = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.#socket?.readyState !== OPEN) return this.open();
    this.look(this.seat);
    clearTimeout(this.#replyTimer);
    this.#replyTimer = setTimeout(() => this.open(), PATIENCE);
  };

  /** Switch to the view of another of your seats. */
  look(seat: number | null): void {
    this.seat = seat;
    this.#write({ type: "look", id: newId(), seat });
  }

  /** Say how quickly bots should play, and how many actions were read; it has no answer, and is sent again for a new connection. */
  pace(speed: Pace, seen: number | null = null): void {
    this.#write({ type: "pace", id: newId(), speed, seen });
  }

  /** Whether a command waits for its answer. */
  get isBusy(): boolean {
    return this.#unanswered.size > 0;
  }

  /** Send a command; it waits for the answer to the one before. Returns whether it was sent. */
  send(body: CommandBody): boolean {
    if (this.#unanswered.size > 0) return false;
    const command = { ...body, id: newId() };
    this.#unanswered.set(command.id, command);
    this.#onAnswered = noteCommand();
    this.#write(command);
    return true;
  }

  /** Send a reaction, at once or never; returns whether it was sent. */
  react(reaction: Extract<Command, { type: "react" }>["reaction"], seat: number | null): boolean {
    if (this.#socket?.readyState !== OPEN) return false;
    this.#write({ type: "react", id: newId(), reaction, seat });
    return true;
  }

  /** Ask the rules; null if there was no answer. */
  ask(question: Question): Promise<Answer | null> {
    const id = newId();
    return new Promise((resolve) => {
      if (this.#socket?.readyState !== OPEN) return resolve(null);
      this.#asked.set(id, resolve);
      this.#write({ ...question, type: "ask", id });
    });
  }

  #write(command: Command): void {
    if (this.#socket?.readyState === OPEN) this.#socket.send(JSON.stringify(command));
  }

  close(): void {
    this.#isClosed = true;
    this.#onAnswered?.();
    clearTimeout(this.#timer);
    clearTimeout(this.#replyTimer);
    document.removeEventListener("visibilitychange", this.#wake);
    removeEventListener("online", this.#wake);
    this.#drop();
  }
}
