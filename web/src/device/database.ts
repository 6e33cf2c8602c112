// The entries of tables on this device: in IndexedDB, or in memory where there is no database (some private windows).

import type { StorageState } from "./protocol";

export const DATABASE = "granada";
export const DATABASE_VERSION = 1;

export interface EntryRow {
  table_id: string;
  version: number;
  at: number;
  /** The key of the command that caused it; unique at its table. */
  command?: string;
  /** JSON. */
  body: string;
}

export interface TableRow {
  id: string;
  phase: string;
  is_public: boolean;
  created_at: number;
  /** JSON. */
  listing: string;
}

/** What Python gets (granada.browser.bridge): lists and objects as JSON. */
export interface Database {
  readonly is_shared: boolean;
  /** False if its version or its command is already stored, or the version before it is not. */
  append(entry: string, listing: string): Promise<boolean>;
  entries(table: string, after: number): Promise<string>;
  version(table: string): Promise<number>;
  executed(table: string, command: string): Promise<boolean>;
  tables(phase: string): Promise<string>;
  changes(): Promise<string>;
  latest(): Promise<number>;
  remove(table: string, before: number): Promise<boolean>;
  /** The values of all keys that begin with a prefix. */
  values(prefix: string): Promise<string>;
  /** Replace a value ("": none) if it still is the one before. */
  exchange(key: string, before: string, after: string): Promise<boolean>;
  secret(): Promise<string>;
}

interface MetaRow {
  key: string;
  value: string;
}

/** Why the database cannot be opened. */
export class DatabaseFailure extends Error {
  constructor(
    readonly code: "newer_database" | "database",
    cause: unknown,
  ) {
    super(nameOf(cause), { cause });
  }
}

/** Open the database of this device; without the database, `mustExist` refuses to create an empty one. */
export function openConnection(mustExist = false): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, DATABASE_VERSION);
    opening.onupgradeneeded = () => {
      if (mustExist) opening.transaction?.abort();
      else createStores(opening.result);
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error("open"));
  });
}

function createStores(connection: IDBDatabase): void {
  const entries = connection.createObjectStore("entries", { keyPath: ["table_id", "version"] });
  entries.createIndex("command", ["table_id", "command"], { unique: true });
  entries.createIndex("at", "at");
  const tables = connection.createObjectStore("tables", { keyPath: "id" });
  tables.createIndex("phase", "phase");
  connection.createObjectStore("meta", { keyPath: "key" });
}

/**
 * Return the database of this device; in memory if the browser has none, or no room for it, or `memory` is asked for. Rejects with
 * DatabaseFailure. `onState` is called with its first state and after every change of it.
 */
export async function openDatabase(onState: (state: StorageState) => void, memory = false): Promise<Database> {
  try {
    if (!memory) return await IndexedDatabase.open(onState);
  } catch (error) {
    if (nameOf(error) === "VersionError") throw new DatabaseFailure("newer_database", error);
    if (!isWithoutDatabase(error)) throw new DatabaseFailure("database", error);
  }
  onState("memory");
  return new MemoryDatabase();
}

/** Whether the browser does not let this page use any database, or has no room for one. */
function isWithoutDatabase(error: unknown): boolean {
  const without = ["SecurityError", "InvalidStateError", "QuotaExceededError"];
  return typeof indexedDB === "undefined" || without.includes(nameOf(error));
}

class IndexedDatabase implements Database {
  readonly is_shared = true;
  readonly #onState: (state: StorageState) => void;
  readonly #secret: string;
  #connection: IDBDatabase;
  #state: StorageState = "ok";
  #reopening: Promise<void> | null = null;

  private constructor(connection: IDBDatabase, { secret, isNew }: Secret, onState: (state: StorageState) => void) {
    this.#secret = secret;
    this.#onState = onState;
    this.#connection = connection;
    this.#watch(connection);
    onState(isNew ? "new" : "ok");
  }

  static async open(onState: (state: StorageState) => void): Promise<IndexedDatabase> {
    const connection = await openConnection();
    return new IndexedDatabase(connection, await secretOf(connection), onState);
  }

