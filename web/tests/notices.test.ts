import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { notice, packages } from "../notices";

describe("the notices of the built client", () => {
  test("name every package once, with its scope", () => {
    const modules = [
      "/web/src/main.ts",
      "\0/web/node_modules/svelte/src/a.js",
      "/web/node_modules/svelte/src/internal/b.js?x",
      "/web/node_modules/@scope/name/index.js",
      "/web/node_modules/a/node_modules/b/index.js",
    ];
    const found = ["/web/node_modules/@scope/name", "/web/node_modules/a/node_modules/b", "/web/node_modules/svelte"];
    expect(packages(modules)).toEqual(found);
  });

  test("have the text of the licence, and fail without it", () => {
    const folder = mkdtempSync(join(tmpdir(), "notices-"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "a", version: "1.0.0", license: "MIT" }));
    expect(() => notice(folder)).toThrow("a has no text of its licence");
    writeFileSync(join(folder, "LICENSE.md"), "Do it.\n");
    expect(notice(folder)).toBe("a 1.0.0 (MIT)\n\nDo it.\n");
  });
});
