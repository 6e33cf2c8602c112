// Which lessons this browser has seen to their end.

import { recall, remember } from "$lib/memory";
import { LESSONS } from "./lessons";

const KEY = "lessons";
let done = $state<number[]>(recall<number[]>(KEY, []));

export function isDone(id: number): boolean {
  return done.includes(id);
}

export function countDone(): number {
  return LESSONS.filter(({ id }) => isDone(id)).length;
}

export function finish(id: number): void {
  if (isDone(id)) return;
  done = [...done, id];
  remember(KEY, done);
}

/** The first lesson that waits; the first of all when none does. */
export function nextLesson(): number {
  return (LESSONS.find(({ id }) => !isDone(id)) ?? LESSONS[0]!).id;
}
