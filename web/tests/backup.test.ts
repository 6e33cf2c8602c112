import { describe, expect, test } from "vitest";
import { adopt, BadBackup, merge, readBackup, type Backup, type Stored } from "../src/device/backup";

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
    expect(readBackup(JSON.stringify(backup()))).toEqual(backup());
  });

  test.each([
    ["no JSON", "granada"],
    ["cut off", JSON.stringify(backup()).slice(0, -20)],
    ["another format", JSON.stringify({ ...backup(), format: "chess" })],
    ["no holder", JSON.stringify({ ...backup(), holder: "" })],
    ["no entries", JSON.stringify({ ...backup(), entries: null })],
    ["a gap in a game", JSON.stringify(backup({ entries: entries("one", 3).filter(({ version }) => version !== 2) }))],
    ["an entry that is no JSON", JSON.stringify(backup({ entries: [{ ...entries("one", 1)[0]!, body: "{" }] }))],
    ["a table without a phase", JSON.stringify({ ...backup(), tables: [{ id: "one" }] })],
  ])("%s is refused", (_, text) => {
    expect(codeOf(text)).toBe("bad_file");
  });

  test("a newer file is refused as such, whatever is in it", () => {
    expect(codeOf(JSON.stringify({ format: "granada-games", version: 2 }))).toBe("newer_file");
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
