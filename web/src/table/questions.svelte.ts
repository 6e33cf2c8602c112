// What the rules say about your city: requested from the server, cached until the table changes.

import type { Answer, CellAnswer, Preview } from "$lib/api";
import type { Game } from "./game.svelte";
import type { From, Turn } from "./turn.svelte";

type How = "place" | "add" | "swap" | "remove";

/** What is asked about a piece, by where it lies. */
const ASKED: Record<From, How[]> = {
  yard: ["place"],
  tray: ["place"],
  hut: ["place"],
  reserve: ["add", "swap"],
  bonus: [],
};

export class Questions {
  readonly #game: Game;
  readonly #turn: Turn;
  #answers = $state.raw<Record<string, Answer>>({});
  readonly #open = new Set<string>();
  #n = -1;

  constructor(game: Game, turn: Turn) {
    this.#game = game;
    this.#turn = turn;
  }

  get #hows(): How[] {
    const { considered, cell } = this.#turn;
    if (considered !== null) return ASKED[considered.from];
    return cell !== null && this.#turn.of("remove").length > 0 ? ["remove"] : [];
  }

  /** What the rules say about each cell for the considered piece; empty until they have answered. */
  readonly cells = $derived.by((): Record<string, CellAnswer> => {
    const found: Record<string, CellAnswer> = {};
    for (const how of this.#hows)
      for (const one of this.#answers[this.#key(how, null)]?.cells ?? []) found[one.cell] = one;
    return found;
  });

  /** What building on the considered cell would change. */
  readonly preview = $derived.by((): Preview | null => {
    const { cell } = this.#turn;
    if (cell === null) return null;
    return this.#hows.map((how) => this.#answers[this.#key(how, cell)]?.preview).find(Boolean) ?? null;
  });

  isLegal(cell: string): boolean {
    return this.cells[cell]?.is_legal ?? false;
  }

  /** Ask what is not known yet; called whenever something is considered. */
  inquire(): void {
    const { message, seat } = this.#game;
    if (message?.view == null || seat === null || this.#game.isCurtained || this.#game.line !== "open") return;
    if (message.n !== this.#n) {
      this.#n = message.n;
      this.#answers = {};
      this.#open.clear();
    }
    const { cell } = this.#turn;
    for (const how of this.#hows) {
      void this.#ask(how, null);
      if (cell !== null && this.isLegal(cell) && this.cells[cell] !== undefined) void this.#ask(how, cell);
    }
  }

  #key(how: How, cell: string | null): string {
    return [this.#game.message?.n, this.#game.seat, how, how === "remove" ? "" : this.#turn.consideredFace, cell].join(
      " ",
    );
  }

  async #ask(how: How, cell: string | null): Promise<void> {
    const key = this.#key(how, cell);
    if (key in this.#answers || this.#open.has(key)) return;
    if (
      cell !== null &&
      !(this.#answers[this.#key(how, null)]?.cells.some((one) => one.cell === cell && one.is_legal) ?? false)
    )
      return;
    this.#open.add(key);
    const answer = await this.#game.socket.ask({
      how,
      tile: how === "remove" ? null : this.#turn.consideredFace,
      cell,
      seat: this.#game.seat,
    });
    this.#open.delete(key);
    if (answer !== null) this.#answers = { ...this.#answers, [key]: answer };
  }
}
