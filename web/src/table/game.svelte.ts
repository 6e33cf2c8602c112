// A table as this browser knows it: the last message, what happened, and whose cards may be shown.

import {
  Problem,
  loadLog,
  post,
  problemWords,
  type LogLine,
  type Message,
  type Own,
  type SeatInfo,
  type View,
} from "$lib/api";
import { stepFacts } from "$lib/box";
import { alertTurn, markTurns } from "$lib/alerts.svelte";
import { ownName } from "$lib/identity.svelte";
import { announce, complain } from "$lib/notices.svelte";
import { settings } from "$lib/settings.svelte";
import { Cities, type City } from "$lib/locations";
import { lineWords } from "$lib/descriptions";
import { forgetSeats } from "$lib/tables";
import { t } from "$lib/i18n.svelte";
import { noteCommitment } from "../after/shuffle";
import { absenceNews } from "./absence";
import { noteArrival } from "./clock.svelte";
import { extended, merged } from "./log";
import type { Solving } from "../puzzles/solving.svelte";
import { Reactions } from "../together/reactions.svelte";
import { playSound } from "./sound";
import { RenderQueue } from "./render_queue";
import { TableSocket, type ConnectionState, type CommandBody } from "./socket";

export type Scoring = "A" | "B" | "C";

interface Shown {
  scoring: Scoring;
  message: Message;
  /** Whether it has just taken place, so that its result is not known before it was shown. */
  isNew: boolean;
}

export class Game {
  readonly id: string;
  readonly socket: TableSocket;
  message = $state.raw<Message | null>(null);
  line = $state<ConnectionState>("connecting");
  log = $state.raw<LogLine[]>([]);
  gone = $state.raw<Problem | null>(null);
  /** The own seat whose cards are shown, and the one that has to take the device first (hot seat). */
  seat = $state<number | null>(null);
  awaited = $state<number | null>(null);
  /** The scorings that wait to be shown, each with the message that brought it. */
  scorings = $state.raw<Shown[]>([]);
  /** Whether the scoring that is shown has come to its result. */
  isCounted = $state(false);
  /** Whether it became the reader's turn behind a scoring that is being shown. */
  isCalled = $state(false);
  /** At the table of a puzzle: its task and its verdict, once they are loaded. */
  solving = $state.raw<Solving | null>(null);
  /** How often something was undone. */
  #undone = 0;
  readonly #onMessage: ((message: Message) => void) | undefined;
  readonly reactions = new Reactions(this);
  readonly #renderQueue = new RenderQueue();

  constructor(id: string, heard?: (message: Message) => void) {
    this.id = id;
    this.#onMessage = heard;
    this.socket = new TableSocket(id, {
      message: (message) => {
        noteArrival(message);
        this.#alert(message);
        this.#renderQueue.push(() => this.#receive(message));
        this.#call(message);
      },
      problem: (problem) => complain(problemWords(problem, this.edition)),
      reaction: (reaction) => this.reactions.receive(reaction),
      line: (line) => this.#connection(line),
      gone: (problem) => (this.gone = problem),
    });
  }

  close(): void {
    markTurns(0);
    this.reactions.close();
    this.solving?.close();
    this.#renderQueue.stop();
    this.socket.close();
  }

  // What is there

  /** The table; points of a scoring that is still being shown are not counted yet. */
  readonly view = $derived.by((): View | null => {
    const view = this.message?.view ?? null;
    const { hiddenScorings } = this;
    if (view === null || hiddenScorings.length === 0) return view;
    const late = (seat: number) =>
      view.rows
        .filter((row) => row.seat === seat && hiddenScorings.includes(row.scoring as Scoring))
        .reduce((sum, { points }) => sum + points, 0);
    return {
      ...view,
      players: view.players.map((player) => ({ ...player, score: player.score - late(player.seat) })),
      dirk: view.dirk && { ...view.dirk, score: view.dirk.score - late(0) },
      rows: view.rows.filter((row) => !hiddenScorings.includes(row.scoring as Scoring)),
    };
  });

  /** The scorings whose result the reader has not seen yet. */
  readonly hiddenScorings = $derived.by((): Scoring[] =>
    this.scorings.filter(({ isNew }, i) => isNew && !(i === 0 && this.isCounted)).map(({ scoring }) => scoring),
  );

