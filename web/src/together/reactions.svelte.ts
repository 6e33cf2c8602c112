// Quick reactions at a table: what others send, and what the reader may send.

import type { Command, Message, Reacted } from "$lib/api";
import { isSite } from "$lib/base";
import type { TableSocket } from "../table/socket";
import { isPersonMuted, isTableMuted } from "./muting.svelte";

export type Reaction = Extract<Command, { type: "react" }>["reaction"];
/** In the order of their keys; "well played" is for the end. */
export const REACTIONS = ["exact", "wall", "ouch", "think", "thanks", "luck"] as const satisfies readonly Reaction[];

/** A reaction that is shown for a while at its seat. */
export interface Bubble {
  key: number;
  seat: number;
  reaction: string;
}

/** How long a bubble stays, and how long the next own reaction has to wait, in milliseconds. */
const SHOWN = 2500;
const INTERVAL = 10_000;

/** What the reactions have to know of the game. */
interface Playing {
  readonly message: Message | null;
  readonly seat: number | null;
  readonly socket: TableSocket;
}

export class Reactions {
  bubbles = $state.raw<Bubble[]>([]);
  /** The seats that said "well played". */
  praise = $state.raw<number[]>([]);
  isOpen = $state(false);
  /** Whether the next one has to wait. */
  isResting = $state(false);
  readonly #game: Playing;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #count = 0;

  constructor(game: Playing) {
    this.#game = game;
  }

  /** The other people at the table. */
  get others(): { seat: number; name: string }[] {
    return this.#game.message?.table.seats.filter(({ kind, is_yours }) => kind === "person" && !is_yours) ?? [];
  }

  /** Whether somebody who is there can react: no bots, and no one on the same device. */
  get areThere(): boolean {
    return !isSite && this.others.length > 0;
  }

  /** Whether the reader plays with others, and so may react. */
  get mayReact(): boolean {
    const { message } = this.#game;
    const isPlaying = message?.table.seats.some(({ is_yours }) => is_yours) ?? false;
    return this.areThere && isPlaying && message?.table.phase !== "lobby";
  }

  get isMuted(): boolean {
    const table = this.#game.message?.table;
    return table !== undefined && isTableMuted(table.id, table.previous);
  }

  /** Send a reaction; returns whether it was sent. */
  send(reaction: Reaction): boolean {
    if (!this.mayReact || this.isResting) return false;
    if (!this.#game.socket.react(reaction, this.#game.seat)) return false;
    this.isOpen = false;
    this.isResting = true;
    this.#later(() => (this.isResting = false), INTERVAL);
    return true;
  }

  /** A reaction has arrived; the reader's own comes back as an answer. */
  receive({ seat, reaction }: Reacted): void {
    const info = this.#game.message?.table.seats[seat - 1];
    if (info === undefined || (!info.is_yours && (this.isMuted || isPersonMuted(info.name)))) return;
    if (reaction === "well" && !this.praise.includes(seat)) this.praise = [...this.praise, seat];
    const bubble = { key: (this.#count += 1), seat, reaction };
    this.bubbles = [...this.bubbles.filter((one) => one.seat !== seat), bubble];
    this.#later(() => (this.bubbles = this.bubbles.filter((one) => one !== bubble)), SHOWN);
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #later(then: () => void, milliseconds: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
    }, milliseconds);
    this.#timers.add(timer);
  }
}
