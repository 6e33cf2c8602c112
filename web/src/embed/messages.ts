// The messages between <granada-replay> in a host page and the frame of the site in it.

/** From the frame to the host page. */
export type FromFrame =
  /** It is there, and waits for a game. */
  | { granada: "hello" }
  /** How high it is, in pixels. */
  | { granada: "height"; height: number }
  /** What it shows, for the title of the frame. */
  | { granada: "title"; title: string };

/** From the host page to the frame: the text of a record; null if the host page could not load it. */
export interface FromHost {
  granada: "record";
  text: string | null;
}

/** The frame of the site, as a file: hosts answer to it with status 200. */
export const FRAME = "embed.html";

/** A message of ours; null for anything else that arrives. */
export function readMessage(data: unknown): FromFrame | FromHost | null {
  return typeof data === "object" && data !== null && "granada" in data ? (data as FromFrame | FromHost) : null;
}
