// Deleting everything that the page keeps in this browser.

import { DATABASE } from "../device/database";

const PREFIX = "granada.";
/** Written while everything is deleted, so that other tabs leave what they have in memory (main.ts). */
const ERASED = "granada.erased";

export interface Kept {
  key: string;
  /** Characters. */
  size: number;
}

/** What is kept in the storage for small values. */
export function keptValues(): Kept[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => ({ key: key.slice(PREFIX.length), size: localStorage.getItem(key)?.length ?? 0 }));
  } catch {
    return [];
  }
}

/** Delete all games, settings and lists. Files of the page itself stay, so that it still works without a network. */
export async function eraseAll(): Promise<void> {
  try {
    localStorage.setItem(ERASED, String(Date.now()));
  } catch {
    // Nothing can be stored, so other tabs have stored nothing either.
  }
  await clearDatabase();
  for (const store of [sessionStorage, localStorage])
    for (const key of Object.keys(store)) if (key.startsWith(PREFIX)) store.removeItem(key);
}

/** Say on the next page that it is done. */
export function rememberErased(): void {
  sessionStorage.setItem(ERASED, "1");
}

export function recallErased(): boolean {
  const found = sessionStorage.getItem(ERASED) !== null;
  sessionStorage.removeItem(ERASED);
  return found;
}

/** Its stores are emptied, because a database cannot be deleted while another tab has it open. */
async function clearDatabase(): Promise<void> {
  const connection = await opened();
  if (connection === null) return;
  const names = [...connection.objectStoreNames];
  try {
    if (names.length === 0) return;
    await new Promise<void>((resolve, reject) => {
      const transaction = connection.transaction(names, "readwrite", { durability: "strict" });
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("abort"));
      for (const name of names) transaction.objectStore(name).clear();
    });
  } finally {
    connection.close();
  }
}

/** The database of any version; null if there is none. */
function opened(): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    if (typeof indexedDB === "undefined") {
      resolve(null);
      return;
    }
    const opening = indexedDB.open(DATABASE);
    // It doesn't exist; don't create it.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => {
      if (opening.error?.name === "AbortError") resolve(null);
      else reject(opening.error ?? new Error("open"));
    };
  });
}
