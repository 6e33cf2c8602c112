// The list of all puzzles, and which of them comes next.

import { get, type ListedPuzzle, type PuzzleList } from "$lib/api";
import { answers } from "./answers.svelte";

class AllPuzzles {
  list = $state.raw<readonly ListedPuzzle[] | null>(null);
  #loading: Promise<void> | null = null;

  /** Asked for once, and again if there was no answer. */
  load(): Promise<void> {
    this.#loading ??= get<PuzzleList>("/puzzles").then(
      ({ puzzles }) => void (this.list = puzzles),
      (error: unknown) => {
        this.#loading = null;
        throw error;
      },
    );
    return this.#loading;
  }
}

export const allPuzzles = new AllPuzzles();

/**
 * The next puzzle of a list: a failed one that is due, else the new one nearest to the reader's rating, else any that is
 * not solved yet; null if none is left.
 */
export function nextPuzzle(
  from: readonly ListedPuzzle[],
  rating: number,
  except: number | null = null,
): ListedPuzzle | null {
  const open = from.filter(({ id }) => id !== except && answers.stateOf(id) !== "solved");
  const failed = open.filter(({ id }) => answers.stateOf(id) === "failed");
  const due = failed.filter(({ id }) => answers.isDue(id));
  const fresh = open.filter(({ id }) => answers.stateOf(id) === "new");
  const near = least(fresh, (puzzle) => Math.abs(puzzle.rating - rating));
  const oldest = (some: ListedPuzzle[]) => least(some, ({ id }) => -answers.ageOf(id));
  return oldest(due) ?? near ?? oldest(failed) ?? null;
}

function least(from: readonly ListedPuzzle[], size: (puzzle: ListedPuzzle) => number): ListedPuzzle | undefined {
  return [...from].sort((one, other) => size(one) - size(other) || one.id - other.id)[0];
}
