// Stored zip files: what Python gets must be what build_site.py packed.

import { expect, test } from "vitest";
import { place, storedFiles } from "../src/device/stored_zip";

/** Two files, a/b.txt ("one") and c.txt (empty): written by Python's zipfile with ZIP_STORED. */
const ZIP = Uint8Array.from(
  atob(
    "UEsDBBQAAAAAAAAAIQDxhmx6AwAAAAMAAAAHAAAAYS9iLnR4dG9uZVBLAwQUAAAAAAAAACEAAAAAAAAAAAAAAAAABQAAAGMudHh0UEsBAhQDFA" +
      "AAAAAAAAAhAPGGbHoDAAAAAwAAAAcAAAAAAAAAAAAAAIABAAAAAGEvYi50eHRQSwECFAMUAAAAAAAAACEAAAAAAAAAAAAAAAAABQAAAAAAAAAA" +
      "AAAAgAEoAAAAYy50eHRQSwUGAAAAAAIAAgBoAAAASwAAAAAA",
  ),
  (char) => char.charCodeAt(0),
);

function unpacked(zip: Uint8Array): [string, string][] {
  return [...storedFiles(zip)].map(([name, content]) => [name, new TextDecoder().decode(content)]);
}

test("the files of a zip are read with their names", () => {
  expect(unpacked(ZIP)).toEqual([
    ["a/b.txt", "one"],
    ["c.txt", ""],
  ]);
});

test("a zip within a larger buffer is read from its own beginning", () => {
  const larger = new Uint8Array(ZIP.length + 5);
  larger.set(ZIP, 5);
  expect(unpacked(larger.subarray(5))).toHaveLength(2);
});

test("a cut or compressed zip is refused", () => {
  expect(() => unpacked(ZIP.slice(0, 38))).toThrow("damaged");
  const compressed = ZIP.slice();
  compressed[8] = 8;
  expect(() => unpacked(compressed)).toThrow("damaged");
});

test("a zip is unpacked into a folder, or written as it is", () => {
  const written: Record<string, number> = {};
  const made: string[] = [];
  const files = {
    mkdirTree: (path: string) => void made.push(path),
    writeFile: (path: string, content: Uint8Array) => void (written[path] = content.length),
  };
  place(files, ZIP, "/lib");
  place(files, ZIP, "/lib/some.zip");
  expect(made).toEqual(["/lib/a", "/lib"]);
  expect(written).toEqual({ "/lib/a/b.txt": 3, "/lib/c.txt": 0, "/lib/some.zip": ZIP.length });
});
