// Loads Python (Pyodide) in a worker, with the packed standard library and granada, from the files of this site only.

import type { loadPyodide, PyodideInterface } from "pyodide";
import { place, type FileSystem } from "./stored_zip";

type Config = NonNullable<Parameters<typeof loadPyodide>[0]>;

/** The runtime description, written by build_site.py; its paths are relative to its own URL. */
export interface Runtime {
  /** The folder of Pyodide, with a slash at its end. */
  pyodide: string;
  /** The WebAssembly module in that folder. */
  wasm: Download;
  /** The standard library: a zip file that Python imports from. */
  library: Download;
  /** Stored zip files with more packages: each is written to the file `to`, or else unpacked into the folder `to`. */
  archives: (Download & { to: string })[];
  /** What Pyodide wants to know about itself; there are no packages that it could load. */
  lock: NonNullable<Config["lockFileContents"]>;
  /** Bytes of all these files, uncompressed. */
  bytes: number;
}

interface Download {
  path: string;
  bytes: number;
}

/** Called with the bytes that have arrived, and the bytes of everything. */
export type OnProgress = (loaded: number, total: number) => void;

/**
 * Why Python did not start. `download`: a file is missing or did not arrive; `unsupported`: the browser cannot run it;
 * `memory`: there is not enough memory; `internal`: anything else.
 */
export type FailureCode = "download" | "unsupported" | "memory" | "internal";

export class PythonFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, detail: string) {
    super(detail);
    this.name = "PythonFailure";
    this.code = code;
  }
}

/** Load Python from a runtime description; rejects with a PythonFailure, after which the worker should be ended. */
export async function loadPython(runtimeUrl: string, onProgress: OnProgress = () => {}): Promise<PyodideInterface> {
  if (typeof WebAssembly !== "object" || typeof WebAssembly.instantiateStreaming !== "function")
    throw new PythonFailure("unsupported", "this browser has no WebAssembly that can be compiled while it arrives");
  try {
    const url = new URL(runtimeUrl, location.href);
    const response = await sameOrigin(url.href, globalThis.fetch);
    return await new Loading((await response.json()) as Runtime, url, onProgress).python();
  } catch (error) {
    throw failure(error);
  }
}

/** One start of Python: its downloads, and the first failure. */
class Loading {
  private loaded = 0;
  private readonly runtime: Runtime;
  private readonly home: URL;
  private readonly onProgress: OnProgress;
  private readonly fetch = globalThis.fetch;
  /** Downloads that have begun before Pyodide asks for them, by URL. */
  private readonly begun = new Map<string, Promise<Response>>();
  private readonly counts: Promise<void>[] = [];
  /** Rejects at the first failure: Pyodide only prints some failures to the console, and then waits forever. */
  private readonly failed: Promise<never>;
  private fail!: (error: unknown) => void;

  constructor(runtime: Runtime, home: URL, onProgress: OnProgress) {
    this.runtime = runtime;
    this.home = home;
    this.onProgress = onProgress;
    this.failed = new Promise((_, reject) => (this.fail = reject));
    this.failed.catch(() => {});
  }

  async python(): Promise<PyodideInterface> {
    const restore = this.intercept();
    try {
      return await Promise.race([this.start(), this.failed]);
    } finally {
      restore();
    }
  }

  private async start(): Promise<PyodideInterface> {
    const { pyodide, wasm, library, archives, lock } = this.runtime;
    const folder = this.url(pyodide);
    for (const file of [wasm, library, ...archives]) this.begin(file);
    const contents = archives.map(async ({ path, to }) => ({ to, content: await this.content(path) }));
    const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
      imported<typeof import("pyodide")>(`${folder}pyodide.mjs`),
      imported<{ default: NonNullable<Config["createPyodideModule"]> }>(`${folder}pyodide.asm.mjs`),
    ]);
    return loadPyodide({
      indexURL: folder,
      packageBaseUrl: folder,
      lockFileContents: lock,
      stdLibURL: this.url(library.path),
      createPyodideModule,
      fsInit: (files) =>
        this.guard(async () => {
          for (const { to, content } of await Promise.all(contents)) place(files as FileSystem, content, to);
        }),
    });
  }

  private begin({ path, bytes }: Download): void {
    const url = this.url(path);
    const arriving = this.guard(async () => this.counted(await sameOrigin(url, this.fetch), bytes));
    arriving.catch(() => {});
    this.begun.set(url, arriving);
  }

  private async content(path: string): Promise<Uint8Array> {
    const response = await this.begun.get(this.url(path))!;
    return new Uint8Array(await response.arrayBuffer());
  }

  /** Pass on what has begun to arrive, and note why the module does not start, until the returned function is called. */
  private intercept(): () => void {
    const { fetch } = globalThis;
    const { instantiateStreaming } = WebAssembly;
    globalThis.fetch = (request, options) => {
      const url = request instanceof Request ? request.url : String(request);
      return this.begun.get(url) ?? sameOrigin(url, fetch, options);
    };
    WebAssembly.instantiateStreaming = async (...given) =>
      this.guard(async () => {
        try {
          return await instantiateStreaming(...given);
        } catch (error) {
          await Promise.all(this.counts); // half a module is an error of the download, not of the browser
          throw error;
        }
      });
    return () => {
      globalThis.fetch = fetch;
      WebAssembly.instantiateStreaming = instantiateStreaming;
    };
  }

  /** Return a response whose bytes are counted; only a copy is read, so that the browser can cache compiled code. */
  private counted(response: Response, bytes: number): Response {
    const counting = this.guard(() => this.count(response.clone(), bytes));
    counting.catch(() => {});
    this.counts.push(counting);
    const type = response.headers.get("content-type");
    if (!response.url.endsWith(".wasm") || type === "application/wasm") return response;
    return new Response(response.body, { headers: { "content-type": "application/wasm" } });
  }

  private async count(response: Response, bytes: number): Promise<void> {
    const reader = response.body!.getReader();
    let arrived = 0;
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        arrived += part.value.length;
        this.loaded += part.value.length;
        if (arrived <= bytes) this.onProgress(this.loaded, this.runtime.bytes);
      }
    } catch (error) {
      throw new PythonFailure("download", `${String(error)} (${response.url})`);
    }
    if (arrived !== bytes)
      throw new PythonFailure("download", `${arrived} bytes arrived instead of ${bytes} (${response.url})`);
  }

  private async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  private url(path: string): string {
    return new URL(path, this.home).href;
  }
}

/** Fetch a file of this site: nothing is ever loaded from elsewhere. */
async function sameOrigin(url: string, fetch: typeof globalThis.fetch, options: RequestInit = {}): Promise<Response> {
  if (new URL(url).origin !== location.origin) throw new PythonFailure("download", `not a file of this site (${url})`);
  let response: Response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    throw new PythonFailure("download", `${String(error)} (${url})`);
  }
  if (!response.ok) throw new PythonFailure("download", `status ${response.status} (${url})`);
  return response;
}

async function imported<T>(url: string): Promise<T> {
  try {
    return (await import(/* @vite-ignore */ url)) as T;
  } catch (error) {
    throw new PythonFailure(error instanceof SyntaxError ? "unsupported" : "download", `${String(error)} (${url})`);
  }
}

function failure(error: unknown): PythonFailure {
  if (error instanceof PythonFailure) return error;
  const detail = String(error);
  if (error instanceof RangeError || /out of memory|allocat/i.test(detail)) return new PythonFailure("memory", detail);
  const isUnsupported = error instanceof WebAssembly.CompileError || error instanceof WebAssembly.LinkError;
  return new PythonFailure(isUnsupported ? "unsupported" : "internal", detail);
}
