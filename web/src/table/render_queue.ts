// Applies changes of the table one per frame, so that your action is drawn before the replies of fast opponents.

/** The longest time between two changes in milliseconds; a hidden page has no frames. */
const LONGEST = 100;

export class RenderQueue {
  #waiting: (() => void)[] = [];
  #isBusy = false;
  #isPaused = false;

  /** Apply a change now, or when those before it are drawn. */
  push(change: () => void): void {
    this.#waiting.push(change);
    if (!this.#isBusy) void this.#work();
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Keep changes in the queue until it is resumed. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isBusy) void this.#work();
  }

  /** Empty the queue. */
  stop(): void {
    this.#waiting = [];
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (!this.#isPaused) {
      const change = this.#waiting.shift();
      if (change === undefined) break;
      change();
      await drawn();
    }
    this.#isBusy = false;
  }
}

/** When the picture of this change is on the screen. */
function drawn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LONGEST);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}
