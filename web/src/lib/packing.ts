// Texts as short strings of letters, digits, - and _ (base64url), compressed where the browser can.

/** Compressed text begins with `r`, plain text with `p`. */
export type Packed = `r${string}` | `p${string}`;

/** Why a packed text cannot be read. */
export class BadPacking extends Error {
  constructor(readonly code: "damaged" | "old_browser") {
    super(code);
  }
}

export async function pack(text: string): Promise<Packed> {
  const bytes = new TextEncoder().encode(text);
  if (typeof CompressionStream === "undefined") return `p${encode(bytes)}`;
  return `r${encode(await through(bytes, new CompressionStream("deflate-raw"), Infinity))}`;
}

/** The text again; BadPacking if it is damaged, or has more bytes than the limit. */
export async function unpack(packed: string, limit: number): Promise<string> {
  const isCompressed = packed.startsWith("r");
  if (!isCompressed && !packed.startsWith("p")) throw new BadPacking("damaged");
  if (isCompressed && typeof DecompressionStream === "undefined") throw new BadPacking("old_browser");
  try {
    const bytes = decode(packed.slice(1));
    const plain = isCompressed ? await through(bytes, new DecompressionStream("deflate-raw"), limit) : bytes;
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch {
    throw new BadPacking("damaged");
  }
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

export function encode(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function decode(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
