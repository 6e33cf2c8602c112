// What the reader can do with the controls of the table. Buttons and keys call the same functions, which do nothing
// when the control is not there or disabled.

import { settings } from "$lib/settings.svelte";
import { facts } from "$lib/box";
import { readAction, total, type Action, type Verb } from "$lib/notation";
import type { Tap } from "./double_tap";
import type { Game } from "./game.svelte";
import type { Turn } from "./turn.svelte";

/** Verbs of actions that need no choice, in the order of their buttons. */
const PLAIN = ["wake", "decline", "keep", "pass"] as const;

export class Controls {
  /** Move the tile that waits for its confirmation by one cell; the city board provides it. */
  moveTile: ((key: string) => void) | null = null;
  #isHintOpen = $state(false);
  readonly #game: Game;
  readonly #turn: Turn;
  readonly #isMeant: ((action: string) => boolean) | null;

  /** `isMeant` says whether a lesson expects an action; null at other tables. */
  constructor(game: Game, turn: Turn, isMeant: ((action: string) => boolean) | null) {
    this.#game = game;
    this.#turn = turn;
    this.#isMeant = isMeant;
  }

  get #isLesson(): boolean {
    return this.#isMeant !== null;
  }

  /** Play an action; as the reader has chosen, it waits for its confirmation first. */
  play(action: string): boolean {
    const [game, turn] = [this.#game, this.#turn];
    const doubt = turn.doubtOf(action);
    if (doubt !== null && !this.#isLesson && action === turn.action && readAction(action).verb === "buy") {
      turn.ask();
      return true;
    }
    return game.act(action, !game.isAsked && this.#waits(action, doubt !== null));
  }

  /** In a lesson everything waits that is not expected, so that it can be undone. */
  #waits(action: string, isDoubtful: boolean): boolean {
    if (settings.confirm !== "smart") return settings.confirm !== "never";
    return this.#isMeant === null ? isDoubtful : !this.#isMeant(action);
  }

  /** Whether the controls are shown at all: not to spectators, and not while the device is passed on. */
  get #areShown(): boolean {
    return !this.#game.isWatching && !this.#game.isCurtained && this.#game.solving?.isBusy !== true;
  }

  /** Whether others decide and nothing of the reader waits, so that the buttons of a turn have nothing to do. */
  get isIdle(): boolean {
    const game = this.#game;
    return this.#areShown && !this.#isLesson && game.taken === null && !game.isDeciding;
  }

  // The market

  get mayTake(): boolean {
    return this.#turn.of("take").length > 0;
  }

  pickDisplay(place: number): void {
    if (this.#areShown && this.mayTake && place < this.#game.view!.display.length) this.#turn.pickDisplay(place);
  }

  /**
   * A click on a card: it is taken at once if nothing could be added to it (3.2) and nothing else is picked; a double
   * click takes it with the cards that are picked.
   */
  tapDisplay(place: number, tap: Tap): void {
    const turn = this.#turn;
    const isAlone = tap === "single" && turn.isEmpty && !turn.mayAddTo(place);
    if (tap !== "second" || !turn.taken.includes(place)) this.pickDisplay(place);
    if ((isAlone || tap === "second") && turn.action !== null && this.#areShown) this.play(turn.action);
  }

  /** A click on a tile of the yard picks it; a double click buys it if what is proposed or picked pays it exactly. */
  tapYard(space: number, half: number, tap: Tap): void {
    const turn = this.#turn;
    const tile = this.#game.view?.yard[space]?.[half];
    if (!tile) return;
    if (tap !== "second" || !turn.isPicked({ tile, from: "yard" })) this.pickYard(space, half);
    if (tap !== "second" || turn.action === null || !this.#areShown || !turn.isPicked({ tile, from: "yard" })) return;
    // An overpaid purchase stays picked: the main button says what it costs.
    if (total(turn.paidCards) === facts(tile).price) this.play(turn.action);
  }

  /** A click on a tile in the tray picks it; a double click builds it if there is only one place for it. */
  tapTray(tile: string, tap: Tap): void {
    const turn = this.#turn;
    const piece = { tile, from: "tray" } as const;
    if (tap !== "second" || !turn.isPicked(piece)) turn.pick(piece);
    const places = turn.of("place").filter((one) => one.tile === tile && one.face === null);
    if (tap === "second" && places.length === 1 && this.#areShown && !turn.isTurned) this.play(places[0]!.text);
  }

  /** Pick the tile on a space of the yard; in the combined game a space has two. */
  pickYard(space: number, half: number): void {
    const tile = this.#game.view?.yard[space]?.[half];
    if (tile && this.#areShown && !this.#turn.isBound) this.#turn.pick({ tile, from: "yard" });
  }

  // The tile in the tray

  /** 4.2 */
  turnOver(): void {
    if (this.#areShown && this.#turn.mayTurn) this.#turn.turnOver();
  }

  /** 4.1, 9.6 */
  placeElsewhere(verb: "reserve" | "give"): void {
    const action = this.#turn.elsewhere(verb);
    if (action !== null && this.#areShown) this.play(action);
  }

  // The action bar

  get mayUndo(): boolean {
    return this.#areShown && (this.#turn.isAsking || this.#game.own?.may_undo === true);
  }

  /** Undo the last action; a purchase that is only asked about is just not played. */
  undo(): void {
    if (this.mayUndo && !this.#turn.drop()) this.#game.command("undo");
  }

  restart(): void {
    const isAsking = this.#turn.drop();
    if (isAsking) this.#turn.clear();
    if (this.mayUndo) this.#game.command("restart");
  }

  get isPurist(): boolean {
    return this.#game.message?.table.options.aids === "purist";
  }

  get mayHint(): boolean {
    return this.#areShown && this.#game.isYours && !this.#isLesson && !this.isPurist && this.#game.puzzle === null;
  }

  get isHintOpen(): boolean {
    return this.#isHintOpen && this.mayHint;
  }

  toggleHint(): void {
    if (this.mayHint) this.#isHintOpen = !this.#isHintOpen;
  }

  closeHint(): void {
    this.#isHintOpen = false;
  }

  /** The offered actions that need no choice, without the one that the main button plays. */
  readonly plain = $derived.by((): Action[] =>
    PLAIN.flatMap((verb) => this.#turn.only(verb) ?? []).filter(({ text }) => text !== this.#turn.action),
  );

  /** Play the first of the plain actions that is offered. */
  playPlain(verbs: readonly Verb[]): void {
    const action = verbs.map((verb) => this.plain.find((one) => one.verb === verb)).find((one) => one !== undefined);
    if (action && this.#areShown) this.play(action.text);
  }

  get isHeld(): boolean {
    return this.#game.own?.held != null;
  }

  get hasMain(): boolean {
    return (
      this.#areShown &&
      this.#game.solving?.verdict == null &&
      (this.isHeld || this.#turn.action !== null || this.#game.taken !== null)
    );
  }

  /** Do what the main button says. */
  main(): void {
    const { taken } = this.#game;
    if (!this.hasMain) return;
    if (taken !== null) this.#game.takeBack(taken.seat);
    else if (this.isHeld) this.confirm();
    else if (this.#turn.isAsking) this.#game.act(this.#turn.action!, false);
    else this.play(this.#turn.action!);
  }

  /** Play what is shown, which may have been moved since the server last heard of it. */
  confirm(): void {
    const turn = this.#turn;
    if (this.#game.puzzle !== null) return void this.#game.solving?.answer(turn.action ?? turn.held!.text);
    turn.isConfirming = this.#game.socket.isBusy;
    if (turn.isMoved) this.#game.act(turn.action!, false);
    else this.#game.command("confirm");
  }

  get isCountingDown(): boolean {
    return this.isHeld && settings.confirm === "countdown" && this.#game.puzzle === null;
  }
}
