import { beforeEach, describe, expect, test, vi } from "vitest";
import type { OwnResult } from "../src/daily/results";
import type { GameRecord } from "../src/you/games";
import { UNKNOWN } from "../src/you/rating";

const store = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => store.get(key) ?? null,
  setItem: (key: string, text: string) => void store.set(key, text),
  removeItem: (key: string) => store.delete(key),
});

/** The modules of a browser whose storage is empty, or as it was left. */
async function browser(isNew = true) {
  if (isNew) store.clear();
  vi.resetModules();
  await (await import("$lib/box")).loadBox();
  const bundle = await import("../src/you/bundle");
  const small = await import("../src/you/small");
  const { profile } = await import("../src/you/profile.svelte");
  const identity = await import("$lib/identity.svelte");
  const tables = await import("$lib/tables");
  return { ...bundle, ...small, profile, ...identity, ...tables };
}

const game = (id: string, at: number): GameRecord => ({
  id,
  ended: at,
  edition: "alhambra",
  modules: [],
  seat: 1,
  seats: [
    { kind: "person", level: null, rating: null, name: "Ana", score: 100, rank: 1 },
    { kind: "bot", level: "greedy", rating: 1635, name: "Zaki", score: 80, rank: 2 },
  ],
  points: { wall: 12 },
  others: { wall: 9 },
  exact: 2,
  purchases: 8,
  longest: { wall: 9 },
  city: { "0,0": "start-alhambra" },
  daily: null,
  exempt: null,
  rating: null,
});

const daily = (date: string): OwnResult => ({
  edition: "alhambra",
  date,
  points: 100,
  margin: 20,
  won: true,
  course: ["ahead", "level", "ahead"],
  exact: 2,
  wall: 9,
});

beforeEach(() => store.clear());

describe("a bundle", () => {
  test("brings name, token, games, lessons and tables to a browser that has its own", async () => {
    const ana = await browser();
    ana.rename("Ana");
    ana.chooseToken(4);
    ana.profile.add(game("a", 1));
    ana.listTables([{ id: "table-of-ana-001", seats: [1] }]);
    store.set("granada.lessons", "[1,2]");
    (await import("../src/daily/own_results.svelte")).addResults([daily("2026-11-18")]);
    const text = await ana.packedBundle();

    const ben = await browser();
    ben.rename("Ben");
    ben.profile.add(game("b", 2));
    ben.listTables([{ id: "table-of-ben-001", seats: [2] }]);
    store.set("granada.lessons", "[2,5]");
    (await import("../src/daily/own_results.svelte")).addResults([daily("2026-11-17")]);
    expect(ben.takeOver(await ben.unpackedBundle(text))).toEqual({ name: "Ana", games: 1 });
    const after = await browser(false);
    expect([after.ownName(), after.ownToken()]).toEqual(["Ana", 4]);
    expect(after.profile.games.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(after.knownTables().map(({ id }) => id)).toEqual(["table-of-ben-001", "table-of-ana-001"]);
    expect(JSON.parse(store.get("granada.lessons")!)).toEqual([2, 5, 1]);
    const { ownResults } = await import("../src/daily/own_results.svelte");
    expect(ownResults.value.results.map(({ date }) => date)).toEqual(["2026-11-17", "2026-11-18"]);
  });

  test("that is too long leaves the oldest games behind, and keeps their rating", async () => {
    const ana = await browser();
    for (let i = 0; i < 60; i++) ana.profile.add(game(`game-${i}-${Math.sin(i)}`, i));
    const found = await ana.unpackedBundle(await ana.packedBundle(1500));
    expect(found.you.games.length).toBeLessThan(60);
    expect(found.you.games.at(-1)?.id).toBe(ana.profile.games.at(-1)!.id);
    expect(found.you.base).not.toEqual(UNKNOWN);
  });

  test("that is damaged or newer is refused", async () => {
    const { packedBundle, unpackedBundle, readBundle } = await browser();
    const text = await packedBundle();
    await expect(unpackedBundle(text.slice(0, -9))).rejects.toMatchObject({ code: "damaged" });
    await expect(unpackedBundle("")).rejects.toMatchObject({ code: "damaged" });
    expect(() => readBundle("{}")).toThrow("damaged");
    expect(() => readBundle(JSON.stringify({ format: "granada-you", version: 2 }))).toThrow("newer");
  });
});

describe("a code without a server", () => {
  test("brings name, token and ratings, and is short", async () => {
    const ana = await browser();
    ana.rename("Ana");
    ana.chooseToken(3);
    ana.profile.add(game("a", 1));
    const rating = ana.profile.rating;
    const code = await ana.smallCode();
    expect(code.length).toBeLessThan(300);
    const ben = await browser();
    const small = await ben.readSmall(`https://play.example/me#${code}`);
    ben.takeOverSmall(small!);
    expect([ben.ownName(), ben.ownToken()]).toEqual(["Ana", 3]);
    expect(ben.profile.rating.value).toBeCloseTo(rating.value, 0);
    expect(ben.profile.isRated).toBe(true);
    expect(ben.profile.games).toEqual([]);
  });

  test("that is damaged is refused", async () => {
    const { readSmall, smallCode } = await browser();
    const code = await smallCode();
    for (const wrong of ["", "p", code.slice(1), code.slice(0, -1), `${code}0`, code.replace(/.$/, "~")])
      expect(await readSmall(wrong)).toBeNull();
  });
});
