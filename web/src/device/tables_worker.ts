// The worker of the tables: Python with everything that a server would do, for the pages of this tab.

import { Bots } from "./bots";
import { DatabaseFailure, openDatabase, type Database } from "./database";
import { installNetwork } from "./network";
import type { FailureCode, FromWorker, ToWorker } from "./protocol";
import { loadPython, PythonFailure } from "./python";
import { TabChannel, TabLocks } from "./tabs";

/** What Python gets (granada.browser.bridge). */
interface Bridge {
  database: Database;
  bots: Bots;
  reviews: Bots;
  channel: TabChannel;
  locks: TabLocks;
}

/** The module granada.browser.app. */
interface App {
  start(bridge: Bridge, pause: number, think: number, nodes: number, limit: number): Promise<Dispatcher>;
}

/** A granada.browser.dispatcher.Dispatcher. */
interface Dispatcher {
  request(method: string, path: string, contentType: string, body: string, id: number): Promise<PythonReply>;
  cancel(id: number): void;
  open(id: number, path: string, send: (kind: string, value: string | number) => void): void;
  receive(id: number, text: string): void;
  close(id: number): void;
}

/** Objects of Python are released by hand. */
interface PythonReply {
  status: number;
  media_type: string;
  body: { decode(): string; destroy(): void };
  destroy(): void;
}

type Start = Extract<ToWorker, { type: "start" }>;
type Asked = Exclude<ToWorker, Start>;

const scope = self as unknown as {
  postMessage(message: FromWorker): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToWorker>) => void): void;
};
/** Messages of the page that wait until the tables run. */
const early: Asked[] = [];
let dispatcher: Dispatcher | null = null;

async function start({ runtime, bots, memory }: Start): Promise<void> {
  const [python, database] = await Promise.all([
    loadPython(runtime, (loaded, total) => scope.postMessage({ type: "progress", loaded, total })),
    openDatabase((state) => scope.postMessage({ type: "storage", state }), memory),
  ]);
  installNetwork(python);
  const app = python.pyimport("granada.browser.app") as App;
  const bridge: Bridge = {
    database,
    bots: new Bots(runtime),
    reviews: new Bots(runtime),
    channel: new TabChannel(),
    locks: new TabLocks(),
  };
  dispatcher = await app.start(bridge, bots.pause, bots.think, bots.nodes, bots.limit);
  scope.postMessage({ type: "ready" });
  for (const message of early) take(dispatcher, message);
  early.length = 0;
}

function take(tables: Dispatcher, message: Asked): void {
  try {
    if (message.type === "request") request(tables, message).catch(fail);
    else if (message.type === "cancel") tables.cancel(message.id);
    else if (message.type === "open") open(tables, message.id, message.path);
    else if (message.type === "send") tables.receive(message.id, message.text);
    else tables.close(message.id);
  } catch (error) {
    fail(error);
  }
}

async function request(tables: Dispatcher, asked: Extract<Asked, { type: "request" }>): Promise<void> {
  const { id, method, path, contentType, body } = asked;
  const reply = await tables.request(method, path, contentType, body, id);
  const content = reply.body;
  scope.postMessage({
    type: "response",
    id,
    status: reply.status,
    mediaType: reply.media_type,
    body: content.decode(),
  });
  content.destroy();
  reply.destroy();
}

function open(tables: Dispatcher, id: number, path: string): void {
  tables.open(id, path, (kind, value) => {
    if (kind === "message") scope.postMessage({ type: "message", id, text: String(value) });
    else if (kind === "opened") scope.postMessage({ type: "opened", id });
    else scope.postMessage({ type: "closed", id, code: Number(value) });
  });
}

/** Requests that fail get an answer from Python; what arrives here is a failure of the interpreter. */
function fail(error: unknown): void {
  scope.postMessage({ type: "failed", code: codeOf(error), detail: String(error) });
}

function codeOf(error: unknown): FailureCode {
  if (error instanceof PythonFailure || error instanceof DatabaseFailure) return error.code;
  return dispatcher ? "crashed" : "internal";
}

scope.addEventListener("message", ({ data }) => {
  if (data.type === "start") start(data).catch(fail);
  else if (dispatcher) take(dispatcher, data);
  else early.push(data);
});
