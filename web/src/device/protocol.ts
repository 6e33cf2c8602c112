// The messages between the page and the worker that runs the tables on this device.

import type { StorageState } from "$lib/transport";

export type { StorageState };

/**
 * Why the worker cannot run: Python could not be loaded (the codes of PythonFailure), the database was written by a
 * newer version (`newer_database`) or cannot be read (`database`), or the worker died (`crashed`).
 */
export type FailureCode =
  "download" | "unsupported" | "memory" | "internal" | "newer_database" | "database" | "crashed";

/** As the settings of a server: the most seconds that bots wait for people, and the seconds for which they think. */
export interface BotSettings {
  pause: number;
  think: number;
  /** The most positions of a search; 0 sets no limit. */
  nodes: number;
  /** Seconds after which a bot is stopped. */
  limit: number;
}

export type ToWorker =
  /** `runtime` is the URL of the runtime description; in `memory` nothing is stored, and the database is not touched. */
  | { type: "start"; runtime: string; bots: BotSettings; memory: boolean }
  | { type: "request"; id: number; method: string; path: string; contentType: string; body: string }
  | { type: "cancel"; id: number }
  | { type: "open"; id: number; path: string }
  | { type: "send"; id: number; text: string }
  | { type: "close"; id: number };

export type FromWorker =
  /** In bytes. */
  | { type: "progress"; loaded: number; total: number }
  | { type: "ready" }
  | { type: "failed"; code: FailureCode; detail: string }
  | { type: "response"; id: number; status: number; mediaType: string; body: string }
  | { type: "opened"; id: number }
  | { type: "message"; id: number; text: string }
  | { type: "closed"; id: number; code: number }
  | { type: "storage"; state: StorageState };

/** To the worker of the bots. */
export type ToBots = { type: "start"; runtime: string } | { type: "job"; text: string };

/** From the worker of the bots. */
export type FromBots =
  | { type: "ready" }
  | { type: "failed"; detail: string }
  /** Progress or the answer to a job, as JSON. */
  | { type: "answer"; text: string };
