// Markdown files become HTML when the client is built, so that no reader of it has to be loaded.
import { readFile } from "node:fs/promises";
import { marked } from "marked";
import type { Plugin } from "vite";

/** A chapter of a text: what stands below a heading of the second level, and the picture that belongs to it. */
interface Chapter {
  id: string;
  title: string;
  picture: string | null;
  html: string;
}

/** `## Title {#id picture}` begins a chapter. */
const HEADING = /^## (.+?) \{#([\w-]+)(?: ([\w-]+))?\}$/;

export function chapters(text: string): Chapter[] {
  const found: (Chapter & { lines: string[] })[] = [];
  for (const line of text.split("\n")) {
    const heading = HEADING.exec(line);
    if (heading) found.push({ title: heading[1]!, id: heading[2]!, picture: heading[3] ?? null, html: "", lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found.map(({ lines, ...chapter }) => ({ ...chapter, html: marked.parse(lines.join("\n"), { async: false }) }));
}

export function markdown(): Plugin {
  return {
    name: "chapters",
    enforce: "pre",
    async load(id) {
      if (!id.endsWith(".md")) return null;
      return `export default ${JSON.stringify(chapters(await readFile(id, "utf-8")))}`;
    },
  };
}
