import { describe, expect, test } from "vitest";
import { adopt, BadBackup, gamesOf, merge, readBackup, type Backup, type Stored } from "../src/device/backup";

const HOLDER = "a".repeat(64);
const OTHER = "b".repeat(64);

function entries(table: string, n: number, mark = ""): Backup["entries"] {
  return Array.from({ length: n }, (_, i) => ({
    table_id: table,
    version: i + 1,
    at: i,
    body: JSON.stringify({ holder: HOLDER, i, mark: i === 0 ? "" : mark }),
  }));
}

function table(id: string): Backup["tables"][number] {
  return { id, phase: "playing", is_public: false, created_at: 1, listing: "{}" };
}

function backup(part: Partial<Backup> = {}): Backup {
  return {
    format: "granada-games",
    version: 1,
    saved_at: "2026-11-18T12:00:00.000Z",
    holder: HOLDER,
    entries: entries("one", 3),
    tables: [table("one")],
    meta: [],
    known: [{ id: "one", seats: [1] }],
    ...part,
  };
}

const stored = (part: Partial<Stored> = {}): Stored => ({ entries: [], tables: [], meta: [], ...part });

function codeOf(text: string): string {
  try {
    readBackup(text);
  } catch (error) {
    return error instanceof BadBackup ? error.code : String(error);
  }
  return "";
}

describe("reading a file", () => {
  test("a whole file is read", () => {
    expect(readBackup(JSON.stringify(backup()))).toEqual({ backup: backup(), damaged: [] });
  });

  test.each([
    ["no JSON", "granada"],
    ["cut off", JSON.stringify(backup()).slice(0, -20)],
    ["another format", JSON.stringify({ ...backup(), format: "chess" })],
    ["no holder", JSON.stringify({ ...backup(), holder: "" })],
    ["no entries", JSON.stringify({ ...backup(), entries: null })],
  ])("%s is refused", (_, text) => {
    expect(codeOf(text)).toBe("bad_file");
  });

  test("a newer file is refused as such, whatever is in it", () => {
    expect(codeOf(JSON.stringify({ format: "granada-games", version: 2 }))).toBe("newer_file");
  });
});

describe("a damaged game in a file", () => {
  const three = entries("two", 3);
  test.each([
    ["with a gap", three.filter(({ version }) => version !== 2)],
    ["with an entry that is no JSON", [...three.slice(0, 2), { ...three[2]!, body: "{" }]],
    ["with an entry without a body", [...three.slice(0, 2), { table_id: "two", version: 3, at: 3 }]],
    ["with a command that is there twice", three.map((entry) => ({ ...entry, command: `${HOLDER} 1` }))],
    ["with a version that is no number", [...three, { ...three[2]!, version: "4" }]],
  ])("%s is left out, and the others are read", (_, damaged) => {
    const text = JSON.stringify({
      ...backup(),
      entries: [...damaged, ...entries("one", 3), null],
      tables: [table("two"), table("one"), { id: "one" }, null],
      meta: [{ key: "kept:x", value: "x" }, {}],
      known: [{ id: "two", seats: [1] }, { id: "one", seats: [1] }, { id: "three" }],
    });
    expect(readBackup(text)).toEqual({
      backup: backup({ meta: [{ key: "kept:x", value: "x" }] }),
      damaged: ["two"],
    });
  });
});

describe("merging a file", () => {
  test("a game that is not here is added with its table", () => {
    const found = merge(stored({ entries: entries("two", 2), tables: [table("two")] }), backup());
    expect(found.changed).toEqual(["one"]);
    expect(found.replaced).toEqual([]);
    expect(found.entries).toEqual(entries("one", 3));
    expect(found.tables).toEqual([table("one")]);
  });

  test("a shorter game in the file changes nothing", () => {
    const found = merge(stored({ entries: entries("one", 5), tables: [table("one")] }), backup());
    expect(found).toEqual({ entries: [], tables: [], meta: [], changed: [], replaced: [] });
  });

  test("a game that was played on gets only its new entries", () => {
    const found = merge(stored({ entries: entries("one", 2) }), backup());
    expect(found.replaced).toEqual([]);
    expect(found.entries.map(({ version }) => version)).toEqual([3]);
  });

  test("of a game that was played on in both places, the longer one stays", () => {
    const longer = backup({ entries: entries("one", 3, "there") });
    const found = merge(stored({ entries: entries("one", 2, "here") }), longer);
    expect(found.replaced).toEqual(["one"]);
    expect(found.entries).toEqual(longer.entries);
    expect(merge(stored({ entries: entries("one", 4, "here") }), longer).changed).toEqual([]);
  });

  test.each([
    [
      "an entry that is no JSON",
      (rows: Backup["entries"]) => rows.map((row, i) => (i === 1 ? { ...row, body: "{" } : row)),
    ],
    ["a gap", (rows: Backup["entries"]) => rows.filter(({ version }) => version !== 2)],
    ["only the end", (rows: Backup["entries"]) => rows.slice(-1)],
  ])("a game with %s here is repaired from the file, however long it is", (_, damage) => {
    for (const n of [3, 5]) {
      const found = merge(stored({ entries: damage(entries("one", n)), tables: [table("one")] }), backup());
      expect(found.changed).toEqual(["one"]);
      expect(found.replaced).toEqual(["one"]);
      expect(found.entries).toEqual(entries("one", 3));
      expect(found.tables).toEqual([table("one")]);
    }
  });

  test("kept records are added, and none is replaced", () => {
    const kept = (key: string, value: string) => ({ key, value });
    const found = merge(
      stored({ meta: [kept("kept:x", "own")] }),
      backup({ meta: [kept("kept:x", "other"), kept("kept:y", "new")] }),
    );
    expect(found.meta).toEqual([kept("kept:y", "new")]);
  });
});

test("the seats of a file are held by the browser that loads it", () => {
  const command = `${HOLDER} 1`;
  const found = adopt(backup({ entries: [{ ...entries("one", 1)[0]!, command }] }), OTHER);
  expect(found.holder).toBe(OTHER);
  expect(found.entries[0]!.command).toBe(`${OTHER} 1`);
  expect(JSON.stringify(found)).not.toContain(HOLDER);
});

test("tables of puzzles and lessons are no games", () => {
  const tables = [
    table("one"),
    { ...table("two"), phase: "puzzle" },
    table("three"),
    { ...table("four"), phase: "over" },
  ];
  const found = gamesOf({
    tables,
    meta: [
      { key: "aside:three", value: "1" },
      { key: "kept:one", value: {} },
    ],
  });
  expect(found).toEqual(["one", "four"]);
});
