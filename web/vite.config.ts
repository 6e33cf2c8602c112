import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { locales } from "./locales";
import { absoluteIndex } from "./index_html";
import { markdown } from "./markdown";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
/** Where `npm run dev` finds the server: `granada serve`. */
const SERVER = process.env["GRANADA_SERVER"] ?? "http://127.0.0.1:8642";

export default defineConfig({
  root: path("."),
  plugins: [
    locales(process.env["GRANADA_LOCALES"] ?? path("../src/granada/locales")),
    markdown(),
    svelte(),
    absoluteIndex(),
  ],
  // A static site serves the page under any path, so its files refer to each other relatively.
  base: "./",
  resolve: { alias: { $lib: path("src/lib"), $art: path("src/art") } },
  worker: { format: "es" },
  build: {
    outDir: process.env["GRANADA_PAGE"] ?? path("../src/granada/page"),
    emptyOutDir: true,
    // The policy of the server allows scripts and pictures from itself only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: {
    include: ["tests/*.test.ts"],
    environment: "./tests/environment.ts",
    setupFiles: ["tests/globals.ts", "tests/setup.ts"],
  },
  server: { proxy: { "/api": { target: SERVER, ws: true }, "/healthz": SERVER } },
});
