// A record in the fragment of a link, which no server sees: `#r=` compressed (deflate), `#p=` plain, both as base64url.

/** The longest record that is read (granada.api.handlers). */
export const LONGEST = 128 * 1024;

/** Why there is no record in a fragment; the message is `record.CODE`. */
export class BadFragment extends Error {
  constructor(readonly code: "damaged" | "old_browser") {
    super(code);
  }
}

export async function toFragment(record: string): Promise<string> {
  const bytes = new TextEncoder().encode(record);
  if (typeof CompressionStream === "undefined") return `#p=${encode(bytes)}`;
  return `#r=${encode(await through(bytes, new CompressionStream("deflate-raw"), Infinity))}`;
}

export function hasRecord(fragment: string): boolean {
  return /^#[rp]=/.test(fragment);
}

/** The record in a fragment; BadFragment if there is none. */
export async function fromFragment(fragment: string): Promise<string> {
  const bytes = decode(fragment.slice(3));
  if (fragment.startsWith("#r=") && typeof DecompressionStream === "undefined") throw new BadFragment("old_browser");
  try {
    const plain = fragment.startsWith("#r=")
      ? await through(bytes, new DecompressionStream("deflate-raw"), LONGEST)
      : bytes;
    const text = new TextDecoder("utf-8", { fatal: true }).decode(plain);
    if (text.startsWith("granada-record ")) return text;
  } catch {
    // Damaged, like a text that is no record.
  }
  throw new BadFragment("damaged");
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

/** Send bytes through a stream; an error if more than the limit comes out. */
async function through(bytes: Uint8Array, stream: GenericTransformStream, limit: number): Promise<Uint8Array> {
  const reader = (new Blob([bytes as BlobPart]).stream().pipeThrough(stream) as ReadableStream<Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      throw new RangeError("too long");
    }
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

function encode(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function decode(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw new BadFragment("damaged");
  }
}
