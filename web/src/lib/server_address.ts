// The server that a reader of the site plays at with others.

import { loadStored, saveStored } from "./storage";

const KEY = "server";

/** The address of the server that was used last; empty if there is none. */
export function rememberedServer(): string {
  const stored = loadStored<unknown>(KEY, "");
  return typeof stored === "string" ? (readServer(stored)?.origin ?? "") : "";
}

export function rememberServer(origin: string): void {
  saveStored(KEY, origin);
}

/** A typed address of a server or of a page there; null if it is none. */
export function readServer(text: string): URL | null {
  const typed = text.trim();
  if (typed === "" || /\s/.test(typed)) return null;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(typed)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "http" && scheme !== "https") return null;
  let url: URL;
  try {
    url = new URL(scheme === undefined ? `https://${typed}` : typed);
  } catch {
    return null;
  }
  if (url.username !== "" || url.password !== "" || !isHost(url.hostname)) return null;
  // A server at home usually has no certificate.
  if (scheme === undefined && isNear(url.hostname)) url = new URL(`http://${typed}`);
  return url;
}

function isHost(host: string): boolean {
  return host === "localhost" || host.includes(".") || host.startsWith("[");
}

/** Whether a host is this machine or in its own network. */
function isNear(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".local") ||
    host.startsWith("[") ||
    /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host)
  );
}
