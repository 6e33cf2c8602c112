// Solving a puzzle at its table: what is asked for, the answer, and its verdict.

import "../styles/solving.css";
import { get, post, wordsOf, type PuzzleInfo, type PuzzleVerdict } from "$lib/api";
import type { City } from "$lib/locations";
import { announce, complain } from "$lib/notices.svelte";
import { named, t } from "$lib/i18n.svelte";
import type { components } from "../api";
import type { Game } from "../table/game.svelte";
import { progress, type Counted } from "./progress.svelte";

/** How long each action of the best turn is seen before the next, in milliseconds. */
const STEP = 800;

export class Solving {
  readonly number: number;
  info = $state.raw<PuzzleInfo | null>(null);
  verdict = $state.raw<PuzzleVerdict | null>(null);
  /** What the answer has changed. */
  counted = $state.raw<Counted | null>(null);
  isJudging = $state(false);
  isShowing = $state(false);
  /** Whether only the head of the verdict is shown, where it lies over the city. */
  isFolded = $state(false);
  /** The position that was judged. */
  #judged = "";
  /** The city before the turn, as far as this page has seen it. */
  #city: City | null = null;
  #isClosed = $state(false);
  readonly #game: Game;

  constructor(game: Game, number: number) {
    this.#game = game;
    this.number = number;
    void this.#inquire().catch((error: unknown) => complain(wordsOf(error)));
  }

  close(): void {
    this.#isClosed = true;
  }

  // What is asked for

  /** "Puzzle 128 · your whole turn · found by the Strategist". */
  get line(): string {
    if (this.info === null) return t("puzzle.number", { n: String(this.number) });
    return t("puzzle.line", { n: String(this.number), level: named("level", this.info.grade) });
  }

  /** What to look for. */
  get task(): string {
    if (this.info === null) return "";
    const { what, scoring } = this.info.task;
    return named("puzzle_task", what, { scoring: scoring ?? "" });
  }

  get city(): City {
    return this.#city ?? this.#game.city;
  }

  /** Whether the table is busy with the answer, so that nothing can be played. */
  get isBusy(): boolean {
    return this.isJudging || this.isShowing;
  }

  /** Called for each position: a verdict stays as long as the position that was judged. */
  follow(): void {
    const { message, city } = this.#game;
    if (message?.n === message?.table.opening) this.#city ??= city;
    if (this.verdict !== null && !this.isShowing && this.#position !== this.#judged) this.verdict = null;
  }

  get #position(): string {
    const { message, own } = this.#game;
    return `${message?.n} ${own?.held ?? ""}`;
  }

  // The answer

  /** Send the turn whose last action waits. */
  async answer(last: string): Promise<void> {
    if (this.isBusy) return;
    this.isJudging = true;
    this.#judged = this.#position;
    try {
      const { rating } = await this.#inquire();
      const actions = [...(await this.#played()), last];
      const verdict = await post<PuzzleVerdict>(`/puzzles/${this.number}/attempt`, { actions });
      // A busy server had no bot for it; the turn still waits to be answered again.
      if (verdict.own.gain === null) {
        complain(t("puzzle.not_valued"));
        return;
      }
      this.counted = progress.count(this.number, verdict.is_solved, rating);
      this.isFolded = false;
      this.verdict = verdict;
    } catch (error) {
      complain(wordsOf(error));
    } finally {
      this.isJudging = false;
    }
  }

  /** What was played of the turn so far. */
  async #played(): Promise<string[]> {
    const { id, message } = this.#game;
    const { lines } = await get<components["schemas"]["Log"]>(`/tables/${id}/log`);
    const own = lines.filter(({ n, line }) => n > message!.table.opening && /^\d /.test(line));
    return own.map(({ line }) => line.slice(2));
  }

  async #inquire(): Promise<PuzzleInfo> {
    this.info ??= await get<PuzzleInfo>(`/puzzles/${this.number}`);
    return this.info;
  }

  // After the verdict

  /** Begin the turn again. */
  again(): void {
    this.verdict = null;
    if (this.#game.own?.may_undo) this.#game.command("restart");
    document.querySelector<HTMLElement>("#content")?.focus();
  }

  /** Play the best turn at the table, action by action. */
  async show(): Promise<void> {
    const { verdict } = this;
    if (verdict === null || this.isBusy) return;
    this.isShowing = true;
    announce(t("puzzle.showing"));
    const game = this.#game;
    try {
      if (game.own?.may_undo) game.command("restart");
      await this.#until(() => game.message?.n === game.message?.table.opening && game.own?.held === null);
      for (const action of verdict.best.actions) {
        await new Promise((done) => setTimeout(done, STEP));
        const before = this.#position;
        if (this.#isClosed || !game.act(action, true)) return;
        await this.#until(() => this.#position !== before);
      }
      await new Promise((done) => setTimeout(done, STEP));
    } finally {
      this.#judged = this.#position;
      this.isFolded = true;
      this.isShowing = false;
    }
  }

  /** Wait for the table; also until it is closed. */
  #until(isDone: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const stop = $effect.root(() => {
        $effect(() => {
          if (!isDone() && !this.#isClosed) return;
          queueMicrotask(() => stop());
          resolve();
        });
      });
    });
  }
}
