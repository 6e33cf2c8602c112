// The progress of a lesson: messages of the table are compared with the expected actions.

import { wordsOf, loadLog, newId, post, type Message } from "$lib/api";
import { isMeant, type Lesson, type Step } from "./lessons";
import { openPosition } from "./opening";

/** What the coach shows: the step, that it waits for confirmation, or that another action was played. */
export type Mood = "step" | "confirm" | "wrong" | "gone";

/** The reader sits on the first seat. */
const OWN = "1 ";

export class LessonSession {
  readonly lesson: Lesson;
  #part = $state(0);
  #step = $state(0);
  #message = $state.raw<Message | null>(null);
  /** How many actions were played before an unexpected one. */
  #astray = $state<number | null>(null);
  /** After how many actions each step was reached, to return to it after an undo. */
  #reached: { n: number; step: number }[] = [];
  #n = -1;
  table = $state<string | null>(null);
  problem = $state<string | null>(null);
  isOver = $state(false);

  constructor(lesson: Lesson) {
    this.lesson = lesson;
  }

  get #steps(): Step[] {
    return this.lesson.parts[this.#part]!.steps;
  }

  get step(): Step {
    return this.#steps[this.#step]!;
  }

  /** How many steps the lesson has, and how many are behind the reader. */
  get count(): number {
    return this.lesson.parts.reduce((sum, part) => sum + part.steps.length, 0);
  }

  get place(): number {
    return this.lesson.parts.slice(0, this.#part).reduce((sum, part) => sum + part.steps.length, this.#step);
  }

  /** The step whose action is awaited: the current one, or the next that has one. */
  get #awaited(): number {
    return this.#steps.findIndex((step, i) => i >= this.#step && step.do !== undefined);
  }

  get mood(): Mood {
    const own = this.#message?.own ?? null;
    const awaited = this.#steps[this.#awaited];
    if (this.#astray !== null) return own?.may_undo ? "wrong" : "gone";
    if (own?.held && awaited) return isMeant(awaited, own.held) ? "confirm" : "wrong";
    return "step";
  }

  /** Whether an action is what the step, or the next one with an action, asks for. */
  isMeant(action: string): boolean {
    const awaited = this.#steps[this.#awaited];
    return this.#astray === null && awaited !== undefined && isMeant(awaited, action);
  }

  /** Whether the reader goes on without doing anything at the table. */
  get isTold(): boolean {
    return this.mood === "step" && this.step.do === undefined;
  }

  // Going on

  /** Set the table for the part. */
  async open(): Promise<void> {
    [this.table, this.problem, this.#message, this.#astray, this.#step] = [null, null, null, null, 0];
    [this.#reached, this.#n] = [[], -1];
    const part = this.#part;
    try {
      const table = await openPosition(this.lesson, this.lesson.parts[part]!.at);
      if (part === this.#part) this.table = table;
    } catch (error) {
      this.problem = wordsOf(error);
    }
  }

  /** The next step, the next part, or the end. */
  next(): void {
    if (this.#step + 1 < this.#steps.length) this.#step += 1;
    else if (this.#part + 1 < this.lesson.parts.length) {
      this.#part += 1;
      void this.open();
    } else this.isOver = true;
  }

  /** From the beginning. */
  repeat(): void {
    [this.#part, this.isOver] = [0, false];
    void this.open();
  }

  /** Undo an unexpected action. */
  async undo(): Promise<void> {
    const { table } = this;
    const n = this.#message?.n;
    if (table === null || n === undefined) return;
    try {
      await post(`/tables/${table}/commands`, { type: "undo", id: newId(), n });
    } catch {
      // The table has moved on: its next message says where it is, and what can be done about it.
    }
  }

  // What comes from the table

  receive(message: Message): void {
    const before = this.#n;
    this.#message = message;
    this.#n = message.n;
    if (before < 0) {
      this.#reached = [{ n: message.n, step: 0 }];
      return;
    }
    if (message.n < before) this.#goBack(message.n);
    if (message.n <= before) return;
    const lines = message.events.filter((line) => /^\d /.test(line));
    if (lines.length >= message.n - before)
      lines.forEach((line, i) => this.#judge(line, message.n - lines.length + i + 1));
    else void this.#catchUp(before);
  }

  /** After a gap, read the missed lines from the log. */
  async #catchUp(before: number): Promise<void> {
    if (this.table === null) return;
    // Without an answer the reader can begin the part again.
    for (const { n, line } of await loadLog(this.table)) if (n > before && n <= this.#n) this.#judge(line, n);
  }

  #judge(line: string, n: number): void {
    const awaited = this.#awaited;
    if (!line.startsWith(OWN) || awaited < 0 || this.#astray !== null) return;
    if (isMeant(this.#steps[awaited]!, line.slice(2))) {
      this.#step = Math.min(awaited + 1, this.#steps.length - 1);
      this.#reached.push({ n, step: this.#step });
    } else this.#astray = n - 1;
  }

  #goBack(n: number): void {
    if (this.#astray !== null && n <= this.#astray) this.#astray = null;
    let isBack = false;
    while (this.#reached.length > 1 && this.#reached.at(-1)!.n > n) {
      this.#reached.pop();
      isBack = true;
    }
    if (isBack) this.#step = this.#reached.at(-1)!.step;
  }
}
