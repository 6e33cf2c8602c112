// What the reader is about to do: pieces and cards that are picked, and the offered action that they make together.
// What may be done is the server's to say: its offers are only filtered here.

import type { Own } from "$lib/api";
import { facts, stepFacts } from "$lib/box";
import { settings } from "$lib/settings.svelte";
import { readAction, sorted, total, without, type Action, type Verb } from "$lib/notation";
import type { Game } from "./game.svelte";
import { doubtOf, type Doubt } from "./mistakes";

export type From = "yard" | "tray" | "reserve" | "hut" | "bonus";

export interface Piece {
  tile: string;
  from: From;
}

/** Verbs that buy: the vizier's purchase is one, too. */
const BUYING: Verb[] = ["buy", "vizier"];
/** What an action that waits for its confirmation can still become: the same tile elsewhere. */
const CHANGES: Partial<Record<Verb, Verb[]>> = {
  place: ["place", "reserve", "give"],
  reserve: ["place", "reserve", "give"],
  give: ["place", "reserve", "give"],
  add: ["add", "swap"],
  swap: ["add", "swap"],
  remove: ["remove"],
};
/** What waits for its confirmation because it shows something new, after which the turn goes on. */
const SHOWING: Verb[] = ["hut", "reveal"];

export class Turn {
  /** The piece that is picked, and the one under the pointer or focus. */
  piece = $state.raw<Piece | null>(null);
  hovered = $state.raw<Piece | null>(null);
  /** Whether the other face is meant (4.2). */
  isTurned = $state(false);
  /** The cell that is considered. */
  cell = $state<string | null>(null);
  /** Indexes of the picked cards in your hand and on the display. */
  paid = $state.raw<number[]>([]);
  taken = $state.raw<number[]>([]);
  /** Whether the reader has confirmed, but the server has not heard of it yet. */
  isConfirming = $state(false);
  /** A purchase that looks like a mistake and is asked about before it is played: the server holds only what cannot be undone. */
  #asked = $state<string | null>(null);
  readonly #game: Game;
  /** What waited for its confirmation when this was last renewed. */
  #last: Action | null = null;

  constructor(game: Game) {
    this.#game = game;
  }

  // What is offered

