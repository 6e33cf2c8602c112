// The tables that this browser was at, so that it finds them again.

import type { Message } from "./api";
import { isSite } from "./base";
import { keepName } from "./identity.svelte";
import { loadStored, saveStored } from "./storage";

export interface KnownTable {
  id: string;
  /** The seats that this browser held when it was last there; none if it watched. */
  seats: number[];
}

const KEY = "tables";
const MOST_HIDDEN = 200;
/** On the device nothing is removed, so that no game gets lost. */
const MOST = isSite ? Infinity : 100;

export function knownTables(): KnownTable[] {
  return loadStored<(KnownTable | null)[]>(KEY, []).filter(
    (table): table is KnownTable => typeof table?.id === "string" && Array.isArray(table.seats),
  );
}

/** The seats that this browser holds, by a message of the table. */
export function ownSeats({ table }: Message): number[] {
  return table.seats.filter((seat) => seat.is_yours).map(({ seat }) => seat);
}

/** Put a table first in the list, unless it is that of a puzzle. Lost seats stay listed until the reader has been notified. */
export function rememberTable(message: Message): void {
  if (message.table.puzzle != null) return;
  const { id } = message.table;
  keepName(message);
  if (message.table.phase === "over") void import("../you/report").then(({ reportEnd }) => reportEnd(message));
  const held = ownSeats(message);
  const before = knownTables().find((table) => table.id === id);
  if (before === undefined && held.length === 0 && !message.table.is_host) return;
  if (message.table.phase !== "over") expectGame(true);
  const seats = held.length > 0 ? held : (before?.seats ?? []);
  if (before !== undefined && knownTables()[0]?.id === id && String(before.seats) === String(seats)) return;
  keep([{ id, seats }, ...knownTables().filter((table) => table.id !== id)]);
}

/** Whether this browser held a seat at the table, and holds none any more. */
export function hasLostSeat(message: Message): boolean {
  const known = knownTables().find((table) => table.id === message.table.id);
  return known !== undefined && known.seats.length > 0 && ownSeats(message).length === 0;
}

/** The reader stood up, or knows that the seat is lost. */
export function forgetSeats(id: string): void {
  keep(knownTables().map((table) => (table.id === id ? { ...table, seats: [] } : table)));
}

export function forgetTable(id: string): void {
  keep(knownTables().filter((table) => table.id !== id));
}

const EXPECTED = "tables_going";

/** Whether a table of this browser is probably not over: then the home page keeps a place for it. */
export function expectsGame(): boolean {
  return loadStored(EXPECTED, knownTables().length > 0);
}

export function expectGame(isGoing: boolean): void {
  if (loadStored<boolean | null>(EXPECTED, null) !== isGoing) saveStored(EXPECTED, isGoing);
}

const HIDDEN = "tables_hidden";

/** Tables that the reader has removed from the list, although a server knows them. */
export function hiddenTables(): string[] {
  return loadStored<string[]>(HIDDEN, []);
}

export function hideTable(id: string): void {
  saveStored(HIDDEN, [id, ...hiddenTables().filter((one) => one !== id)].slice(0, MOST_HIDDEN));
}

/** Put tables at the end of the list that are not in it. */
export function listTables(tables: readonly KnownTable[]): void {
  const known = knownTables();
  keep([...known, ...tables.filter(({ id }) => !known.some((table) => table.id === id))]);
}

function keep(tables: KnownTable[]): void {
  saveStored(KEY, tables.slice(0, MOST));
}
