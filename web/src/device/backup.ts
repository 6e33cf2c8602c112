// All games of this device as one file. It works on the database itself, so it also works where Python does not start.

import { isObject } from "$lib/objects";
import { saveStored } from "$lib/storage";
import { knownTables, listTables, type KnownTable } from "$lib/tables";
import { CHANGED } from "./changed";
import { DATABASE, openConnection, secretOf, type EntryRow, type TableRow } from "./database";

const FORMAT = "granada-games";
/** What is saved of the other values: kept records, daily deals, and which tables are no games. */
const SAVED = /^(?:kept|daily|aside):/;
/** The stored phase of a table at which a puzzle is solved (granada.tables.live_table). */
const PUZZLE = "puzzle";
/** Marks tables that are no games of the reader; the table follows. */
const ASIDE = "aside:";
/** Files of a higher version are refused. */
const VERSION = 1;

interface MetaRow {
  key: string;
  value: unknown;
}

/** What is in a file. */
export interface Backup {
  format: typeof FORMAT;
  version: number;
  saved_at: string;
  /** Who holds the seats of the browser that saved it: a hash, not its secret. */
  holder: string;
  entries: EntryRow[];
  tables: TableRow[];
  /** Kept records, results of daily deals, and which tables are no games. */
  meta: MetaRow[];
  /** The list of the reader's own tables. */
  known: KnownTable[];
}

export type Stored = Pick<Backup, "entries" | "tables" | "meta">;

/** Why a file was refused; the message is `storage.CODE`. */
export class BadBackup extends Error {
  constructor(readonly code: "bad_file" | "newer_file") {
    super(code);
  }
}

export function fileName(now: Date): string {
  return `granada-games-${now.toISOString().slice(0, 10)}.json`;
}

/** The text of a file with all games; null if there are none. */
export async function exportGames(now = new Date()): Promise<string | null> {
  const { stored, secret, version } = await readAll();
  if (stored.entries.length === 0 && stored.meta.length === 0) return null;
  const backup: Backup = {
    format: FORMAT,
    version,
    saved_at: now.toISOString(),
    holder: await holderOf(secret),
    ...stored,
    known: knownTables(),
  };
  return JSON.stringify(backup);
}

/** What came of a file. */
export interface Imported {
  /** How many games are new here, longer than before or repaired. */
  games: number;
  /** How many games of the file are damaged, and were left out. */
  damaged: number;
}

/** Add the games of a file. Writes all that are whole, or nothing. */
export async function importGames(text: string): Promise<Imported> {
  const { backup, damaged } = readBackup(text);
  const { stored, version } = await readAll();
  if (version > VERSION) throw new BadBackup("newer_file");
  const added = merge(stored, adopt(backup, await ownHolder()));
  await write((transaction) => {
    const entries = transaction.objectStore("entries");
    for (const id of added.replaced) entries.delete(entriesOf(id));
    for (const entry of added.entries) entries.put(entry);
    for (const table of added.tables) transaction.objectStore("tables").put(table);
    for (const row of added.meta) transaction.objectStore("meta").put(row);
  });
  listTables(backup.known);
  saveStored(CHANGED, Date.now());
  const kept = added.meta.filter(({ key }) => key.startsWith("kept:"));
  return { games: added.changed.length + kept.length, damaged: damaged.length };
}

/**
 * The whole games of a file, and the ids of its damaged ones; BadBackup if the file is not ours, is cut off or newer.
 * A damaged game does not affect the others.
 */
export function readBackup(text: string): { backup: Backup; damaged: string[] } {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new BadBackup("bad_file");
  }
  if (!isObject(found) || found["format"] !== FORMAT || typeof found["version"] !== "number")
    throw new BadBackup("bad_file");
  if (found["version"] > VERSION) throw new BadBackup("newer_file");
  const { entries, tables, meta, known, holder } = found;
  if (typeof holder !== "string" || !/^[0-9a-f]{64}$/.test(holder)) throw new BadBackup("bad_file");
  if (!Array.isArray(entries) || !Array.isArray(tables) || !Array.isArray(meta) || !Array.isArray(known))
    throw new BadBackup("bad_file");
  const games = byTable(entries.filter(isRow));
  const damaged = [...games].filter(([, rows]) => !isWhole(rows)).map(([id]) => id);
  for (const id of damaged) games.delete(id);
  const isSound = ({ id }: { id: string }) => !damaged.includes(id);
  const backup = {
    ...(found as unknown as Backup),
    entries: [...games.values()].flat(),
    tables: tables.filter(isTable).filter(isSound),
    meta: meta.filter(isMeta),
    known: known.filter(isKnown).filter(isSound),
  };
  return { backup, damaged };
}

/** The same file with the seats of its browser held by another one. */
export function adopt(backup: Backup, holder: string): Backup {
  const own = (text: string) => text.replaceAll(backup.holder, holder);
  const entries = backup.entries.map(({ command, ...entry }) => ({
    ...entry,
    ...(command !== undefined && { command: own(command) }),
    body: own(entry.body),
  }));
  const tables = backup.tables.map((row) => ({ ...row, listing: own(row.listing) }));
  const meta = backup.meta.map(({ key, value }) => ({
    key: own(key),
    value: typeof value === "string" ? own(value) : value,
  }));
  return { ...backup, holder, entries, tables, meta };
}

