// The positions of a game that is over: asked for when they are looked at, and their neighbours before that.

import { get, Problem, type Message } from "$lib/api";

/** Of quick movements of the slider only the last is asked for. */
const PAUSE = 110;
/** The maximum number of cached positions. */
const KEPT = 600;

export class Positions {
  readonly id: string;
  /** The position that is shown; while another one is on its way it stays. */
  message = $state.raw<Message | null>(null);
  problem = $state.raw<Problem | null>(null);
  isLoading = $state(false);
  readonly #known = new Map<string, Message>();
  readonly #asked = new Map<string, Promise<Message>>();
  #wanted = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** Show the position after n actions, seen from a seat; at once if it is known. */
  show(n: number, seat: number, all: number, isSliding = false): void {
    const key = `${n}?seat=${seat}`;
    this.#wanted = key;
    clearTimeout(this.#timer);
    const known = this.#known.get(key);
    if (known) this.#arrive(known);
    else this.isLoading = true;
    this.#timer = setTimeout(() => void this.#load(n, seat, all, key), isSliding ? PAUSE : 0);
  }

  close(): void {
    this.#wanted = "";
    clearTimeout(this.#timer);
  }

  async #load(n: number, seat: number, all: number, key: string): Promise<void> {
    try {
      const message = await this.#ask(n, seat);
      if (this.#wanted !== key) return;
      this.#arrive(message);
      for (const near of [n + 1, n - 1, n + 2])
        if (near >= 0 && near <= all && this.#wanted === key) await this.#ask(near, seat);
    } catch (error) {
      if (this.#wanted !== key || this.message?.n === n) return;
      this.problem = error instanceof Problem ? error : new Problem({ code: "network" });
      this.isLoading = false;
    }
  }

  #arrive(message: Message): void {
    this.message = message;
    this.problem = null;
    this.isLoading = false;
  }

  #ask(n: number, seat: number): Promise<Message> {
    const key = `${n}?seat=${seat}`;
    const known = this.#known.get(key);
    if (known) return Promise.resolve(known);
    const asked = this.#asked.get(key) ?? get<Message>(`/tables/${this.id}/positions/${key}`);
    this.#asked.set(key, asked);
    return asked
      .then((message) => {
        if (this.#known.size >= KEPT) this.#known.delete(this.#known.keys().next().value ?? "");
        this.#known.set(key, message);
        return message;
      })
      .finally(() => this.#asked.delete(key));
  }
}
