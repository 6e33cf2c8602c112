// A value of several parts in localStorage that nobody wants to lose: read again when another tab has written it, kept as it
// was found if it is damaged, and left alone if a newer page has written it.

import {
  onStored,
  removeStored,
  saveStored,
  saveStoredText,
  storedText,
  type StoredKey,
  type StoredName,
} from "./storage";

/** `damaged`: parts of it cannot be read, and a copy is kept; `newer`: from a newer page, nothing is written. */
export type KeptProblem = "damaged" | "newer" | null;

export interface ReadValue<T> {
  /** What is valid of it. */
  value: T;
  problem: KeptProblem;
}

export class KeptValue<T> {
  readonly #key: StoredName;
  readonly #read: (text: string | null) => ReadValue<T>;
  #value = $state.raw(undefined as T);
  #problem = $state.raw<KeptProblem>(null);
  #isFull = $state(false);
  #text: string | null = null;

  constructor(key: StoredName, read: (text: string | null) => ReadValue<T>) {
    this.#key = key;
    this.#read = read;
    this.refresh();
    onStored(key, () => this.refresh());
  }

  get value(): T {
    return this.#value;
  }

  get problem(): KeptProblem {
    return this.#problem;
  }

  /** Whether the last change could not be stored. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The text of a damaged value as it was found. */
  get damaged(): string | null {
    return storedText(this.#damagedKey);
  }

  get #damagedKey(): StoredKey {
    return `${this.#key}.damaged`;
  }

  discardDamaged(): void {
    removeStored(this.#damagedKey);
    if (this.#problem === "damaged") this.#problem = null;
  }

  /** Read what another tab may have written. */
  refresh(): void {
    const text = storedText(this.#key);
    if (text === this.#text && text !== null) return;
    this.#text = text;
    const { value, problem } = this.#read(text);
    this.#value = value;
    if (problem === "damaged" && text !== null && saveStoredText(this.#damagedKey, text)) this.write(value);
    this.#problem = problem ?? (this.damaged === null ? null : "damaged");
  }

  write(value: T): void {
    if (this.#problem === "newer") return;
    this.#value = value;
    this.#isFull = !saveStored(this.#key, value);
    this.#text = storedText(this.#key);
  }
}
