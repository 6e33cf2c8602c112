// The site on this device: whether it works offline, and new versions, which are used when the reader accepts them.

import { BASE } from "$lib/base";
import { allAnswered, isInTurn } from "$lib/reloading.svelte";
import type { Applied, Prepared, ToPage, ToWorker } from "./service_worker_types";

/** Whether the files are on this device: not asked for yet, being downloaded, all there, no room, or the download broke off. */
export type OfflineState = "unknown" | "loading" | "ready" | "full" | "failed";
/** A new version: none, one that waits for the reader, one that is being started, or not now: another window is busy. */
export type UpdateState = "none" | "offered" | "applying" | "busy";

/** How long commands may take to be stored before a reload is given up, in milliseconds. */
const PATIENCE = 8000;
/** How long a page waits for the reload, in milliseconds. */
const RELOAD = 15_000;
/** How often a page that stays open looks for a new version, in milliseconds. */
const INTERVAL = 60 * 60 * 1000;

let offline = $state<OfflineState>("unknown");
let update = $state<UpdateState>("none");
let isStarted = false;
let registration: ServiceWorkerRegistration | null = null;
/** Whether there was a version on this device before; a page that was reloaded without its cache has no controller. */
let hasVersion = false;

/** Private windows of some browsers have no service workers, and neither has a page without HTTPS. */
export const isOfflineSupported = "serviceWorker" in navigator;

export function offlineState(): OfflineState {
  return offline;
}

export function updateState(): UpdateState {
  return update;
}

/** Whether the reader can have the new version now. */
export function mayUpdate(): boolean {
  return !isInTurn() && (update === "offered" || update === "busy");
}

/** Download the site for offline use, and look for new versions; call it when the page has loaded what it needs. Idempotent. */
export function startUpdates(): void {
  if (!isOfflineSupported || isStarted) return;
  isStarted = true;
  const { serviceWorker } = navigator;
  hasVersion = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    // The first version takes over a page that was loaded without it; that changes nothing.
    if (hasVersion) location.reload();
    hasVersion = true;
  });
  serviceWorker.addEventListener("message", ({ data, ports }: MessageEvent<ToPage>) => {
    if (data.type === "prepare") void prepare(ports[0]!);
    else if (data.type === "release") release();
    else if (offline !== "ready") offline = "full";
  });
  serviceWorker.startMessages();
  addEventListener("online", () => {
    if (offline === "failed") void download();
  });
  setInterval(() => void registration?.update().catch(() => {}), INTERVAL);
  void download();
}

/** Download the site for offline use, again if that broke off. */
export async function download(): Promise<void> {
  if (offline !== "ready") offline = "loading";
  try {
    registration = await navigator.serviceWorker.register(`${BASE}sw.js`, { scope: BASE, updateViaCache: "none" });
  } catch {
    if (offline !== "ready") offline = "failed";
    return;
  }
  const found = registration;
  if (found.active !== null) {
    offline = "ready";
    hasVersion = true;
  }
  if (found.waiting !== null && found.active !== null) update = "offered";
  if (found.installing !== null) follow(found.installing, found);
  found.onupdatefound = () => follow(found.installing!, found);
}

function follow(worker: ServiceWorker, { active }: ServiceWorkerRegistration): void {
  const isFirst = active === null;
  worker.addEventListener("statechange", () => {
    if (worker.state === "redundant" && isFirst && offline === "loading") offline = "failed";
    if (worker.state === "activated") offline = "ready";
    if (worker.state === "installed" && !isFirst) update = "offered";
  });
}

/** The reader accepts the new version: all windows reload together, unless one of them is in the middle of a turn. */
export async function applyUpdate(): Promise<void> {
  const waiting = registration?.waiting;
  if (!waiting || !mayUpdate()) return;
  update = "applying";
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<Applied>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<Applied>) => resolve(data);
  });
  waiting.postMessage({ type: "apply" } satisfies ToWorker, [port2]);
  if ((await answer) === "busy") update = "busy";
}

/** Stop for a reload: nothing more is sent, and what was sent is answered first. */
async function prepare(port: MessagePort): Promise<void> {
  const answer = (prepared: Prepared) => port.postMessage(prepared);
  if (isInTurn()) {
    answer("busy");
    return;
  }
  stop(true);
  answer((await allAnswered(PATIENCE)) ? "ready" : "busy");
  // If the worker was ended before it could start, the reader goes on with this version.
  setTimeout(release, RELOAD);
}

function release(): void {
  stop(false);
  if (update === "applying") update = "offered";
}

function stop(isStopped: boolean): void {
  document.getElementById("app")!.inert = isStopped;
}