  /** What happened, without the result of a scoring that is still being shown. */
  readonly visibleLog = $derived.by((): LogLine[] =>
    this.hiddenScorings.length === 0 ? this.log : this.log.filter(({ line }) => !this.#isHidden(line)),
  );

  #isHidden(line: string): boolean {
    return this.hiddenScorings.some((scoring) => line.startsWith(`= score ${scoring} `));
  }

  get edition(): string {
    return this.message?.table.options.edition ?? "alhambra";
  }

  /** Whether more messages wait to be shown. */
  get isBehind(): boolean {
    return !this.#renderQueue.isEmpty;
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

  /** The number of the puzzle that is solved here; null at other tables. */
  get puzzle(): number | null {
    return this.message?.table.puzzle ?? null;
  }

  /** Whether there is nothing to press: for those who only watch, and after the game. */
  get isWatching(): boolean {
    return this.ownSeats.length === 0 || this.isOver;
  }

  /** The own seat that a bot plays for now. */
  get taken(): SeatInfo | null {
    return (
      this.ownSeats.find((seat) => seat.is_played_by_bot && (this.seat === null || seat.seat === this.seat)) ?? null
    );
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

  /** Whether the reader decides, or has not confirmed yet. */
  get isDeciding(): boolean {
    return this.isYours || (this.own !== null && this.own.held !== null);
  }

  // What comes in

  #wasMine = true;

  /** Tell a reader who looks elsewhere about their turn; at once, because a hidden page draws nothing. */
  #alert({ own, table, view }: Message): void {
    const isMine =
      own !== null && own.actions.length > 0 && table.seats[(view?.deciding ?? 0) - 1]?.is_played_by_bot === false;
    if (isMine && !this.#wasMine) {
      const others = table.seats.filter(({ is_yours, name }) => !is_yours && name !== "").map(({ name }) => name);
      void alertTurn(this.id, others);
    }
    this.#wasMine = isMine;
    markTurns(isMine ? 1 : 0);
  }

  /** Nothing moves behind a scoring, but a reader who has to decide is called. */
  #call({ own, view, table }: Message): void {
    if (this.scorings.length === 0) return;
    const isDeciding =
      own !== null && own.actions.length > 0 && table.seats[(view?.deciding ?? 0) - 1]?.is_played_by_bot === false;
    const isCalled = isDeciding && !this.isYours;
    if (isCalled && !this.isCalled) playSound("turn");
    this.isCalled = isCalled;
  }

