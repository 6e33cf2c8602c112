// Changes of the table, one a picture: the own action is drawn before the answers of quick opponents are worked out.

/** So many milliseconds pass at most between two changes; a hidden page draws no pictures. */
const LONGEST = 100;

export class OneByOne {
  #waiting: (() => void)[] = [];
  #isBusy = false;
  #isPaused = false;

  /** Make a change now, or when those before it are drawn. */
  take(change: () => void): void {
    this.#waiting.push(change);
    if (!this.#isBusy) void this.#work();
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Make no more changes until they are resumed; they wait in their order. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isBusy) void this.#work();
  }

  /** Forget what waits. */
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
