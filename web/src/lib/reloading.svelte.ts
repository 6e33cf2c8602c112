// What a reload of the page must wait for: the reader's turn, and commands that are not answered yet.

import { untrack } from "svelte";

let turns = $state(0);
const unanswered = new Set<object>();
const waiting: (() => void)[] = [];

/** Whether the reader is in the middle of a turn. */
export function isInTurn(): boolean {
  return turns > 0;
}

/** The reader is in the middle of a turn until the returned function is called. */
export function holdTurn(): () => void {
  // An effect that holds a turn does not depend on the others.
  untrack(() => (turns += 1));
  return () => (turns -= 1);
}

/** A command was sent; call the returned function when it is answered. */
export function noteCommand(): () => void {
  const command = {};
  unanswered.add(command);
  return () => {
    unanswered.delete(command);
    if (unanswered.size === 0) for (const go of waiting.splice(0)) go();
  };
}

/** Wait until all commands are answered; false if that takes longer than the patience, in milliseconds. */
export function allAnswered(patience: number): Promise<boolean> {
  if (unanswered.size === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    waiting.push(() => resolve(true));
    setTimeout(() => resolve(false), patience);
  });
}