  #receive(message: Message): void {
    const before = this.message;
    this.message = message;
    noteCommitment(message.table);
    this.#remember(before, message);
    this.#choosePlayer(message);
    this.#announce(before, message);
    this.#onMessage?.(message);
  }

  #remember(before: Message | null, message: Message): void {
    const { view, events, n } = message;
    if (view === null) return;
    if (before?.view == null) return this.#loadLog();
    const isGap = message.version > before.version + 1 || (n > before.n && events.length === 0);
    if (isGap) this.#loadLog();
    else {
      if (n < before.n) this.#undone++;
      // What an action brings belongs to the turn in which it was played, even if it ends that turn.
      if (events.length > 0 || n < before.n) this.log = extended(this.log, n, before.view.turns, events);
    }
    if (n <= before.n || message.table.phase !== "playing") return;
    const scored = new Set(view.rows.slice(before.view.rows.length).map((row) => row.scoring as Scoring));
    if (scored.size > 0) this.#showAll([...scored].map((scoring) => ({ scoring, message, isNew: true })));
  }

  #loadLog(): void {
    const undone = this.#undone;
    void loadLog(this.id).then((lines) => {
      // A log from before an undo may contain what was undone.
      if (undone !== this.#undone) this.#loadLog();
      else this.log = merged(lines, this.log);
    });
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
    const isPlaying =
      view.deciding !== null && own.includes(view.deciding) && !table.seats[view.deciding - 1]!.is_played_by_bot;
    // All who share the device look at a scoring together; it is passed on afterwards.
    this.awaited = isPlaying && view.deciding !== this.seat && this.scorings.length === 0 ? view.deciding : null;
  }

  #announce(before: Message | null, message: Message): void {
    if (before === null || message.view === null) return;
    const absent = absenceNews(before.table.seats, message.table.seats);
    if (before.version === message.version) return announce(absent.join(" "));
    const cities = new Cities(before.view?.players.map(({ city }) => city));
    const sentences = message.events
      .filter((line) => !this.#isHidden(line))
      .map((line) => cities.describe(line, (line) => lineWords(line, this.names, cities.of)))
      .filter(Boolean);
    if (message.n < before.n) sentences.push(t("event.undone"));
    announce([...sentences, ...absent].join(" "));
    const wasYours = (before.own?.actions.length ?? 0) > 0;
    if (!wasYours && (this.isYours || this.isCurtained)) playSound("turn");
    const hasWon = message.view.winners.some((seat) => message.table.seats[seat - 1]?.is_yours);
    if (hasWon && before.table.phase === "playing" && message.table.phase === "over") playSound("win");
  }

  #connection(line: ConnectionState): void {
    if (line !== this.line && line !== "open") announce(t(line === "restart" ? "line.restart" : "line.lost"));
    if (line === "open" && this.line !== "open" && this.line !== "connecting") announce(t("line.back"));
    this.line = line;
  }

  // Scorings

  /** Show a scoring again. */
  show(scoring: Scoring): void {
    if (this.message !== null) this.#showAll([{ scoring, message: this.message, isNew: false }]);
  }

  /** While scorings are shown the table stays as it is: what comes in waits. */
  #showAll(scorings: Shown[]): void {
    this.scorings = [...this.scorings, ...scorings];
    this.#renderQueue.pause();
  }

  showNext(): void {
    this.scorings = this.scorings.slice(1);
    this.isCounted = false;
    if (this.scorings.length === 0) this.#goOn();
  }

  /** The game goes on as soon as nothing is shown any more. */
  #goOn(): void {
    this.scorings = [];
    [this.isCounted, this.isCalled] = [false, false];
    if (this.message !== null) this.#choosePlayer(this.message);
    this.#renderQueue.resume();
  }

  /** A reader who acts has seen enough of a scoring; returns whether the table is still as it was shown. */
  #skip(): boolean {
    if (this.scorings.length === 0) return true;
    const isCurrent = this.#renderQueue.isEmpty;
    this.#goOn();
    return isCurrent && !this.isCurtained;
  }

  /** Before a scoring no turn ends: a card is picked and then revealed, and to keep the cards needs no second click. */
  get isAsked(): boolean {
    return this.view?.step === "reveal";
  }

  /** Whether the decision is part of a turn: the tile of a vizier is placed like any other, but between turns (11.3). */
  get isTurn(): boolean {
    const { view } = this;
    return view !== null && view.deciding === view.turn && stepFacts(view.step ?? "").is_of_turn;
  }

  // What goes out

  /** The next player took the device: show the cards. */
  lift(): void {
    this.seat = this.awaited;
    this.awaited = null;
    this.socket.look(this.seat);
    // With a clock: it waited until now.
    if (this.message?.table.passing?.seat === this.seat) this.#send({ type: "here", seat: this.seat });
  }

  /** Play an action; with `hold`, one that cannot be undone waits for its confirmation. */
  act(action: string, hold: boolean): boolean {
    if (this.message === null || !this.#skip()) return false;
    return this.#send({ type: "act", n: this.message.n, action, hold, seat: this.seat });
  }

  command(type: "confirm" | "undo" | "restart"): boolean {
    return this.message !== null && this.#skip() && this.#send({ type, n: this.message.n, seat: this.seat });
  }

  /** Tell the table how quickly bots should play; called again for every connection. */
  tellPace(): void {
    if (this.line === "open") this.socket.pace(settings.pace);
  }

  /** Tell the table that what was played has been read: bots need not wait any longer. */
  tellSeen(): void {
    if (this.line === "open" && this.message !== null) this.socket.pace(settings.pace, this.message.n);
  }

  /** Correspondence: a bot plays the turn of somebody whose time is over. */
  letBot(): void {
    if (this.message !== null) this.#send({ type: "let_bot", n: this.message.n });
  }

  takeBack(seat: number): void {
    this.#send({ type: "back", seat });
  }

  #send(body: CommandBody): boolean {
    if (this.line !== "open") complain(t("line.wait"));
    return this.socket.send(body);
  }

  /** Sit down on a seat, or leave it. */
  async sit(seat: number, deed: "take" | "leave"): Promise<void> {
    try {
      // Who stands up does not lose the seat.
      if (deed === "leave") forgetSeats(this.id);
      await post(`/tables/${this.id}/seats/${seat}/${deed}`, deed === "take" ? { name: ownName() || null } : {});
      this.socket.open();
    } catch (error) {
      complain((error as Error).message);
    }
  }
}