  /** The action that waits for its confirmation. */
  readonly held = $derived.by((): Action | null => (this.#own?.held ? readAction(this.#own.held) : null));

  readonly actions = $derived.by((): Action[] => {
    if (this.#game.isYours) return this.#own!.actions.map(readAction);
    const { held } = this;
    const verbs = held === null ? [] : (CHANGES[held.verb] ?? []);
    return verbs.length === 0
      ? []
      : this.#own!.actions.map(readAction).filter(({ verb, tile }) => verbs.includes(verb) && tile === held!.tile);
  });

  get #own(): Own | null {
    return this.#game.own;
  }

  of(...verbs: Verb[]): Action[] {
    return this.actions.filter(({ verb }) => verbs.includes(verb));
  }

  /** The one offered action of a verb that needs nothing else: pass, wake, decline, keep. */
  only(verb: Verb): Action | null {
    return this.of(verb)[0] ?? null;
  }

  // What is picked

  clear(): void {
    [this.piece, this.isTurned, this.cell, this.paid, this.taken] = [null, false, null, [], []];
    this.#asked = null;
  }

  /** Whether nothing is picked that a click would drop. */
  get isEmpty(): boolean {
    return this.piece === null && this.cell === null && this.paid.length === 0 && this.taken.length === 0;
  }

  /** Reset when the table has moved on; while placing, the next tile is picked at once. */
  renew(): void {
    const { held } = this;
    // The reader has moved the tile on before the server answered.
    const isAhead = held !== null && this.#last?.tile === held.tile && this.isMovedFrom(this.#last.text);
    this.#last = held;
    if (held === null) this.isConfirming = false;
    if (isAhead) return;
    this.clear();
    this.hovered = null;
    if (held !== null) return this.#show(held);
    const next = this.of("place", "reserve")[0]?.tile;
    if (next) this.pick({ tile: next, from: "tray" });
  }

  /** While an action waits for its confirmation, its tile stays picked and its cell considered. */
  #show({ verb, tile, cell, face, cards }: Action): void {
    if (this.actions.length === 0) return;
    this.piece = tile === null ? null : { tile, from: verb === "add" || verb === "swap" ? "reserve" : "tray" };
    this.isTurned = face !== null;
    this.paid = this.#placesOf(cards);
    this.cell = cell;
  }

  /** Whether the turn ends with what waits for its confirmation. */
  get isLast(): boolean {
    return this.held !== null && this.#game.isTurn && !SHOWING.includes(this.held.verb);
  }

  /** Whether the reader has changed what waits for the confirmation. */
  get isMoved(): boolean {
    return this.held !== null && this.isMovedFrom(this.held.text);
  }

  isMovedFrom(text: string): boolean {
    return this.action !== null && this.action !== text;
  }

  /** While a tile has to be placed, or a turn to be confirmed, nothing else can be picked. */
  get isBound(): boolean {
    const { verbs } = stepFacts(this.#game.view?.step ?? "");
    return this.held !== null || (this.#game.isYours && !BUYING.some((verb) => verbs.includes(verb)));
  }

  isPicked(piece: Piece): boolean {
    return this.piece?.tile === piece.tile && this.piece.from === piece.from;
  }

  pick(piece: Piece): void {
    const isSame = this.isPicked(piece);
    const money = piece.from === "yard" ? this.paidCards : [];
    const places = this.paid;
    this.clear();
    if (isSame) return;
    this.piece = piece;
    if (piece.from !== "yard") return;
    const isMoneyFirst = money.length > 0 && this.payments.some(({ cards }) => without(money, cards) !== null);
    this.paid = isMoneyFirst ? places : this.#placesOf(this.#best(piece.tile));
  }

  /** The payment that the server proposes; in purist mode none is. */
  #best(tile: string): string[] {
    const offer = this.#own?.offers?.find((one) => one.tile === tile);
    return this.payments.length > 0 ? (offer?.payment ?? []) : [];
  }

  /** The face that would be built. */
  get face(): string | null {
    return this.piece === null
      ? null
      : this.isTurned
        ? (facts(this.piece.tile).back ?? this.piece.tile)
        : this.piece.tile;
  }

  /** What is considered: the piece under the pointer, or the one that is picked. */
  get considered(): Piece | null {
    return this.hovered ?? this.piece;
  }

  get consideredFace(): string | null {
    return this.hovered !== null && !this.isPicked(this.hovered) ? this.hovered.tile : this.face;
  }

  /** 4.2: mean the other face, with the cheapest payment that turns it over. */
  turnOver(): void {
    this.isTurned = !this.isTurned;
    const [first] = [...this.payments].sort(
      (one, other) => total(one.cards) - total(other.cards) || one.cards.length - other.cards.length,
    );
    this.paid = this.isTurned && first ? this.#placesOf(first.cards) : [];
  }

  // Mistakes

  /** Why to ask before an action is played; only a reader who has chosen so is asked, and nobody is before the answer to a puzzle. */
  doubtOf(action: string): Doubt | null {
    const { message, own, puzzle } = this.#game;
    if (settings.confirm !== "smart" || own === null || message?.view == null || puzzle !== null) return null;
    return doubtOf(action, { view: message.view, own });
  }

  /** Ask about the purchase that is picked. */
  ask(): void {
    this.#asked = this.action;
  }

  /** Stop asking; returns whether there was a question. */
  drop(): boolean {
    const { isAsking } = this;
    this.#asked = null;
    return isAsking;
  }

  /** Whether the purchase that is picked has been asked about. */
  get isAsking(): boolean {
    return this.#asked !== null && this.#asked === this.action;
  }

  /** Why the action that waits for its confirmation does so. */
  readonly doubt = $derived.by((): Doubt | null => {
    if (this.isAsking) return this.doubtOf(this.action!);
    return this.held === null ? null : this.doubtOf(this.action ?? this.held.text);
  });

  // Money

  get paidCards(): string[] {
    const hand = this.#own?.hand ?? [];
    return sorted(this.paid.map((place) => hand[place]!));
  }

  get takenCards(): string[] {
    const display = this.#game.view?.display ?? [];
    return sorted(this.taken.map((place) => display[place]!));
  }

  /** Actions whose payment could be picked now: for the piece, or for any. */
  get payments(): Action[] {
    const { piece } = this;
    if (piece === null) return this.of(...BUYING);
    if (piece.from === "yard") return this.of(...BUYING).filter(({ tile }) => tile === piece.tile);
    if (piece.from === "tray" && this.isTurned)
      return this.of("place", "give").filter(({ tile, face }) => tile === piece.tile && face !== null);
    return [];
  }

  pickMoney(place: number): boolean {
    const hand = this.#own?.hand ?? [];
    this.taken = [];
    this.#asked = null;
    if (this.paid.includes(place)) {
      this.paid = this.paid.filter((one) => one !== place);
      return true;
    }
    const card = hand[place]!;
    if (this.fitsPayment(place)) {
      this.paid = [...this.paid, place];
      return true;
    }
    // Another payment is meant: the cheapest one with this card.
    const others = this.payments
      .filter(({ cards }) => cards.includes(card))
      .sort((one, other) => total(one.cards) - total(other.cards));
    if (this.piece !== null && others[0]) this.paid = this.#placesOf(others[0].cards, place);
    else if (this.piece === null && others.length > 0) this.paid = [place];
    else return false;
    return true;
  }

  /** Whether a payment has the cards that are picked and this one, too. */
  fitsPayment(place: number): boolean {
    const hand = this.#own?.hand ?? [];
    const wanted = [...this.paid.filter((one) => one !== place), place].map((one) => hand[one]!);
    return this.payments.some(({ cards }) => without(cards, wanted) !== null);
  }

  pickDisplay(place: number): void {
    const { taken } = this;
    const isTaken = taken.includes(place);
    const wanted = isTaken
      ? taken.filter((one) => one !== place)
      : this.fitsTaking(place)
        ? [...taken, place]
        : [place];
    this.clear();
    this.taken = wanted;
  }

  /** 3.2: whether the cards that are picked can be taken together with this one. */
  fitsTaking(place: number): boolean {
    const display = this.#game.view?.display ?? [];
    const wanted = [...this.taken.filter((one) => one !== place), place].map((one) => display[one]!);
    return this.of("take").some(({ cards }) => without(cards, wanted) !== null);
  }

  /** 3.2: whether further cards could be taken together with this one. */
  mayAddTo(place: number): boolean {
    const card = this.#game.view?.display[place];
    return this.of("take").some(({ cards }) => cards.length > 1 && cards.includes(card ?? ""));
  }

  /** Places in the hand of some cards; one of them at a given place. */
  #placesOf(cards: readonly string[], first?: number): number[] {
    const hand = this.#own?.hand ?? [];
    const found: number[] = first === undefined ? [] : [first];
    const left = first === undefined ? cards : (without(cards, [hand[first]!]) ?? cards);
    for (const card of left) {
      const place = hand.findIndex((one, i) => one === card && !found.includes(i));
      if (place >= 0) found.push(place);
    }
    return found;
  }

  // The action that all this makes

  readonly action = $derived.by((): string | null => {
    const { piece, cell } = this;
    if (this.taken.length > 0) return this.#same("take", this.takenCards);
    if (piece === null)
      return cell === null ? this.#single() : (this.of("remove").find((one) => one.cell === cell)?.text ?? null);
    switch (piece.from) {
      case "yard":
        return this.#purchase(piece.tile);
      case "tray":
        return cell === null ? null : this.#placing("place", piece.tile, cell);
      case "reserve":
        return this.of("add", "swap").find((one) => one.tile === piece.tile && one.cell === cell)?.text ?? null;
      case "hut":
        return this.of("hut").find((one) => one.tile === facts(piece.tile).type)?.text ?? null;
      case "bonus":
        return this.of("reveal").find((one) => one.tile === piece.tile)?.text ?? null;
    }
  });

  /** Where nothing has to be chosen. */
  #single(): string | null {
    return this.actions.length === 1 ? this.actions[0]!.text : null;
  }

