// Runs a Python file in Node with the interpreter of the page and the learned evaluation in JavaScript:
//
//   node benchmarks/pyodide.mjs SCRIPT ARGUMENT…                       Pyodide from web/node_modules, granada from src
//   node benchmarks/pyodide.mjs --runtime FILE.json SCRIPT ARGUMENT…   the runtime that build_site.py built
//
// The script can import `host`, whose `cpu_seconds()` is the processor time of this process.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const WEB = resolve(ROOT, "web");
const require = createRequire(resolve(WEB, "package.json"));

/** Import a module of the client that imports no other module. */
async function clientModule(path) {
  const { default: ts } = await import(pathToFileURL(require.resolve("typescript")));
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const { outputText } = ts.transpileModule(readFileSync(resolve(WEB, path), "utf8"), { compilerOptions: options });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
}

async function pyodideWithSources() {
  const { loadPyodide } = await import(pathToFileURL(require.resolve("pyodide/pyodide.mjs")));
  const python = await loadPyodide();
  python.FS.mkdir("/granada");
  python.mountNodeFS("/granada", resolve(ROOT, "src"));
  python.runPython("import sys; sys.dont_write_bytecode = True; sys.path.insert(0, '/granada')");
  return python;
}

async function builtRuntime(description) {
  const { pyodide, library, archives, lock } = JSON.parse(readFileSync(description, "utf8"));
  const at = (path) => resolve(dirname(resolve(description)), path);
  const { place } = await clientModule("src/device/stored_zip.ts");
  const { loadPyodide } = await import(pathToFileURL(resolve(at(pyodide), "pyodide.mjs")));
  return loadPyodide({
    indexURL: `${at(pyodide)}/`,
    packageBaseUrl: `${at(pyodide)}/`,
    lockFileContents: lock,
    stdLibURL: at(library.path),
    fsInit: async (files) => {
      for (const { path, to } of archives) place(files, new Uint8Array(readFileSync(at(path))), to);
    },
  });
}

const words = process.argv.slice(2);
const description = words[0] === "--runtime" ? words.splice(0, 2)[1] : null;
const [script, ...rest] = words;
const python = await (description ? builtRuntime(description) : pyodideWithSources());
python.setStdout({ batched: (line) => process.stdout.write(`${line}\n`) });
python.registerJsModule("host", {
  cpu_seconds: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
});
(await clientModule("src/device/network.ts")).installNetwork(python);
python.globals.set("arguments", python.toPy([script, ...rest]));
python.runPython("import sys; sys.argv = arguments; __name__ = '__main__'");
python.runPython(readFileSync(script, "utf8"), { filename: script });
