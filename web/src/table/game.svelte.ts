// A table as this browser knows it: the last message, what happened, and whose cards may be shown.

import { Problem, loadLog, post, problemWords, type LogLine, type Message, type Own, type SeatInfo, type View } from "$lib/api";
import { announce, complain } from "$lib/notices.svelte";
import { settings } from "$lib/settings.svelte";
import { Cities, type City } from "$lib/places";
import { lineWords } from "$lib/speech";
import { forgetSeats } from "$lib/tables";
import { t } from "$lib/words.svelte";
import { noteCommitment } from "../after/shuffle";
import { chime } from "./sound";
import { OneByOne } from "./one_by_one";
import { TableSocket, type Line, type Wish } from "./socket";

export type Scoring = "A" | "B" | "C";

export class Game {
  readonly id: string;
  readonly socket: TableSocket;
  message = $state.raw<Message | null>(null);
  line = $state<Line>("connecting");
  log = $state.raw<LogLine[]>([]);
  gone = $state.raw<Problem | null>(null);
  /** The own seat whose cards are shown, and the one that has to take the device first (hot seat). */
  seat = $state<number | null>(null);
  awaited = $state<number | null>(null);
  /** The scorings that wait to be shown, each with the message that brought it. */
  scorings = $state.raw<{ scoring: Scoring; message: Message }[]>([]);
  readonly #heard: ((message: Message) => void) | undefined;
  readonly #drawing = new OneByOne();

  constructor(id: string, heard?: (message: Message) => void) {
    this.id = id;
    this.#heard = heard;
    this.socket = new TableSocket(id, {
      message: (message) => this.#drawing.take(() => this.#receive(message)),
      problem: (problem) => complain(problemWords(problem)),
      line: (line) => this.#connection(line),
      gone: (problem) => (this.gone = problem),
    });
  }

  close(): void {
    this.#drawing.stop();
    this.socket.close();
  }

  // What is there

  get view(): View | null {
    return this.message?.view ?? null;
  }

  get isOver(): boolean {
    return this.message?.table.phase === "over";
  }

  get names(): string[] {
    return this.message?.table.seats.map((seat) => seat.name || t("seat.number", { n: seat.seat })) ?? [];
  }

  /** Dirk is seat 0. */
  nameOf(seat: number): string {
    return seat === 0 ? t("piece.dirk") : (this.names[seat - 1] ?? "");
  }

  /** The reader's city; spectators look at the one that decides. */
  get city(): City {
    const seat = this.seat ?? this.view?.deciding ?? 1;
    return this.view?.players[seat - 1]?.city ?? {};
  }

  get deciding(): SeatInfo | null {
    const seat = this.view?.deciding ?? null;
    return seat === null ? null : (this.message?.table.seats[seat - 1] ?? null);
  }

  get ownSeats(): SeatInfo[] {
    return this.message?.table.seats.filter((seat) => seat.is_yours) ?? [];
  }

  /** The own seat that a bot plays for now. */
  get taken(): SeatInfo | null {
    return this.ownSeats.find((seat) => seat.is_played_by_bot && (this.seat === null || seat.seat === this.seat)) ?? null;
  }

  get isCurtained(): boolean {
    return this.awaited !== null;
  }

  /** What the one who has the device may see. */
  get own(): Own | null {
    const own = this.message?.own ?? null;
    if (own === null || this.isCurtained) return null;
    return own.seat === this.seat || this.isOver ? own : null;
  }

  /** Whether the reader has to decide now (and not only to confirm). */
  get isYours(): boolean {
    const { own } = this;
    return own !== null && own.held === null && own.actions.length > 0 && this.deciding?.is_played_by_bot !== true;
  }

  // What comes in

