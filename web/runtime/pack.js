// Packs Python for the page: `node pack.js JOB`, with paths in a JSON file that build_site.py writes.
// Runs the rehearsal (rehearsal.py) from the sources to see which modules it imports, packs these (packing.py), and runs the
// rehearsal again from the archives: a module or a file that is missing fails the build.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadPyodide } from "pyodide";

/**
 * @typedef {import("pyodide").PyodideInterface} Python
 * @typedef {{ pyodide: string, lock: object, sources: string, wheel: string, rehearsal: string, packing: string, out: string }} Job
 */

const job = /** @type {Job} */ (JSON.parse(await readFile(process.argv[2] ?? "", "utf8")));
const rehearsal = await readFile(job.rehearsal, "utf8");

/**
 * Start Python with folders to import from; the standard library is Pyodide's own unless a file is given.
 * @param {Record<string, string>} folders
 * @param {string} [library]
 */
async function start(folders, library) {
  const python = await loadPyodide({
    indexURL: job.pyodide,
    packageBaseUrl: job.pyodide,
    lockFileContents: JSON.stringify(job.lock),
    ...(library === undefined ? {} : { stdLibURL: library }),
    // The sources are not touched, and code without columns is smaller.
    env: { PYTHONDONTWRITEBYTECODE: "1", PYTHONNODEBUGRANGES: "1" },
  });
  for (const [path, folder] of Object.entries(folders)) {
    python.runPython(`import os; os.makedirs(${JSON.stringify(path)})`);
    python.mountNodeFS(path, folder);
    python.runPython(`import sys; sys.path.append(${JSON.stringify(path)})`);
  }
  return python;
}

/**
 * Run the rehearsal and return its results as texts.
 * @param {Python} python
 */
async function rehearse(python) {
  python.runPython(rehearsal, { filename: job.rehearsal });
  return /** @type {Record<string, string>} */ (
    JSON.parse(String(await python.runPythonAsync("import json; json.dumps(await rehearse())")))
  );
}

/** @param {unknown} text */
function lines(text) {
  return String(text).split("\n");
}

async function pack() {
  await mkdir(job.out, { recursive: true });
  const packer = await start({ "/sources": job.sources, "/wheel": job.wheel, "/out": job.out });
  packer.runPython(await readFile(job.packing, "utf8"), { filename: job.packing });
  const named = lines(packer.runPython(`"\\n".join(packed_imports("/sources/granada"))`));

  const whole = await start({ "/sources": job.sources, "/wheel": job.wheel });
  const expected = await rehearse(whole);
  for (const name of named) whole.pyimport(name);
  const files = lines(
    whole.runPython(`"\\n".join([getattr(one, "__file__", None) or "" for one in sys.modules.values()])`),
  );
  packer.globals.set("imported", packer.toPy(files));
  packer.runPython(`pack("/sources/granada", "/wheel/msgspec", imported, "/out")`);

  const packed = await start({ "/packed": join(job.out, "unpacked") }, join(job.out, "library.zip"));
  const found = await rehearse(packed);
  for (const [name, value] of Object.entries(expected)) {
    if (found[name] !== value) {
      throw new Error(`the packed modules give another result for ${name}: ${String(found[name])} instead of ${value}`);
    }
  }
  await writeFile(join(job.out, "components.json"), String(packed.runPython("components()")));
}

try {
  await pack();
} catch (error) {
  // Node would print the line of the error too, which is all of Pyodide.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
process.exit();
