// An identity on its way between browsers, at a server: a code is made here, or entered here.

import { get, post, remove, type Message } from "$lib/api";
import { isSite } from "$lib/base";
import { knownTables, ownSeats } from "$lib/tables";
import type { components } from "../api";
import { BadBundle, packedBundle, takeOver, unpackedBundle, type Brought } from "./bundle";

export type Code = components["schemas"]["IdentityCode"];
type Identity = components["schemas"]["Identity"];

/** The most tables that a browser brings along (granada.tables.requests.MAX_BROUGHT). */
const MOST = 50;
/** What was brought, until the page has been loaded again. */
const BROUGHT = "granada.brought";

export async function makeCode(): Promise<Code> {
  return post<Code>("/identity/code", { profile: await packedBundle() });
}

export interface Entered extends Brought {
  /** Why the games of the other browser could not be read; its seats came along. */
  problem: BadBundle["code"] | null;
}

/** Take over the identity of a code. Reload the page afterwards: memory has the old one. */
export async function enterCode(code: string): Promise<Entered> {
  const tables = knownTables()
    .filter(({ seats }) => seats.length > 0)
    .slice(0, MOST)
    .map(({ id }) => id);
  const identity = await post<Identity>("/identity/enter", { code, tables });
  try {
    return { ...takeOver(await unpackedBundle(identity.profile)), problem: null };
  } catch (error) {
    if (!(error instanceof BadBundle)) throw error;
    return { name: "", games: 0, problem: error.code };
  }
}

/** Say after the page has been loaded again what was brought. */
export function rememberBrought(entered: Entered): void {
  sessionStorage.setItem(BROUGHT, JSON.stringify(entered));
}

export function recallBrought(): Entered | null {
  const text = sessionStorage.getItem(BROUGHT);
  sessionStorage.removeItem(BROUGHT);
  return text === null ? null : (JSON.parse(text) as Entered);
}

/** The tables at which this browser has a seat in a game that is not over. */
export async function runningTables(): Promise<Message[]> {
  if (isSite) return [];
  const known = knownTables().filter(({ seats }) => seats.length > 0);
  const found = await Promise.all(known.map(({ id }) => get<Message>(`/tables/${id}`).catch(() => null)));
  return found.filter(
    (message): message is Message => message !== null && message.table.phase !== "over" && ownSeats(message).length > 0,
  );
}

/** Leave all seats; failures are ignored. */
export async function leaveTables(tables: readonly Message[]): Promise<void> {
  for (const message of tables)
    for (const seat of ownSeats(message))
      await post(`/tables/${message.table.id}/seats/${seat}/leave`).catch(() => undefined);
}

/** Let the server forget this browser. */
export async function forgetIdentity(): Promise<void> {
  if (!isSite) await remove("/identity");
}
