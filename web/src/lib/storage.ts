// Values in localStorage; where it is not available they last until the page is closed.

import { isEmbedded } from "../embed/mode";

const PREFIX = "granada.";
/** All values; you/Stored.svelte names what each of them is. */
export type StoredName =
  | "alerts"
  | "bots"
  | "commitments"
  | "daily"
  | "games_changed"
  | "language"
  | "lessons"
  | "muted"
  | "name"
  | "pad"
  | "puzzles"
  | "server"
  | "settings"
  | "setup"
  | "tables"
  | "tables_going"
  | "tables_hidden"
  | "token"
  | "you";
/** Of some values a copy is stored when they are found to be damaged. */
export type StoredKey = StoredName | `${StoredName}.damaged`;

export function loadStored<T>(key: StoredKey, otherwise: T): T {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** Returns whether it is kept: not in a private window, or if the store is full; then it holds as long as the page. */
export function saveStored(key: StoredKey, value: unknown): boolean {
  return saveStoredText(key, JSON.stringify(value));
}

/** The text of a stored value, as it is; null if there is none. */
export function storedText(key: StoredKey): string | null {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** Returns whether it is kept. */
export function saveStoredText(key: StoredKey, text: string): boolean {
  if (isEmbedded) return false; // choices in a frame of another page are not those of the reader here
  try {
    localStorage.setItem(PREFIX + key, text);
    return true;
  } catch {
    return false;
  }
}

export function removeStored(key: StoredKey): void {
  try {
    localStorage.removeItem(PREFIX + key);
  } catch {
    // There is no store, so there is nothing in it.
  }
}

/** Call a function when another tab has changed a value; returns a function that stops this. */
export function onStored(key: StoredKey, changed: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === PREFIX + key || event.key === null) changed();
  };
  addEventListener("storage", listen);
  return () => removeEventListener("storage", listen);
}
