// Counts a number up to its value; finishing all motions shows the value at once.

import type { Stage } from "./stage";

interface Counting {
  before: number;
  after: number;
  /** Milliseconds until it begins, and until it is there. */
  wait: number;
  duration: number;
  write: (value: number) => string;
  /** What it waits for first. */
  landing?: Promise<unknown>;
}

export function count(stage: Stage, element: Element, counting: Counting): void {
  const { before, after, wait, duration, write, landing = Promise.resolve() } = counting;
  const text = [...element.childNodes].reverse().find((node) => node instanceof Text && node.data.trim() !== "");
  if (!(text instanceof Text)) return;
  const truth = text.data;
  const space = /^\s*/.exec(truth)![0];
  let isOver = false;
  let written = "";
  const put = (value: number): void => void (text.data = written = space + write(Math.round(value)));
  const end = stage.restoring(() => {
    isOver = true;
    // A number that has been drawn again is true as it is.
    if (text.data === written) text.data = truth;
  });
  let begin = 0;
  const show = (now: number): void => {
    begin ||= now + wait;
    if (isOver || text.data !== written) return;
    const part = duration === 0 ? Number(now >= begin) : Math.max(0, Math.min(1, (now - begin) / duration));
    if (part >= 1) {
      end();
      stage.pulse(element);
      return;
    }
    put(before + (after - before) * part);
    requestAnimationFrame(show);
  };
  put(before);
  void landing.then(() => requestAnimationFrame(show));
}
