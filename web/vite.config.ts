import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { locales } from "./locales";
import { absoluteIndex } from "./index_html";
import { markdown } from "./markdown";
import { notices } from "./notices";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
/** Where `npm run dev` finds the server: `granada serve`. */
const SERVER = process.env["GRANADA_SERVER"] ?? "http://127.0.0.1:8642";
/** Shared modules with fewer bytes of source get no file of their own. */
const SMALL = 3_000;
/** What is kept of daily deals and puzzles, and the choice of the next one. */
const KEPT =
  /[\\/]src[\\/](?:lib[\\/](?:kept_value|objects)|daily[\\/](?:days|own_results|results|words)|puzzles[\\/](?:answers|next_puzzle|stored_progress))\./;
/** The name of a file: those of shared modules would list all screens that share them. */
const named = (name: string) => (name.startsWith("shared~") ? "shared" : "[name]");

export default defineConfig({
  root: path("."),
  plugins: [
    locales(process.env["GRANADA_LOCALES"] ?? path("../src/granada/locales")),
    markdown(),
    svelte(),
    absoluteIndex(),
    notices(),
  ],
  // A static site serves the page under any path, so its files refer to each other relatively.
  base: "./",
  resolve: { alias: { $lib: path("src/lib"), $art: path("src/art") } },
  worker: { format: "es" },
  build: {
    outDir: process.env["GRANADA_PAGE"] ?? path("../src/granada/page"),
    emptyOutDir: true,
    // `granada site` reads which files the home page needs (site_page.py).
    manifest: "chunks.json",
    // The policy of the server allows scripts and pictures from itself only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${named(name)}-[hash].js`,
        assetFileNames: ({ names }) => `assets/${named(names[0] ?? "")}-[hash][extname]`,
        // Over a slow line every request counts: what every screen needs is one file, and what several screens share few.
        codeSplitting: {
          groups: [
            // The entry itself waits for the first screen, which imports from this file.
            { name: "base", tags: ["$initial"], test: /^(?!.*[\\/]main\.ts|.*index\.html)/, priority: 2 },
            // What the cards of the home page read, without the screens of the daily deal and the puzzles.
            { name: "kept", test: KEPT, priority: 2 },
            {
              name: "shared",
              test: /[\\/]src[\\/]/,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: SMALL,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  test: {
    include: ["tests/*.test.ts"],
    environment: "./tests/environment.ts",
    setupFiles: ["tests/globals.ts", "tests/setup.ts"],
  },
  server: { proxy: { "/api": { target: SERVER, ws: true }, "/healthz": SERVER } },
});