  #watch(connection: IDBDatabase): void {
    // Some browsers close connections of pages in the background; the data is still there then.
    connection.onclose = () => void this.#reopen().catch(() => {});
    // A newer version of the program in another tab, or the removal of all data, waits for this connection.
    connection.onversionchange = () => {
      connection.close();
      this.#change("lost");
    };
  }

  #change(state: StorageState): void {
    if (state === this.#state || this.#state === "lost") return;
    this.#state = state;
    this.#onState(state);
  }

  /** Open the database again if it still is the same; an empty one must not continue tables that it does not have. */
  #reopen(): Promise<void> {
    this.#reopening ??= (async () => {
      try {
        const connection = await openConnection(true);
        if ((await readSecret(connection)) !== this.#secret) {
          connection.close();
          throw new Error("another database");
        }
        this.#connection = connection;
        this.#watch(connection);
      } catch (error) {
        this.#change("lost");
        throw error;
      } finally {
        this.#reopening = null;
      }
    })();
    return this.#reopening;
  }

  async #begin(stores: string[], mode: IDBTransactionMode): Promise<IDBTransaction> {
    if (this.#state === "lost") throw new DOMException("The database is lost.", "InvalidStateError");
    if (this.#reopening) await this.#reopening;
    try {
      return begin(this.#connection, stores, mode);
    } catch (error) {
      if (nameOf(error) !== "InvalidStateError") throw error;
      await this.#reopen();
      return begin(this.#connection, stores, mode);
    }
  }

  /** Run requests in a transaction and return a result when it is durable. */
  async #write<T>(stores: string[], work: (transaction: IDBTransaction, set: (result: T) => void) => void): Promise<T> {
    const transaction = await this.#begin(stores, "readwrite");
    try {
      const result = await written(transaction, work);
      this.#change("ok");
      return result;
    } catch (error) {
      if (nameOf(error) === "QuotaExceededError") this.#change("full");
      throw error;
    }
  }

  append(entry: string, listing: string): Promise<boolean> {
    const row = JSON.parse(entry) as EntryRow;
    return this.#write(["entries", "tables"], (transaction, set) => {
      const entries = transaction.objectStore("entries");
      // A tab may have a table in memory that another one has deleted: its end must not be stored alone.
      const looking = row.version > 1 ? entries.getKey([row.table_id, row.version - 1]) : null;
      if (looking)
        looking.onsuccess = () => {
          if (looking.result !== undefined) return;
          set(false);
          transaction.abort();
        };
      const adding = entries.add(row);
      adding.onerror = () => {
        if (adding.error?.name === "ConstraintError") set(false); // the transaction is aborted
      };
      adding.onsuccess = () => {
        set(true);
        try {
          if (listing) putListing(transaction.objectStore("tables"), JSON.parse(listing) as TableRow);
        } catch {
          transaction.abort();
        }
      };
    });
  }

  async entries(table: string, after: number): Promise<string> {
    const store = (await this.#begin(["entries"], "readonly")).objectStore("entries");
    return JSON.stringify(await answer(store.getAll(entriesOf(table, after)) as IDBRequest<EntryRow[]>));
  }

  async version(table: string): Promise<number> {
    const store = (await this.#begin(["entries"], "readonly")).objectStore("entries");
    const cursor = await answer(store.openKeyCursor(entriesOf(table), "prev"));
    return cursor ? (cursor.primaryKey as [string, number])[1] : 0;
  }

  async executed(table: string, command: string): Promise<boolean> {
    const store = (await this.#begin(["entries"], "readonly")).objectStore("entries");
    return (await answer(store.index("command").getKey([table, command]))) !== undefined;
  }

  async tables(phase: string): Promise<string> {
    const store = (await this.#begin(["tables"], "readonly")).objectStore("tables");
    return JSON.stringify(await answer(store.index("phase").getAll(phase) as IDBRequest<TableRow[]>));
  }

  async changes(): Promise<string> {
    const store = (await this.#begin(["entries"], "readonly")).objectStore("entries");
    return JSON.stringify(await lastChanges(store));
  }

  async latest(): Promise<number> {
    const store = (await this.#begin(["entries"], "readonly")).objectStore("entries");
    const cursor = await answer(store.index("at").openKeyCursor(null, "prev"));
    return cursor ? (cursor.key as number) : 0;
  }

  remove(table: string, before: number): Promise<boolean> {
    return this.#write(["entries", "tables"], (transaction, set) => {
      const entries = transaction.objectStore("entries");
      const reading = entries.getAll(entriesOf(table)) as IDBRequest<EntryRow[]>;
      reading.onsuccess = () => {
        const isOld = reading.result.length > 0 && reading.result.every((entry) => entry.at < before);
        set(isOld);
        if (!isOld) return;
        entries.delete(entriesOf(table));
        transaction.objectStore("tables").delete(table);
      };
    });
  }

  async values(prefix: string): Promise<string> {
    const store = (await this.#begin(["meta"], "readonly")).objectStore("meta");
    const rows = await answer(store.getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`)) as IDBRequest<MetaRow[]>);
    return JSON.stringify(Object.fromEntries(rows.map(({ key, value }) => [key, value])));
  }

  exchange(key: string, before: string, after: string): Promise<boolean> {
    return this.#write(["meta"], (transaction, set) => {
      const store = transaction.objectStore("meta");
      const reading = store.get(key) as IDBRequest<MetaRow | undefined>;
      reading.onsuccess = () => {
        const isSame = (reading.result?.value ?? "") === before;
        set(isSame);
        if (!isSame) return;
        if (after) store.put({ key, value: after } satisfies MetaRow);
        else store.delete(key);
      };
    });
  }

  secret(): Promise<string> {
    return Promise.resolve(this.#secret);
  }
}

function begin(connection: IDBDatabase, stores: string[], mode: IDBTransactionMode): IDBTransaction {
  // "strict": a stored action survives a crash of the machine, too.
  return connection.transaction(stores, mode, mode === "readwrite" ? { durability: "strict" } : {});
}

/** Return what `work` set when the transaction is durable, or aborted on purpose. */
function written<T>(
  transaction: IDBTransaction,
  work: (transaction: IDBTransaction, set: (result: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let result: T | undefined;
    transaction.oncomplete = () => resolve(result as T);
    transaction.onabort = () => {
      const isRefused = result === false && [undefined, "ConstraintError"].includes(transaction.error?.name);
      if (isRefused) resolve(result as T);
      else reject(transaction.error ?? new Error("abort"));
    };
    work(transaction, (one) => (result = one));
  });
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("request"));
  });
}

/** The keys of the entries of a table after a version. */
function entriesOf(table: string, after = 0): IDBKeyRange {
  return IDBKeyRange.bound([table, after], [table, Infinity], true);
}

/** Store the listing of a table; a known table keeps its age and whether it is public. */
function putListing(tables: IDBObjectStore, listing: TableRow): void {
  const reading = tables.get(listing.id) as IDBRequest<TableRow | undefined>;
  reading.onsuccess = () => tables.put(updated(reading.result, listing));
}

function updated(known: TableRow | undefined, { phase, listing, ...rest }: TableRow): TableRow {
  return { ...rest, ...known, phase, listing };
}

/** The time of each table's last entry, with one step per table. */
function lastChanges(entries: IDBObjectStore): Promise<Record<string, number>> {
  return new Promise((resolve, reject) => {
    const found: Record<string, number> = {};
    const reading = entries.openCursor(null, "prev");
    reading.onerror = () => reject(reading.error ?? new Error("request"));
    reading.onsuccess = () => {
      if (!reading.result) {
        resolve(found);
        return;
      }
      const { table_id: table, at } = reading.result.value as EntryRow;
      found[table] = at;
      reading.result.continue([table]); // sorts before all entries of this table
    };
  });
}

async function readSecret(connection: IDBDatabase): Promise<string | null> {
  const store = connection.transaction("meta").objectStore("meta");
  return (await answer(store.get("secret") as IDBRequest<{ value: string } | undefined>))?.value ?? null;
}

interface Secret {
  secret: string;
  /** Whether it was made just now: no game was ever stored in this database. */
  isNew: boolean;
}

/** The secret of this browser, which holds its seats; made on first use, even if two tabs start at the same time. */
export function secretOf(connection: IDBDatabase): Promise<Secret> {
  return written(begin(connection, ["meta"], "readwrite"), (transaction, set) => {
    const store = transaction.objectStore("meta");
    const reading = store.get("secret") as IDBRequest<{ value: string } | undefined>;
    reading.onsuccess = () => {
      const isNew = reading.result === undefined;
      const value = reading.result?.value ?? newSecret();
      set({ secret: value, isNew });
      if (isNew) store.put({ key: "secret", value });
    };
  });
}

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : "Error";
}

/** The same in memory: nothing survives a reload. */
class MemoryDatabase implements Database {
  readonly is_shared = false;
  readonly #secret = newSecret();
  readonly #entries = new Map<string, EntryRow[]>();
  readonly #tables = new Map<string, TableRow>();
  readonly #values = new Map<string, string>();

  append(entry: string, listing: string): Promise<boolean> {
    const row = JSON.parse(entry) as EntryRow;
    const known = this.#entries.get(row.table_id) ?? [];
    const isTaken = known.some(
      (one) => one.version === row.version || (row.command !== undefined && one.command === row.command),
    );
    const isAlone = row.version > 1 && !known.some((one) => one.version === row.version - 1);
    if (isTaken || isAlone) return Promise.resolve(false);
    this.#entries.set(row.table_id, [...known, row].sort(byVersion));
    if (listing) {
      const changed = JSON.parse(listing) as TableRow;
      this.#tables.set(changed.id, updated(this.#tables.get(changed.id), changed));
    }
    return Promise.resolve(true);
  }

  entries(table: string, after: number): Promise<string> {
    return Promise.resolve(JSON.stringify((this.#entries.get(table) ?? []).filter((one) => one.version > after)));
  }

  version(table: string): Promise<number> {
    return Promise.resolve(this.#entries.get(table)?.at(-1)?.version ?? 0);
  }

  executed(table: string, command: string): Promise<boolean> {
    return Promise.resolve((this.#entries.get(table) ?? []).some((one) => one.command === command));
  }

  tables(phase: string): Promise<string> {
    return Promise.resolve(JSON.stringify([...this.#tables.values()].filter((one) => one.phase === phase)));
  }

  changes(): Promise<string> {
    const last = [...this.#entries].map(([table, entries]) => [table, entries.at(-1)?.at ?? 0] as const);
    return Promise.resolve(JSON.stringify(Object.fromEntries(last)));
  }

  latest(): Promise<number> {
    return Promise.resolve(Math.max(0, ...[...this.#entries.values()].flat().map((one) => one.at)));
  }

  remove(table: string, before: number): Promise<boolean> {
    const known = this.#entries.get(table) ?? [];
    const isOld = known.length > 0 && known.every((one) => one.at < before);
    if (isOld) {
      this.#entries.delete(table);
      this.#tables.delete(table);
    }
    return Promise.resolve(isOld);
  }

  values(prefix: string): Promise<string> {
    const found = [...this.#values].filter(([key]) => key.startsWith(prefix));
    return Promise.resolve(JSON.stringify(Object.fromEntries(found)));
  }

  exchange(key: string, before: string, after: string): Promise<boolean> {
    if ((this.#values.get(key) ?? "") !== before) return Promise.resolve(false);
    if (after) this.#values.set(key, after);
    else this.#values.delete(key);
    return Promise.resolve(true);
  }

  secret(): Promise<string> {
    return Promise.resolve(this.#secret);
  }
}

function byVersion(one: EntryRow, other: EntryRow): number {
  return one.version - other.version;
}
