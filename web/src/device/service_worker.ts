// The service worker of the site: all files of one version, from a cache, also without a network.
// A new version is downloaded next to the old one, and waits until a reader accepts it or all windows are closed.

import type { Applied, Prepared, ServiceWorkerScope, ToWorker, WindowClient } from "./service_worker_types";

const scope = self as unknown as ServiceWorkerScope;
const { version, files } = scope.granadaSite;
/** The folder of the site: the script is at its top. */
const BASE = new URL("./", location.href);
/** All sites of a host share its caches, so their names have the folder in them. */
const PREFIX = `granada ${BASE.pathname} `;
const CACHE = PREFIX + version;
/** The hash of a stored file. */
const HASH = "granada-hash";
/** The headers that are stored with a file. */
const KEPT =
  /^(?:content-type|content-security-policy|x-content-type-options|referrer-policy|permissions-policy|cross-origin-.*)$/;
/** The first part of the path of every screen (routes.ts); other pages of the host are not ours. */
const SCREENS = [
  "",
  "new",
  "record",
  "settings",
  "me",
  "about",
  "learn",
  "rules",
  "pad",
  "puzzles",
  "daily",
  "t",
  "embed",
];
/** Files that are downloaded at the same time: few, so that what the page itself loads comes first. */
const DOWNLOADS = 4;
/** How long pages may take to stop, in milliseconds; a page that the browser has frozen never answers. */
const PATIENCE = 12_000;

scope.addEventListener("install", (event) => event.waitUntil(download().catch(explain)));
scope.addEventListener("activate", (event) => event.waitUntil(activate()));
scope.addEventListener("message", (event) => {
  const { data, ports } = event;
  if ((data as Partial<ToWorker> | null)?.type === "apply") event.waitUntil(apply(ports[0]!));
});
scope.addEventListener("fetch", (event) => {
  const file = fileFor(event.request);
  if (file !== null) event.respondWith(serve(file, event.request));
});

/** The file that answers a request; null if the request is not for the site. */
function fileFor({ method, mode, url }: Request): string | null {
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== BASE.origin || !pathname.startsWith(BASE.pathname)) return null;
  const path = pathname.slice(BASE.pathname.length);
  if (Object.hasOwn(files, path)) return path;
  if (mode !== "navigate" || !isScreen(path)) return null;
  // Both start the same client; only index.html preloads the files of the home page.
  return path === "" ? "index.html" : "embed.html";
}

function isScreen(path: string): boolean {
  return SCREENS.includes(path.split("/", 1)[0]!);
}

async function serve(file: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  // A browser may have cleared the cache.
  return (await cache.match(addressOf(file))) ?? fetch(request);
}

function addressOf(file: string): string {
  return new URL(file, BASE).href;
}

// A new version

/** Fill the cache of this version; what a download that broke off has left there is kept. */
async function download(): Promise<void> {
  const cache = await caches.open(CACHE);
  const names = (await ownCaches()).filter((name) => name !== CACHE);
  const older = await Promise.all(names.map((name) => caches.open(name)));
  const waiting = Object.entries(files);
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await store(...next, cache, older);
  };
  await Promise.all(Array.from({ length: DOWNLOADS }, work));
}

/** Tell the pages if there is no room for the files. */
async function explain(error: unknown): Promise<never> {
  if ((error as Error).name === "QuotaExceededError")
    for (const page of await ownWindows()) page.postMessage({ type: "full" });
  throw error;
}

async function store(file: string, hash: string, cache: Cache, older: Cache[]): Promise<void> {
  const address = addressOf(file);
  for (const place of [cache, ...older]) {
    const known = await place.match(address);
    if (known?.headers.get(HASH) !== hash) continue;
    if (place !== cache) await cache.put(address, known);
    return;
  }
  // The page has just loaded most files; one from an older version in the browser's cache is asked for again.
  for (const mode of ["default", "reload"] as const) {
    const response = await fetch(address, { cache: mode, credentials: "same-origin" });
    const body = await response.arrayBuffer();
    if (!response.ok || (await hashOf(body)) !== hash) continue;
    const headers = new Headers([...response.headers].filter(([name]) => KEPT.test(name)));
    headers.set(HASH, hash);
    // Not the response itself: a redirected one is not accepted for a page.
    return cache.put(address, new Response(body, { headers }));
  }
  throw new Error(`${file} is not the file of this version`);
}

/** The hash as `granada site` writes it: the first 16 bytes of SHA-256. */
async function hashOf(body: ArrayBuffer): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", body), 0, 16);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function ownCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX));
}

/** Remove older versions; a version that is being downloaded removes them when its turn comes. */
async function activate(): Promise<void> {
  // After the first visit the page can go offline without a reload.
  await scope.clients.claim();
  if (scope.registration.installing !== null) return;
  for (const name of await ownCaches()) if (name !== CACHE) await caches.delete(name);
}

// Applying it

/** Use this version in all windows as soon as none of them is in the middle of something. */
async function apply(port: MessagePort): Promise<void> {
  const pages = await ownWindows();
  const answers = await Promise.all(pages.map(prepare));
  const isBusy = answers.includes("busy");
  port.postMessage((isBusy ? "busy" : "applied") satisfies Applied);
  if (!isBusy) return scope.skipWaiting();
  for (const page of pages) page.postMessage({ type: "release" });
}

/** The windows of this site. */
async function ownWindows(): Promise<WindowClient[]> {
  const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.filter(({ url, frameType }) => frameType !== "nested" && isAsked(url));
}

/** Whether a page may be in a turn; others below our folder are not ours, and would not answer. */
function isAsked(url: string): boolean {
  if (!url.startsWith(BASE.href)) return false;
  const path = new URL(url).pathname.slice(BASE.pathname.length);
  return path === "index.html" || (isScreen(path) && !path.startsWith("embed"));
}

/** Ask a page to stop for a reload. One that does not answer is frozen: it reloads when it wakes up. */
function prepare(page: WindowClient): Promise<Prepared> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<Prepared>) => resolve(data);
    page.postMessage({ type: "prepare" }, [port2]);
    setTimeout(() => resolve("ready"), PATIENCE);
  });
}
