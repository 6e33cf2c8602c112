// Records of finished games that the reader keeps in this browser: they last even if the server removes the table.

import { openConnection } from "./database";

export interface KeptGame {
  /** The table that it was played at. */
  id: string;
  record: string;
  edition: string;
  modules: string[];
  names: string[];
  /** When it was kept, in milliseconds. */
  at: number;
}

interface Row {
  key: string;
  value: KeptGame;
}

const PREFIX = "kept:";

export async function keepGame(game: KeptGame): Promise<void> {
  await change((store) => store.put({ key: PREFIX + game.id, value: game } satisfies Row));
}

export async function removeGame(id: string): Promise<void> {
  await change((store) => store.delete(PREFIX + id));
}

/** All of them, the last one first; none if the browser has no database. */
export async function keptGames(): Promise<KeptGame[]> {
  try {
    const connection = await openConnection();
    const store = connection.transaction("meta").objectStore("meta");
    const reading = store.getAll(IDBKeyRange.bound(PREFIX, `${PREFIX}\uffff`)) as IDBRequest<Row[]>;
    const rows = await new Promise<Row[]>((resolve, reject) => {
      reading.onsuccess = () => resolve(reading.result);
      reading.onerror = () => reject(reading.error ?? new Error("request"));
    });
    connection.close();
    return rows.map(({ value }) => value).sort((one, other) => other.at - one.at);
  } catch {
    return [];
  }
}

async function change(work: (store: IDBObjectStore) => void): Promise<void> {
  const connection = await openConnection();
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = connection.transaction("meta", "readwrite", { durability: "strict" });
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("abort"));
      work(transaction.objectStore("meta"));
    });
  } finally {
    connection.close();
  }
}
