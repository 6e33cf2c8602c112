// Runs the contract of all stores on the database of this browser (tests/web/site/test_store.py).

import { DATABASE, openConnection, openDatabase, type EntryRow } from "../src/device/database";
import { loadPython } from "../src/device/python";

interface Asked {
  runtime: string;
  /** Python modules by path. */
  modules: Record<string, string>;
  /** The cases to run, by name. */
  cases: string[];
  memory: boolean;
}

/** The module tests/web/site/page_contract.py. */
interface Contract {
  run(name: string, place: unknown): Promise<string>;
}

const place = {
  channel: { send: () => {} },
  open: () => openDatabase(() => {}),
  async damage(table: string, version: number): Promise<void> {
    const connection = await openConnection();
    const transaction = connection.transaction("entries", "readwrite");
    const entries = transaction.objectStore("entries");
    const reading = entries.get([table, version]) as IDBRequest<EntryRow>;
    reading.onsuccess = () => entries.put({ ...reading.result, body: '{"type":"played","seat":' });
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    connection.close();
  },
};

/** Connections close when the database is removed. */
function clear(): Promise<void> {
  return new Promise((resolve, reject) => {
    const removing = indexedDB.deleteDatabase(DATABASE);
    removing.onsuccess = () => resolve();
    removing.onerror = () => reject(removing.error ?? new Error("remove"));
  });
}

async function run({ runtime, modules, cases, memory }: Asked): Promise<void> {
  if (memory) Object.defineProperty(globalThis, "indexedDB", { value: undefined });
  const python = await loadPython(runtime);
  const files = python.FS as { mkdirTree(path: string): void; writeFile(path: string, text: string): void };
  for (const [path, text] of Object.entries(modules)) {
    files.mkdirTree(`/home/pyodide/${path.slice(0, path.lastIndexOf("/"))}`);
    files.writeFile(`/home/pyodide/${path}`, text);
  }
  const contract = python.pyimport("tests.web.site.page_contract") as Contract;
  for (const name of cases) {
    if (!memory) await clear();
    postMessage({ name, fault: await contract.run(name, place) });
  }
}

/** Append entries after those that are stored, and report each version when it is acknowledged. */
async function write(): Promise<never> {
  const database = await openDatabase(() => {});
  for (let version = (await database.version("table")) + 1; ; version++) {
    const row: EntryRow = { table_id: "table", version, at: version, command: `h:${version}`, body: "{}" };
    if (await database.append(JSON.stringify(row), "")) postMessage(version);
  }
}

addEventListener("message", ({ data }: MessageEvent<Asked | { write: true }>) => {
  const work = "write" in data ? write() : run(data);
  work.catch((error: unknown) => postMessage({ name: "", fault: String(error) }));
});
