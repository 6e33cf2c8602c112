// The worker of the bots, as the worker of the tables sees it: started on first use, and again after it has ended.

import type { FromBots, ToBots } from "./protocol";

interface Waiting<T> {
  resolve(value: T): void;
  reject(reason: Error): void;
}

export class Bots {
  readonly #runtime: string;
  #worker: Worker | null = null;
  #ready: Promise<void> | null = null;
  #starting: Waiting<void> | null = null;
  #receiving: Waiting<string> | null = null;
  #arrived: string[] = [];

  /** `runtime` is the URL of the runtime description. */
  constructor(runtime: string) {
    this.#runtime = runtime;
  }

  start(): Promise<void> {
    this.#ready ??= new Promise((resolve, reject) => {
      this.#starting = { resolve, reject };
      const worker = new Worker(new URL("./bots_worker.ts", import.meta.url), { type: "module", name: "bots" });
      worker.addEventListener("message", ({ data }: MessageEvent<FromBots>) => {
        if (this.#worker === worker) this.#take(data);
      });
      worker.addEventListener("error", (event) => {
        if (this.#worker === worker) this.#end(event.message || "it could not be loaded");
      });
      this.#worker = worker;
      this.#post({ type: "start", runtime: this.#runtime });
    });
    return this.#ready;
  }

  send(text: string): void {
    this.#arrived = [];
    this.#post({ type: "job", text });
  }

  receive(): Promise<string> {
    const next = this.#arrived.shift();
    if (next !== undefined) return Promise.resolve(next);
    if (!this.#worker) return Promise.reject(new Error("it is not running"));
    return new Promise((resolve, reject) => (this.#receiving = { resolve, reject }));
  }

  kill(): void {
    this.#end("it was stopped");
  }

  #post(message: ToBots): void {
    this.#worker?.postMessage(message);
  }

  #take(message: FromBots): void {
    if (message.type === "failed") this.#end(message.detail);
    else if (message.type === "ready") {
      this.#starting?.resolve();
      this.#starting = null;
    } else if (this.#receiving) {
      this.#receiving.resolve(message.text);
      this.#receiving = null;
    } else this.#arrived.push(message.text);
  }

  #end(reason: string): void {
    this.#worker?.terminate();
    this.#starting?.reject(new Error(reason));
    this.#receiving?.reject(new Error(reason));
    this.#worker = this.#ready = this.#starting = this.#receiving = null;
    this.#arrived = [];
  }
}
