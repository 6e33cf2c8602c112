// The list of all puzzles.

import { get, type ListedPuzzle, type PuzzleList } from "$lib/api";

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
