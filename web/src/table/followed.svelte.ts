// The turns of the others, so that they can be followed: the banner after each, and the last round again.

import type { Message } from "$lib/api";
import { itemWords } from "$lib/descriptions";
import { t } from "$lib/i18n.svelte";
import type { Game } from "./game.svelte";
import { readingTime } from "./pace";
import { playedTurns, spacesOf, turnSentence, typesOf, type PlayedTurn } from "./played_turns";
import { linesSince } from "./recent_changes";

/** What is lit on the table while a turn is shown. */
interface Lit {
  seat: number | null;
  spaces: readonly number[];
  /** Rows of the majorities: types, and stretches that grew. */
  rows: readonly string[];
}

interface Growth {
  item: string;
  before: number;
  after: number;
}

const NOTHING: Lit = { seat: null, spaces: [], rows: [] };
/** How many turns the lengths of walls are known for: more than a round of six. */
const KEPT = 24;

export class Followed {
  /** How long the banner stands, in milliseconds; 0 without one. */
  pause = $state(0);
  /** The number of the turn that is looked at in the last round; null while the round is not shown. */
  #step = $state<number | null>(null);
  readonly #game: Game;
  readonly #isLesson: boolean;
  /** Lengths of all stretches at the beginning of each turn, by the number of the turn. */
  readonly #lengths = new Map<number, Record<string, number>[]>();
  #n: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(game: Game, isLesson: boolean) {
    this.#game = game;
    this.#isLesson = isLesson;
  }

  /** Whether there are others to follow: lessons have a coach, and at a puzzle nobody else plays. */
  get isOn(): boolean {
    return !this.#isLesson && this.#game.puzzle === null;
  }

  /** A new state is shown. The banner stands for as long as the turn that it brought takes to read. */
  follow(message: Message | null): void {
    if (message?.view == null || !this.isOn) return;
    const { n, view } = message;
    if (!this.#lengths.has(view.turns))
      this.#lengths.set(
        view.turns,
        view.players.map(({ lengths }) => lengths),
      );
    this.#lengths.delete(view.turns - KEPT);
    const before = this.#n;
    this.#n = n;
    if (n === before) return;
    if (before === null || n < before || message.events.length === 0) return this.#stand(0);
    const [played] = playedTurns(message.events.map((line) => ({ n, turn: view.turns, line }))).slice(-1);
    if (played !== undefined) this.#stand(this.#isOther(played.seat) ? readingTime(this.#length(played)) : 0);
  }

  /** How many actions of a turn have been played so far. */
  #length({ seat }: PlayedTurn): number {
    const last = playedTurns(this.#game.visibleLog).at(-1);
    return last?.seat === seat ? last.deeds.length : 1;
  }

  #stand(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.pause = document.hidden ? 0 : milliseconds;
    if (this.pause > 0) this.#timer = setTimeout(() => (this.pause = 0), this.pause);
  }

  /** The reader has seen enough of a turn: bots need not wait for them. */
  goOn(): void {
    clearTimeout(this.#timer);
    if (this.pause > 0) this.#game.tellSeen();
    this.pause = 0;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #isOther(seat: number): boolean {
    const info = this.#game.message?.table.seats[seat - 1];
    return info !== undefined && (!info.is_yours || info.is_played_by_bot);
  }

  /** The turn that the banner tells: the newest of another player. */
  readonly banner = $derived.by((): PlayedTurn | null => {
    if (this.pause === 0 || this.#step !== null) return null;
    const last = playedTurns(this.#game.visibleLog).at(-1);
    return last !== undefined && this.#isOther(last.seat) ? last : null;
  });

  /** The turns of the others since the reader's last one. */
  readonly round = $derived.by((): PlayedTurn[] => {
    const { seat, view, visibleLog } = this.#game;
    // Spectators have no turn of their own: they see as many turns as there are players.
    if (seat === null) return playedTurns(visibleLog).slice(-(view?.players.length ?? 0));
    return playedTurns(linesSince(this.#game)).filter((played) => played.seat !== seat);
  });

  // The last round again

  get isShowingRound(): boolean {
    return this.#step !== null;
  }

  /** The place of the turn that is looked at. */
  get step(): number {
    return Math.min(this.#step ?? 0, Math.max(0, this.round.length - 1));
  }

  /** Look at a turn of the last round; null closes it. */
  show(step: number | null): void {
    this.#step = step === null ? null : Math.max(0, Math.min(step, this.round.length - 1));
  }

  toggleRound(): void {
    if (this.isOn && this.round.length > 0) this.show(this.isShowingRound ? null : 0);
  }

  readonly lit = $derived.by((): Lit => {
    const shown = this.isShowingRound ? (this.round[this.step] ?? null) : this.banner;
    if (shown === null) return NOTHING;
    const grown = this.#growths(shown).map(({ item }) => item);
    return { seat: shown.seat, spaces: spacesOf(shown), rows: [...typesOf(shown), ...grown] };
  });

  /** "Mason pays exactly for Garden 8. Wall: 9 → 12." */
  sentence(played: PlayedTurn): string {
    const { log } = this.#game;
    const grown = this.#growths(played).map(({ item, before, after }) =>
      t("banner.growth", { item: itemWords(item), before, after }),
    );
    return [turnSentence(played, this.#game.nameOf(played.seat), log), ...grown].join(" ");
  }

  /** Stretches that became longer in a turn, as far as this page has seen it. */
  #growths({ seat, turn }: PlayedTurn): Growth[] {
    const before = this.#lengths.get(turn)?.[seat - 1];
    const after = this.#lengths.get(turn + 1)?.[seat - 1] ?? this.#game.view?.players[seat - 1]?.lengths ?? {};
    if (before === undefined) return [];
    return Object.entries(after)
      .map(([item, length]) => ({ item, before: before[item] ?? 0, after: length }))
      .filter((growth) => growth.after > growth.before);
  }
}
