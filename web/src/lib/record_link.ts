// A record in the fragment of a link, which no server sees: `#r=` compressed (deflate), `#p=` plain, both as base64url.

import { BadPacking, pack, unpack } from "./packing";

/** The longest record that is read (granada.api.handlers). */
export const LONGEST = 128 * 1024;

export async function toFragment(record: string): Promise<string> {
  const packed = await pack(record);
  return `#${packed[0]}=${packed.slice(1)}`;
}

export function hasRecord(fragment: string): boolean {
  return /^#[rp]=/.test(fragment);
}

/** The record in a fragment; BadPacking if there is none. */
export async function fromFragment(fragment: string): Promise<string> {
  const text = await unpack(fragment.charAt(1) + fragment.slice(3), LONGEST);
  if (!text.startsWith("granada-record ")) throw new BadPacking("damaged");
  return text;
}

/** What a record says about its game, as far as a reader wants to know it before it is loaded. */
export function summaryOf(record: string): { edition: string; modules: string[]; names: string[]; isOver: boolean } {
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(record)?.[1]?.trim() ?? "";
  const words = (text: string) => (text === "" ? [] : text.split(",").map((word) => word.trim()));
  return {
    edition: header("edition") || "alhambra",
    modules: words(header("modules")),
    names: words(header("players")),
    isOver: /^= score C /m.test(record),
  };
}
