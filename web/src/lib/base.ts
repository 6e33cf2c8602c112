// Where the page is: at a server, or on a static site, where everything runs on the device.

const site = meta("granada-site");

/** Whether there is no server behind this page: tables are on this device. */
export const isSite = site !== null;

/** The folder of the page in its host, with a slash at both ends. */
export const BASE = folder(site ?? "/");

/** The address of a screen or a file of the page; the path begins with a slash. */
export function href(path: string): string {
  return BASE + path.slice(1);
}

/** The path of a screen in an address of the page; null for an address outside of it. */
export function pathIn(address: string): string | null {
  // A static host answers with the home page at its file name too, and some leave the slash at the end out.
  if (isSite && [BASE.slice(0, -1), `${BASE}index.html`].includes(address)) return "/";
  return address.startsWith(BASE) ? address.slice(BASE.length - 1) : null;
}

/** The address of the description of what Python needs (on the site). */
export function runtimeAddress(): string {
  return new URL(href(`/${meta("granada-python") ?? ""}`), location.origin).href;
}

function meta(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null;
}

function folder(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, "");
  return inner === "" ? "/" : `/${inner}/`;
}
