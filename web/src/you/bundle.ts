// What a person carries from one browser to another, as one text: name, games, ratings, progress.

import { LONGEST_NAME, chooseToken, mayBeName, ownName, ownToken, rename } from "$lib/identity.svelte";
import { isObject } from "$lib/objects";
import { BadPacking, pack, unpack } from "$lib/packing";
import { knownTables, listTables, type KnownTable } from "$lib/tables";
import { CARRIED } from "./carried";
import { profile } from "./profile.svelte";
import { readProfile, type StoredProfile } from "./stored_profile";

const FORMAT = "granada-you";
/** Bundles of a higher version are not read. */
const VERSION = 1;
/** The longest text that a server takes (granada.tables.requests.LONGEST_PROFILE). */
const LONGEST = 256 * 1024;
/** The most bytes of an unpacked bundle. */
const LONGEST_UNPACKED = 8 * 1024 * 1024;

export interface Bundle {
  format: typeof FORMAT;
  version: number;
  name: string;
  token: number;
  you: StoredProfile;
  /** What other parts of the page keep, by their key. */
  parts: Record<string, unknown>;
  tables: KnownTable[];
}

/** Why a bundle cannot be used. */
export class BadBundle extends Error {
  constructor(readonly code: "damaged" | "newer" | "old_browser") {
    super(code);
  }
}

/** What came along. */
export interface Brought {
  name: string;
  /** How many games are new here. */
  games: number;
}

export function ownBundle(): Bundle {
  profile.refresh();
  const parts = Object.entries(CARRIED).map(([key, { read }]) => [key, read()] as const);
  return {
    format: FORMAT,
    version: VERSION,
    name: ownName(),
    token: ownToken(),
    you: profile.stored,
    parts: Object.fromEntries(parts.filter(([, value]) => value !== null)),
    tables: knownTables(),
  };
}

/** The text that the server keeps until the code is entered; the oldest games stay behind if it were too long. */
export async function packedBundle(limit = LONGEST): Promise<string> {
  const bundle = ownBundle();
  let text = await pack(JSON.stringify(bundle));
  let { you } = bundle;
  if (text.length > limit) you = { ...you, games: you.games.map((game) => ({ ...game, city: null })) };
  while (text.length > limit) {
    text = await pack(JSON.stringify({ ...bundle, you }));
    if (you.games.length === 0) break;
    // The rating of those that stay behind is kept.
    const left = Math.ceil(you.games.length / 4);
    const base = you.games.slice(0, left).reduce((rating, game) => game.rating?.after ?? rating, you.base);
    you = { ...you, base, games: you.games.slice(left) };
  }
  return text;
}

/** The bundle in a text; BadBundle if it is damaged or newer. */
export async function unpackedBundle(text: string): Promise<Bundle> {
  let plain: string;
  try {
    plain = await unpack(text, LONGEST_UNPACKED);
  } catch (error) {
    throw new BadBundle(error instanceof BadPacking ? error.code : "damaged");
  }
  return readBundle(plain);
}

export function readBundle(text: string): Bundle {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new BadBundle("damaged");
  }
  if (!isObject(found) || found["format"] !== FORMAT || typeof found["version"] !== "number")
    throw new BadBundle("damaged");
  if (found["version"] > VERSION) throw new BadBundle("newer");
  const { name, token, parts, tables } = found;
  const { profile: you, problem } = readProfile(JSON.stringify(found["you"] ?? null));
  if (problem !== null) throw new BadBundle(problem);
  if (typeof name !== "string" || typeof token !== "number" || !isObject(parts) || !Array.isArray(tables))
    throw new BadBundle("damaged");
  return {
    format: FORMAT,
    version: VERSION,
    name: mayBeName(name) ? name.slice(0, LONGEST_NAME) : "",
    token,
    you,
    parts,
    tables: tables.filter(isKnownTable),
  };
}

/** Become the person of a bundle: its name and token, and the games of both browsers. The page has to be loaded again. */
export function takeOver(bundle: Bundle): Brought {
  const before = profile.games.length;
  profile.unite(bundle.you);
  for (const [key, value] of Object.entries(bundle.parts)) CARRIED[key]?.unite(value);
  listTables(bundle.tables);
  if (bundle.name !== "") rename(bundle.name);
  chooseToken(bundle.token);
  return { name: ownName(), games: profile.games.length - before };
}

function isKnownTable(value: unknown): value is KnownTable {
  return isObject(value) && typeof value["id"] === "string" && Array.isArray(value["seats"]);
}
