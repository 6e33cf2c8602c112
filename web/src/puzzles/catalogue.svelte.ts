// The list of all puzzles, what of it the reader wants to see, and which comes next.

import { get, type ListedPuzzle, type PuzzleList } from "$lib/api";
import { levels } from "$lib/box";
import { profile } from "../you/profile.svelte";
import { progress } from "./progress.svelte";

/** What a reader may choose from; null for everything. */
export interface Filter {
  theme: string | null;
  grade: string | null;
  edition: string | null;
}

class Catalogue {
  list = $state.raw<readonly ListedPuzzle[] | null>(null);
  filter = $state.raw<Filter>({ theme: null, grade: null, edition: null });
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

  /**
   * The next puzzle: a failed one that is due, else the new one nearest to the reader's rating, else any that is not
   * solved yet; null if none is left.
   */
  next(except: number | null = null): number | null {
    const open = this.shown.filter(({ id }) => id !== except && progress.stateOf(id) !== "solved");
    const failed = open.filter(({ id }) => progress.stateOf(id) === "failed");
    const due = failed.filter(({ id }) => progress.isDue(id));
    const fresh = open.filter(({ id }) => progress.stateOf(id) === "new");
    const { value } = profile.puzzles;
    const near = least(fresh, ({ rating }) => Math.abs(rating - value));
    const oldest = (from: ListedPuzzle[]) => least(from, ({ id }) => -progress.ageOf(id));
    return (oldest(due) ?? near ?? oldest(failed))?.id ?? null;
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

function least(from: readonly ListedPuzzle[], size: (puzzle: ListedPuzzle) => number): ListedPuzzle | undefined {
  return [...from].sort((one, other) => size(one) - size(other) || one.id - other.id)[0];
}

export const catalogue = new Catalogue();
