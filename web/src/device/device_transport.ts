// The tables on this device: the page's side of the worker that runs them.

import { runtimeAddress } from "$lib/base";
import { loadStored } from "$lib/storage";
import { Unreachable, type Channel, type DeviceListener, type DeviceTransport, type Reply } from "$lib/transport";
import type { BotSettings, FromWorker, ToWorker } from "./protocol";

/** As on a server; others can be stored in the browser. */
const BOTS: BotSettings = { pause: 4, think: 1, nodes: 0, limit: 20 };

interface Waiting {
  resolve(reply: Reply): void;
  reject(reason: unknown): void;
}

/**
 * Return the tables on this device; they start when they are asked for the first time, or by `start`. In `memory` nothing
 * is stored.
 */
export function deviceTransport(listener: DeviceListener, memory = false): DeviceTransport {
  const device = new Device(listener, memory);
  openToScripts(device);
  return device;
}

/** Scripts in the page can use the API of the tables, as they could use that of a server with `fetch`. */
function openToScripts(device: Device): void {
  Object.assign(globalThis, {
    granada: {
      isReady: () => device.isReady,
      request: async (...asked: Parameters<Device["request"]>) => {
        const { status, mediaType, body } = await device.request(...asked);
        return new Response(body || null, { status, headers: { "content-type": mediaType } });
      },
    },
  });
}

function botSettings(): BotSettings {
  return { ...BOTS, ...loadStored<Partial<BotSettings>>("bots", {}) };
}

class Device implements DeviceTransport {
  readonly #listener: DeviceListener;
  readonly #memory: boolean;
  readonly #waiting = new Map<number, Waiting>();
  readonly #sockets = new Map<number, DeviceSocket>();
  #worker: Worker | null = null;
  #failure: Unreachable | null = null;
  #count = 0;
  isReady = false;

  constructor(listener: DeviceListener, memory: boolean) {
    this.#listener = listener;
    this.#memory = memory;
  }

  start(): void {
    if (this.#worker) return;
    this.#failure = null;
    const worker = new Worker(new URL("./tables_worker.ts", import.meta.url), { type: "module", name: "tables" });
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if (this.#worker === worker) this.#take(data);
    });
    worker.addEventListener("error", (event) => {
      // Without a message the script of the worker did not arrive.
      if (this.#worker === worker) this.#fail(event.message ? "crashed" : "download", event.message);
    });
    this.#worker = worker;
    this.post({ type: "start", runtime: runtimeAddress(), bots: botSettings(), memory: this.#memory });
  }

  request(method: string, path: string, body = "", contentType = "application/json", signal?: AbortSignal) {
    return new Promise<Reply>((resolve, reject) => {
      signal?.throwIfAborted();
      this.#wake();
      if (this.#failure) throw this.#failure;
      const id = ++this.#count;
      this.#waiting.set(id, { resolve, reject });
      signal?.addEventListener("abort", () => {
        if (!this.#waiting.delete(id)) return;
        this.post({ type: "cancel", id });
        reject(signal.reason as Error);
      });
      this.post({ type: "request", id, method, path, contentType, body });
    });
  }

  socket(path: string): Channel {
    this.#wake();
    const id = ++this.#count;
    const socket = new DeviceSocket((message) => {
      if (message.type === "close") this.#sockets.delete(id);
      this.post({ ...message, id });
    });
    if (this.#failure) {
      queueMicrotask(() => socket.closed());
      return socket;
    }
    this.#sockets.set(id, socket);
    this.post({ type: "open", id, path });
    return socket;
  }

  post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  /** Start for the first request; after a failure only `start` tries again. */
  #wake(): void {
    if (!this.#failure) this.start();
  }

  #take(message: FromWorker): void {
    switch (message.type) {
      case "progress":
        this.#listener.progress(message.loaded, message.total);
        break;
      case "ready":
        this.isReady = true;
        this.#listener.ready();
        break;
      case "storage":
        this.#listener.storage(message.state);
        break;
      case "failed":
        this.#fail(message.code, message.detail);
        break;
      case "response":
        this.#waiting.get(message.id)?.resolve(message);
        this.#waiting.delete(message.id);
        break;
      case "opened":
        this.#sockets.get(message.id)?.opened();
        break;
      case "message":
        this.#sockets.get(message.id)?.received(message.text);
        break;
      case "closed":
        this.#sockets.get(message.id)?.closed();
        this.#sockets.delete(message.id);
    }
  }

  /** End the worker, and with it everything that waits for it. */
  #fail(code: string, detail: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.isReady = false;
    const failure = (this.#failure = new Unreachable(`device_${code}`, detail));
    const waiting = [...this.#waiting.values()];
    const sockets = [...this.#sockets.values()];
    this.#waiting.clear();
    this.#sockets.clear();
    this.#listener.failed(code, detail);
    for (const one of waiting) one.reject(failure);
    for (const socket of sockets) socket.closed();
  }
}

type SocketMessage = { type: "send"; text: string } | { type: "close" };

/** A socket of a table, with the interface of a WebSocket. */
class DeviceSocket extends EventTarget implements Channel {
  readyState: number = WebSocket.CONNECTING;
  readonly #post: (message: SocketMessage) => void;

  constructor(post: (message: SocketMessage) => void) {
    super();
    this.#post = post;
  }

  override addEventListener(type: string, listener: unknown): void {
    super.addEventListener(type, listener as EventListener);
  }

  opened(): void {
    if (this.readyState !== WebSocket.CONNECTING) return;
    this.readyState = WebSocket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  received(text: string): void {
    if (this.readyState === WebSocket.OPEN) this.dispatchEvent(new MessageEvent("message", { data: text }));
  }

  closed(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new Event("close"));
  }

  send(text: string): void {
    if (this.readyState === WebSocket.OPEN) this.#post({ type: "send", text });
  }

  close(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.#post({ type: "close" });
    queueMicrotask(() => this.closed());
  }
}
