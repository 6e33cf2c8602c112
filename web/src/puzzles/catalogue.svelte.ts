// What of the list of puzzles the reader wants to see, and which comes next.

import type { ListedPuzzle } from "$lib/api";
import { levels } from "$lib/box";
import { profile } from "../you/profile.svelte";
import { nextPuzzle } from "./next_puzzle";
import { allPuzzles } from "./puzzle_list.svelte";

/** What a reader may choose from; null for everything. */
export interface Filter {
  theme: string | null;
  grade: string | null;
  edition: string | null;
}

class Catalogue {
  filter = $state.raw<Filter>({ theme: null, grade: null, edition: null });

  get list(): readonly ListedPuzzle[] | null {
    return allPuzzles.list;
  }

  /** Choose one of a kind, or all if it is chosen already. */
  choose(kind: keyof Filter, value: string | null): void {
    this.filter = { ...this.filter, [kind]: this.filter[kind] === value ? null : value };
  }

  readonly shown = $derived.by((): readonly ListedPuzzle[] => this.#fitting(this.filter));

  /** How many there are of each value of a kind, with the other choices as they are. */
  countsOf(kind: keyof Filter): Map<string, number> {
    const found = new Map<string, number>();
    for (const puzzle of this.#fitting({ ...this.filter, [kind]: null }))
      for (const value of valuesOf(puzzle, kind)) found.set(value, (found.get(value) ?? 0) + 1);
    return found;
  }

  /** All values of a kind: levels from weak to strong, others from many puzzles to few. */
  valuesOf(kind: keyof Filter): string[] {
    const counts = new Map<string, number>();
    for (const value of (this.list ?? []).flatMap((puzzle) => valuesOf(puzzle, kind)))
      counts.set(value, (counts.get(value) ?? 0) + 1);
    const place = (value: string) => (kind === "grade" ? levels().indexOf(value) : -counts.get(value)!);
    return [...counts.keys()].sort((one, other) => place(one) - place(other));
  }

  /** The next one of those that are shown; null if none is left. */
  next(except: number | null = null): number | null {
    return nextPuzzle(this.shown, profile.puzzles.value, except)?.id ?? null;
  }

  #fitting(filter: Filter): ListedPuzzle[] {
    const kinds = Object.entries(filter) as [keyof Filter, string | null][];
    return (this.list ?? []).filter((puzzle) =>
      kinds.every(([kind, value]) => value === null || valuesOf(puzzle, kind).includes(value)),
    );
  }
}

function valuesOf(puzzle: ListedPuzzle, kind: keyof Filter): string[] {
  return kind === "theme" ? puzzle.themes : [puzzle[kind]];
}

export const catalogue = new Catalogue();
