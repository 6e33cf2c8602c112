// Whose reactions the reader does not want to see: those at a table, or those of a person. Remembered in this browser.

import { loadStored, saveStored } from "$lib/storage";

interface Muted {
  tables: string[];
  /** Names: a person has the same one at every table. */
  people: string[];
}

const KEY = "muted";
/** The newest that are remembered. */
const MOST = 100;
const NOBODY: Muted = { tables: [], people: [] };
let muted = $state.raw<Muted>({ ...NOBODY, ...loadStored<Partial<Muted>>(KEY, NOBODY) });

/** Whether a table is muted: this one, or the one whose rematch it is. */
export function isTableMuted(id: string, previous: string | null): boolean {
  return muted.tables.includes(id) || (previous !== null && muted.tables.includes(previous));
}

export function isPersonMuted(name: string): boolean {
  return muted.people.includes(name);
}

export function muteTable(id: string, previous: string | null, isMuted: boolean): void {
  const others = muted.tables.filter((one) => one !== id && one !== previous);
  keep({ ...muted, tables: isMuted ? [id, ...others] : others });
}

export function mutePerson(name: string, isMuted: boolean): void {
  const others = muted.people.filter((one) => one !== name);
  keep({ ...muted, people: isMuted ? [name, ...others] : others });
}

function keep({ tables, people }: Muted): void {
  muted = { tables: tables.slice(0, MOST), people: people.slice(0, MOST) };
  saveStored(KEY, muted);
}
