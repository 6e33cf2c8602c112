// How requests reach the tables: over HTTP at a server, or through a worker on the device. Paths and JSON are the same.

import { httpTransport } from "./http_transport";

/** An answer; all bodies are texts. */
export interface Reply {
  status: number;
  mediaType: string;
  body: string;
}

/** There is no answer: no network, or the game does not run on this device. */
export class Unreachable extends Error {
  readonly code: string;

  /** The code of its message (`problem.CODE`); on the device it begins with `device_`. */
  constructor(code: string, detail = "") {
    super(detail || code);
    this.code = code;
  }
}

/** What a table needs of a WebSocket. */
export interface Channel {
  readonly readyState: number;
  addEventListener(type: "open" | "close", listener: () => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent<string>) => void): void;
  removeEventListener(type: "close", listener: () => void): void;
  send(text: string): void;
  close(): void;
}

export interface Transport {
  /** Ask for a path (`/api/…`, `/healthz`); rejects if there is no answer, with Unreachable where the reason is known. */
  request(method: string, path: string, body?: string, contentType?: string, signal?: AbortSignal): Promise<Reply>;
  /** Open a socket (`/api/tables/…/socket`); it opens later, and closes if it cannot. */
  socket(path: string): Channel;
}

/** How the tables of the device are stored; `new`: so far there are none. */
export type StorageState = "ok" | "new" | "memory" | "full" | "lost";

/** What the worker on the device reports. */
export interface DeviceListener {
  /** Bytes of Python that have arrived. */
  progress(loaded: number, total: number): void;
  ready(): void;
  /** Why the game cannot run here: a code with a message (`device.CODE`). */
  failed(code: string, detail: string): void;
  storage(state: StorageState): void;
}

/** The tables on the device (device_transport.ts). Requests wait until it is ready, and fail if it failed. */
export interface DeviceTransport extends Transport {
  /** Start the worker, and again after a failure. Idempotent while it runs. */
  start(): void;
}

let chosen: Transport = httpTransport;

export function transport(): Transport {
  return chosen;
}

/** Use another transport from now on. */
export function chooseTransport(other: Transport): void {
  chosen = other;
}
