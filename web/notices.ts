// The licences of the packages in the built client: NOTICES.txt, which `make release` also reads.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The folder of an installed package in the path of a module. */
const PACKAGE = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

interface Manifest {
  name: string;
  version: string;
  license: string;
}

/** `name version (licence)` on one line, and the text of the licence. */
export function notice(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf-8")) as Manifest;
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name));
  if (file === undefined) throw new Error(`${manifest.name} has no text of its licence`);
  const text = readFileSync(join(folder, file), "utf-8").trim();
  return `${manifest.name} ${manifest.version} (${manifest.license})\n\n${text}\n`;
}

/** The folders of the packages that modules come from, in order. */
export function packages(modules: Iterable<string>): string[] {
  const found = [...modules].map((id) => PACKAGE.exec(id)?.[1]);
  return [...new Set(found.filter((folder) => folder !== undefined))].sort();
}

export function notices(): Plugin {
  return {
    name: "notices",
    apply: "build",
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const folders = packages(chunks.flatMap((chunk) => chunk.moduleIds));
      const source = ["The web client contains code of these packages.\n", ...folders.map(notice)].join("\n---\n\n");
      this.emitFile({ type: "asset", fileName: "NOTICES.txt", source });
    },
  };
}
