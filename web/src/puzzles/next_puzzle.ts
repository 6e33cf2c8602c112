// Which puzzle comes next.

import { answers } from "./answers.svelte";

/** What the choice depends on. */
interface Rated {
  id: number;
  rating: number;
}

/**
 * The next puzzle of a list: a failed one that is due, else the new one nearest to the reader's rating, else any that is
 * not solved yet; null if none is left.
 */
export function nextPuzzle<P extends Rated>(
  from: readonly P[],
  rating: number,
  except: number | null = null,
): P | null {
  const open = from.filter(({ id }) => id !== except && answers.stateOf(id) !== "solved");
  const failed = open.filter(({ id }) => answers.stateOf(id) === "failed");
  const due = failed.filter(({ id }) => answers.isDue(id));
  const fresh = open.filter(({ id }) => answers.stateOf(id) === "new");
  const near = least(fresh, (puzzle) => Math.abs(puzzle.rating - rating));
  const oldest = (some: P[]) => least(some, ({ id }) => -answers.ageOf(id));
  return oldest(due) ?? near ?? oldest(failed) ?? null;
}

function least<P extends Rated>(from: readonly P[], size: (puzzle: P) => number): P | undefined {
  return [...from].sort((one, other) => size(one) - size(other) || one.id - other.id)[0];
}
