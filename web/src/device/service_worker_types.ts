// The types of a service worker that this project uses; TypeScript's own cannot be mixed with those of pages.

/** The files of one version of the site; `granada site` writes it before the script. */
export interface SiteVersion {
  version: string;
  /** The paths below the base, with the hashes of the files. */
  files: Record<string, string>;
}

export interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

export interface WorkerMessageEvent extends ExtendableEvent {
  readonly data: unknown;
  readonly ports: readonly MessagePort[];
}

/** A window that is open. */
export interface WindowClient {
  readonly url: string;
  readonly frameType: "auxiliary" | "top-level" | "nested" | "none";
  postMessage(message: ToPage, transfer?: Transferable[]): void;
}

export interface ServiceWorkerScope {
  readonly granadaSite: SiteVersion;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<WindowClient[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "message", listener: (event: WorkerMessageEvent) => void): void;
}

/** From a page to the worker that waits: use the new version in all windows. */
export interface ToWorker {
  type: "apply";
}

/**
 * From the worker to every page: stop for a reload (with a port for the answer), or go on without one; or the files that are
 * being downloaded have no room.
 */
export interface ToPage {
  type: "prepare" | "release" | "full";
}

/** What a page answers to "prepare". */
export type Prepared = "ready" | "busy";
/** What the worker answers to "apply". */
export type Applied = "applied" | "busy";
