// Whether a click is the first on something, or the second of a double click or double tap on it.

/** A stray click belongs to a double click, but the table has changed under the pointer since the first one. */
export type Tap = "key" | "single" | "second" | "stray";

export class DoubleTap {
  #what = "";

  /** `what` names the thing and the position of the table; browsers count the clicks of mouse and touch. */
  read({ detail }: MouseEvent, what: string): Tap {
    if (detail === 0) return "key";
    const isSecond = detail > 1 && what === this.#what;
    this.#what = isSecond ? "" : what;
    if (isSecond) return "second";
    return detail > 1 ? "stray" : "single";
  }
}
