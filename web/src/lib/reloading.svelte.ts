// What a reload of the page must wait for: the reader's turn, and commands that are not answered yet.

let inTurn = $state(false);
/** Those who hold a turn. Not state: when an effect ends, it would read the value that it began with. */
const turns = new Set<object>();
const unanswered = new Set<object>();
const waiting: (() => void)[] = [];

/** Whether the reader is in the middle of a turn. */
export function isInTurn(): boolean {
  return inTurn;
}

/** The reader is in the middle of a turn until the returned function is called. */
export function holdTurn(): () => void {
  const holder = {};
  turns.add(holder);
  inTurn = true;
  return () => {
    turns.delete(holder);
    inTurn = turns.size > 0;
  };
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