  #receive(message: Message): void {
    const before = this.message;
    this.message = message;
    noteCommitment(message.table);
    this.#remember(before, message);
    this.#choosePlayer(message);
    this.#tell(before, message);
    this.#heard?.(message);
  }

  #remember(before: Message | null, message: Message): void {
    const { view, events, n } = message;
    if (view === null) return;
    const isGap = before === null || before.view === null || (message.version > before.version + 1 && events.length === 0 && n !== before.n);
    if (isGap) return void loadLog(this.id).then((lines) => (this.log = lines));
    const kept = n < before.n ? this.log.filter((line) => line.n <= n) : this.log;
    if (events.length > 0 || kept !== this.log) this.log = [...kept, ...events.map((line) => ({ n, turn: view.turns, line }))];
    const scored = view.rows.slice(before.view?.rows.length ?? 0).map((row) => row.scoring as Scoring);
    if (n > before.n) this.scorings = [...this.scorings, ...[...new Set(scored)].map((scoring) => ({ scoring, message }))];
  }

  /** Hot seat: who decides has to take the device before the cards are shown. */
  #choosePlayer({ table, view }: Message): void {
    const own = table.seats.filter((seat) => seat.is_yours).map(({ seat }) => seat);
    if (own.length <= 1 || table.phase !== "playing" || view === null) {
      if (this.seat !== null && this.socket.seat !== null) this.socket.look(null);
      this.seat = own[0] ?? null;
      this.awaited = null;
      return;
    }
    if (this.seat === null || !own.includes(this.seat) || this.socket.seat === null) this.seat = this.socket.seat;
    const isPlaying = view.deciding !== null && own.includes(view.deciding) && !table.seats[view.deciding - 1]!.is_played_by_bot;
    this.awaited = isPlaying && view.deciding !== this.seat ? view.deciding : null;
  }

  #tell(before: Message | null, message: Message): void {
    if (before === null || message.view === null || before.version === message.version) return;
    const cities = new Cities(before.view?.players.map(({ city }) => city));
    const told = message.events.map((line) => cities.told(line, (line) => lineWords(line, this.names, cities.of))).filter(Boolean);
    if (message.n < before.n) told.push(t("event.undone"));
    announce(told.join(" "));
    const wasYours = (before.own?.actions.length ?? 0) > 0;
    if (settings.sound && !wasYours && (this.isYours || this.isCurtained)) chime();
  }

  #connection(line: Line): void {
    if (line !== this.line && line !== "open") announce(t(line === "restart" ? "line.restart" : "line.lost"));
    if (line === "open" && this.line !== "open" && this.line !== "connecting") announce(t("line.back"));
    this.line = line;
  }

  /** Show a scoring again, or the next one that waits. */
  show(scoring: Scoring): void {
    if (this.message !== null) this.scorings = [{ scoring, message: this.message }];
  }

  showNext(): void {
    this.scorings = this.scorings.slice(1);
  }

  // What goes out

  /** The next player took the device: show the cards. */
  lift(): void {
    this.seat = this.awaited;
    this.awaited = null;
    this.socket.look(this.seat);
  }

  act(action: string): boolean {
    if (this.message === null) return false;
    return this.#send({ type: "act", n: this.message.n, action, hold: settings.confirm !== "never", seat: this.seat });
  }

  command(type: "confirm" | "undo" | "restart"): void {
    if (this.message !== null) this.#send({ type, n: this.message.n, seat: this.seat });
  }

  takeBack(seat: number): void {
    this.#send({ type: "back", seat });
  }

  #send(wish: Wish): boolean {
    if (this.line !== "open") complain(t("line.wait"));
    return this.socket.send(wish);
  }

  /** Sit down on a seat, or leave it. */
  async sit(seat: number, deed: "take" | "leave"): Promise<void> {
    try {
      // Who stands up does not lose the seat.
      if (deed === "leave") forgetSeats(this.id);
      await post(`/tables/${this.id}/seats/${seat}/${deed}`);
      this.socket.open();
    } catch (error) {
      complain((error as Error).message);
    }
  }
}