  #same(verb: Verb, cards: readonly string[]): string | null {
    const key = cards.join(" ");
    return this.of(verb).find((one) => one.cards.join(" ") === key)?.text ?? null;
  }

  /** 3.3: an offered payment, or one that has more than such a payment: the server accepts it if it may. */
  #purchase(tile: string): string | null {
    const cards = this.paidCards;
    const found = this.payments.find((one) => one.cards.join(" ") === cards.join(" "));
    if (found) return found.text;
    const covered = this.payments.find((one) => without(cards, one.cards) !== null);
    return covered ? `${covered.verb} ${tile} with ${cards.join(" ")}` : null;
  }

  #placing(verb: Verb, tile: string, cell: string | null): string | null {
    const face = this.isTurned ? this.face : null;
    const cards = verb === "reserve" ? "" : this.paidCards.join(" ");
    return (
      this.of(verb).find(
        (one) => one.tile === tile && one.cell === cell && one.face === face && one.cards.join(" ") === cards,
      )?.text ?? null
    );
  }

  /** 4.1, 9.6: the tile of the tray into the reserve or to Dirk, with the face that is meant. */
  elsewhere(verb: "reserve" | "give"): string | null {
    return this.piece?.from === "tray" ? this.#placing(verb, this.piece.tile, null) : null;
  }

  /** 4.2, 4.3: whether the other face can be meant at all. */
  get mayTurn(): boolean {
    const { piece } = this;
    if (piece === null || facts(piece.tile).back === null) return false;
    return piece.from === "tray"
      ? this.of("place", "reserve", "give").some(({ tile, face }) => tile === piece.tile && face !== null)
      : piece.from === "yard";
  }
}
