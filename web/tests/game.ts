// Games as a browser has them: real messages of a server come in by a socket that goes nowhere.

import { vi } from "vitest";
import type { Message } from "$lib/api";
import { Game } from "../src/table/game.svelte";
import { Turn } from "../src/table/turn.svelte";
import { Questions } from "../src/table/questions.svelte";
import act from "./messages/act.json";
import place from "./messages/place.json";

/** The decision of a turn of the combined game, with seven cards, and the placing of three tiles at its end. */
export const MESSAGES = { act, place } as unknown as Record<"act" | "place", Message>;

class Socket extends EventTarget {
  static readonly OPEN = 1;
  static last: Socket;
  readonly readyState = Socket.OPEN;
  readonly sent: string[] = [];

  constructor() {
    super();
    Socket.last = this;
  }

  send(text: string): void {
    this.sent.push(text);
  }

  readonly close = () => {};
}

vi.stubGlobal("WebSocket", Socket);

/** A table after a message, changed in parts. */
export function tableAfter(name: keyof typeof MESSAGES, change: (message: Message) => void = () => {}) {
  const message = structuredClone(MESSAGES[name]);
  change(message);
  const game = new Game(message.table.id);
  const socket = Socket.last;
  socket.dispatchEvent(new Event("open"));
  const receive = (message: Message): void => {
    socket.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(message) }));
  };
  receive(message);
  const turn = new Turn(game);
  turn.renew();
  /** The commands that went to the server. */
  const sent = () => socket.sent.map((text) => JSON.parse(text) as { type: string; action?: string });
  return { game, turn, questions: new Questions(game, turn), message, sent };
}
