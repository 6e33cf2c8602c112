// Values in localStorage; where it is not available they last until the page is closed.

import { isEmbedded } from "../embed/mode";

const PREFIX = "granada.";

export function loadStored<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function saveStored(key: string, value: unknown): void {
  if (isEmbedded) return; // choices in a frame of another page are not those of the reader here
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A private window or a full store: the choice holds as long as the page.
  }
}
