// The other tabs of this site: messages to them, and locks among them. Without support a tab works on its own.

/** Messages to and from the other tabs. */
export class TabChannel {
  readonly #channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("granada");
  readonly #arrived: string[] = [];
  #waiting: ((message: string) => void) | null = null;

  constructor() {
    this.#channel?.addEventListener("message", ({ data }: MessageEvent<string>) => {
      if (this.#waiting) this.#waiting(data);
      else this.#arrived.push(data);
      this.#waiting = null;
    });
  }

  send(message: string): void {
    this.#channel?.postMessage(message);
  }

  receive(): Promise<string> {
    const next = this.#arrived.shift();
    return next === undefined ? new Promise((resolve) => (this.#waiting = resolve)) : Promise.resolve(next);
  }
}

/** Locks that end with their tab. */
export class TabLocks {
  readonly #held = new Map<string, () => void>();

  take(name: string): Promise<boolean> {
    if (!("locks" in navigator)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const hold = (lock: Lock | null): Promise<void> | undefined => {
        if (lock === null) {
          resolve(false);
          return undefined;
        }
        return new Promise((release) => {
          this.#held.set(name, release);
          resolve(true);
        });
      };
      // A browser that refuses locks to this page runs it on its own.
      navigator.locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(true));
    });
  }

  release(name: string): void {
    this.#held.get(name)?.();
    this.#held.delete(name);
  }
}
