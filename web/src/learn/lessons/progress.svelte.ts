// Which lessons this browser has seen to their end.

import { loadStored, saveStored } from "$lib/storage";
import { LESSONS } from "./lessons";

const KEY = "lessons";
let done = $state<number[]>(loadStored<number[]>(KEY, []));

export function isDone(id: number): boolean {
  return done.includes(id);
}

export function countDone(): number {
  return LESSONS.filter(({ id }) => isDone(id)).length;
}

export function finish(id: number): void {
  if (isDone(id)) return;
  done = [...done, id];
  saveStored(KEY, done);
}

/** The first lesson that waits; the first of all when none does. */
export function nextLesson(): number {
  return (LESSONS.find(({ id }) => !isDone(id)) ?? LESSONS[0]!).id;
}
