// The languages of src/granada/locales: each folder with a language.json is one, and becomes two files of the page: the texts
// of the home page, and all others.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "vite";
import { isFirst } from "./first_messages";

const INDEX = "virtual:languages";
const MESSAGES = "virtual:messages/";
const MORE = "/more";
/** The language of the messages that another language lacks. */
const FALLBACK = "en";
/** Files of a folder without messages for the page: the language itself, and what only Python draws. */
const NOT_MESSAGES = ["language.json", "picture.json"];

export function locales(root: string): Plugin {
  const read = async (tag: string, file: string) =>
    JSON.parse(await readFile(join(root, tag, file), "utf-8")) as Record<string, unknown>;

  async function files(tag: string): Promise<string[]> {
    return (await readdir(join(root, tag))).sort();
  }

  async function tags(): Promise<string[]> {
    const folders = (await readdir(root, { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const isLanguage = await Promise.all(folders.map(async (tag) => (await files(tag)).includes("language.json")));
    return folders.filter((_, index) => isLanguage[index]).sort();
  }

  /** The browser knows the plural rules itself. */
  async function index(watch: (path: string) => void): Promise<string> {
    const lines = [`export const FALLBACK = ${JSON.stringify(FALLBACK)};`, "export const LANGUAGES = {"];
    for (const tag of await tags()) {
      watch(join(root, tag, "language.json"));
      const { plurals: _, ...settings } = await read(tag, "language.json");
      const rules = (await files(tag)).includes("rules.md") ? tag : FALLBACK;
      lines.push(
        `  ${JSON.stringify(tag)}: {`,
        `    ...${JSON.stringify(settings)},`,
        `    messages: () => import(${JSON.stringify(MESSAGES + tag)}),`,
        `    more: () => import(${JSON.stringify(MESSAGES + tag + MORE)}),`,
        `    rules: () => import(${JSON.stringify(join(root, rules, "rules.md"))}),`,
        "  },",
      );
    }
    return [...lines, "};"].join("\n");
  }

  async function messages(part: string, watch: (path: string) => void): Promise<string> {
    const hasFirst = !part.endsWith(MORE);
    const tag = hasFirst ? part : part.slice(0, -MORE.length);
    let found: Record<string, unknown> = {};
    for (const language of new Set([FALLBACK, tag])) {
      for (const file of await files(language)) {
        if (!file.endsWith(".json") || NOT_MESSAGES.includes(file)) continue;
        watch(join(root, language, file));
        found = { ...found, ...(await read(language, file)) };
      }
    }
    const wanted = Object.entries(found).filter(([key]) => isFirst(key) === hasFirst);
    return `export default ${JSON.stringify(Object.fromEntries(wanted))}`;
  }

  return {
    name: "locales",
    resolveId: (id) => (id === INDEX || id.startsWith(MESSAGES) ? `\0${id}` : null),
    load(id) {
      const watch = (path: string) => this.addWatchFile(path);
      if (id === `\0${INDEX}`) return index(watch);
      if (id.startsWith(`\0${MESSAGES}`)) return messages(id.slice(MESSAGES.length + 1), watch);
      return null;
    },
  };
}
