// Builds the scripts of the static site that have a fixed name and load nothing else, next to the built page.
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** @param {string} name */
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const PAGE = process.env["GRANADA_PAGE"] ?? path("../src/granada/page");
const SCRIPTS = { "sw.js": "src/device/service_worker.ts", "embed.js": "src/embed/element.ts" };

for (const [name, entry] of Object.entries(SCRIPTS))
  await build({
    configFile: false,
    root: path("."),
    logLevel: "warn",
    build: {
      outDir: PAGE,
      emptyOutDir: false,
      copyPublicDir: false,
      modulePreload: false,
      rolldownOptions: { input: path(entry), output: { format: "iife", entryFileNames: name } },
    },
  });
