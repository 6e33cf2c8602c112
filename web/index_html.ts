// The addresses of files in index.html.
import type { Plugin } from "vite";

/** Write addresses from the root: the server answers with index.html at paths such as /t/…; a site adds its base to them. */
export function absoluteIndex(): Plugin {
  return {
    name: "absolute-index",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const index = bundle["index.html"];
      if (index?.type !== "asset") return;
      index.source = String(index.source).replaceAll(/(src|href)="\.\/assets\//g, '$1="/assets/');
    },
  };
}
