// The name of the reader, asked for once in a browser and used at every table, and the colour and shape of their token.

import type { Message } from "./api";
import { loadStored, saveStored } from "./storage";

const KEY = "name";
/** Longer names cannot stand at a table (granada.tables.requests.LONGEST_NAME). */
export const LONGEST_NAME = 40;
let name = $state(loadStored(KEY, ""));

/** Empty as long as nobody has chosen one. */
export function ownName(): string {
  return name;
}

export function rename(chosen: string): void {
  const wanted = chosen.trim();
  if (!wanted || !mayBeName(wanted)) return;
  name = wanted;
  saveStored(KEY, name);
}

/** The colours and shapes of tokens, numbered as the seats are. */
export const TOKENS = [1, 2, 3, 4, 5, 6] as const;
const TOKEN_KEY = "token";
let token = $state(readToken(loadStored<unknown>(TOKEN_KEY, 1)));

/** The colour and shape of the reader outside of tables; at a table they are those of the seat. */
export function ownToken(): number {
  return token;
}

export function chooseToken(chosen: unknown): void {
  token = readToken(chosen);
  saveStored(TOKEN_KEY, token);
}

function readToken(value: unknown): number {
  return TOKENS.find((one) => one === value) ?? 1;
}

/** A comma would end it in a record. */
export function mayBeName(chosen: string): boolean {
  return !/[,\p{Cc}]/u.test(chosen);
}

/** A reader who sat down without a name keeps the one that the table has found; a name from a record is somebody else's. */
export function keepName({ table }: Message): void {
  const own = table.seats.filter((seat) => seat.is_yours);
  if (name === "" && own.length === 1 && table.opening === 0) rename(own[0]!.name);
}
