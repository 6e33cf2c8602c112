// Counts a number up to its value; finishing all motions shows the value at once.

import type { Stage } from "./stage";

interface Counting {
  before: number;
  after: number;
  /** Milliseconds until it begins, and until it is there. */
  wait: number;
  duration: number;
  write: (value: number) => string;
}

export function count(stage: Stage, element: Element, { before, after, wait, duration, write }: Counting): void {
  const text = [...element.childNodes].reverse().find((node) => node instanceof Text && node.data.trim() !== "");
  if (!(text instanceof Text)) return;
  const truth = text.data;
  const space = /^\s*/.exec(truth)![0];
  let isOver = false;
  const end = stage.restoring(() => {
    isOver = true;
    text.data = truth;
  });
  let begin = 0;
  const show = (now: number): void => {
    begin ||= now + wait;
    if (isOver) return;
    const part = duration === 0 ? Number(now >= begin) : Math.max(0, Math.min(1, (now - begin) / duration));
    if (part >= 1) {
      end();
      stage.pulse(element);
      return;
    }
    text.data = space + write(Math.round(before + (after - before) * part));
    requestAnimationFrame(show);
  };
  text.data = space + write(before);
  requestAnimationFrame(show);
}