/** What a file adds to what is stored: games that are not here, are damaged here, or are longer in the file. */
export function merge(stored: Stored, backup: Stored): Stored & { changed: string[]; replaced: string[] } {
  const own = byTable(stored.entries);
  const theirs = byTable(backup.entries);
  const changed: string[] = [];
  const replaced: string[] = [];
  const entries: EntryRow[] = [];
  for (const [id, rows] of theirs) {
    const before = own.get(id) ?? [];
    const isRepair = !isWhole(before);
    if (rows.length <= before.length && !isRepair) continue;
    changed.push(id);
    // Played on after it was copied: only the new entries; played on in both places: the longer one stays.
    const isContinued = !isRepair && before.every(({ body }, i) => body === rows[i]!.body);
    if (!isContinued) replaced.push(id);
    entries.push(...(isContinued ? rows.slice(before.length) : rows));
  }
  const tables = backup.tables.filter(({ id }) => changed.includes(id));
  const keys = new Set(stored.meta.map(({ key }) => key));
  const meta = backup.meta.filter(({ key }) => !keys.has(key));
  return { entries, tables, meta, changed, replaced };
}

/** Note that a table is no game of the reader: that of a lesson, or of a kept game that is replayed. */
export async function setAside(table: string): Promise<void> {
  const row: MetaRow = { key: ASIDE + table, value: "1" };
  await write((transaction) => transaction.objectStore("meta").put(row)).catch(() => {});
}

/** The ids of all games: puzzles and lessons have tables, too, but are none. */
export function gamesOf({ tables, meta }: Pick<Stored, "tables" | "meta">): string[] {
  const aside = new Set(meta.map(({ key }) => key));
  return tables.filter(({ id, phase }) => phase !== PUZZLE && !aside.has(ASIDE + id)).map(({ id }) => id);
}

/** The games of this device, and those that are in no list. */
export async function countGames(): Promise<{ games: number; hidden: string[] }> {
  const { stored } = await readAll();
  const known = knownTables().map(({ id }) => id);
  const ids = gamesOf(stored);
  return { games: ids.length, hidden: ids.filter((id) => !known.includes(id)) };
}

/** Delete games, as the reader asked for. This page has to be loaded again, because it may have them in memory. */
export async function deleteGames(ids: readonly string[]): Promise<void> {
  await write((transaction) => {
    for (const id of ids) {
      transaction.objectStore("entries").delete(entriesOf(id));
      transaction.objectStore("tables").delete(id);
    }
  });
  saveStored(CHANGED, Date.now());
}

async function readAll(): Promise<{ stored: Stored; secret: string; version: number }> {
  const connection = await open();
  try {
    const transaction = connection.transaction(["entries", "tables", "meta"]);
    const all = <T>(name: string) => answer(transaction.objectStore(name).getAll() as IDBRequest<T[]>);
    const [entries, tables, rows] = await Promise.all([
      all<EntryRow>("entries"),
      all<TableRow>("tables"),
      all<MetaRow>("meta"),
    ]);
    const found = rows.find(({ key }) => key === "secret")?.value;
    const secret = typeof found === "string" ? found : "";
    const meta = rows.filter(({ key }) => SAVED.test(key));
    return { stored: { entries, tables, meta }, secret, version: connection.version };
  } finally {
    connection.close();
  }
}

/** The database, also one of a newer version, whose games can at least be saved. */
async function open(): Promise<IDBDatabase> {
  try {
    return await openConnection();
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== "VersionError") throw error;
    return answer(indexedDB.open(DATABASE));
  }
}

async function write(work: (transaction: IDBTransaction) => void): Promise<void> {
  const connection = await openConnection();
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = connection.transaction(["entries", "tables", "meta"], "readwrite", { durability: "strict" });
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("abort"));
      work(transaction);
    });
  } finally {
    connection.close();
  }
}

/** Who holds the seats of a browser with this secret (granada.tables.holders.hash_of). */
async function holderOf(secret: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`granada-holder:${secret}`));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The same for this browser; its secret is made if the game was never started here. */
async function ownHolder(): Promise<string> {
  const connection = await openConnection();
  try {
    return await holderOf((await secretOf(connection)).secret);
  } finally {
    connection.close();
  }
}

function entriesOf(table: string): IDBKeyRange {
  return IDBKeyRange.bound([table, 0], [table, Infinity]);
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("request"));
  });
}

function byTable(entries: readonly EntryRow[]): Map<string, EntryRow[]> {
  const found = new Map<string, EntryRow[]>();
  for (const entry of entries) found.set(entry.table_id, [...(found.get(entry.table_id) ?? []), entry]);
  for (const rows of found.values()) rows.sort((one, other) => one.version - other.version);
  return found;
}

/** Whether a game can be read: its versions are 1, 2, 3 and so on, and no command is repeated. */
function isWhole(rows: readonly EntryRow[]): boolean {
  const commands = rows.flatMap(({ command }) => (command === undefined ? [] : [command]));
  return rows.every((row, i) => isEntry(row) && row.version === i + 1) && new Set(commands).size === commands.length;
}

// Checks of what a file contains

/** Whether it belongs to a game, which may be damaged. */
function isRow(value: unknown): value is EntryRow {
  return isObject(value) && typeof value["table_id"] === "string";
}

function isEntry({ version, at, command, body }: Record<keyof EntryRow, unknown> | EntryRow): boolean {
  return (
    Number.isInteger(version) &&
    typeof at === "number" &&
    (command === undefined || typeof command === "string") &&
    isJson(body)
  );
}

function isTable(value: unknown): value is TableRow {
  return (
    isObject(value) &&
    typeof value["id"] === "string" &&
    typeof value["phase"] === "string" &&
    typeof value["is_public"] === "boolean" &&
    typeof value["created_at"] === "number" &&
    isJson(value["listing"])
  );
}

function isMeta(value: unknown): value is MetaRow {
  return isObject(value) && typeof value["key"] === "string" && "value" in value;
}

function isKnown(value: unknown): value is KnownTable {
  return isObject(value) && typeof value["id"] === "string" && Array.isArray(value["seats"]);
}

function isJson(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
