// What this browser remembers; without permission to remember it forgets, and nothing breaks.

const PREFIX = "granada.";

export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // A private window or a full store: the choice holds as long as the page.
  }
}
