import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Message } from "$lib/api";
import { bestOf, merged, shortened, type Facts, type GameRecord } from "../src/you/games";
import { UNKNOWN } from "../src/you/rating";
import { EMPTY, VERSION, readProfile, recomputed, united } from "../src/you/stored_profile";
import { MESSAGES } from "./game";

const store = new Map<string, string>();
let isFull = false;
vi.stubGlobal("localStorage", {
  getItem: (key: string) => store.get(key) ?? null,
  setItem: (key: string, text: string) => {
    if (isFull) throw new Error("full");
    store.set(key, text);
  },
  removeItem: (key: string) => store.delete(key),
});

/** A profile as it is after the page was loaded again. */
async function loaded() {
  vi.resetModules();
  const { loadBox } = await import("$lib/box");
  await loadBox();
  return await import("../src/you/profile.svelte");
}

beforeEach(() => {
  store.clear();
  isFull = false;
});

const NOON = 1_770_000_000_000;
let count = 0;

/** The end of a game against two Merchants, with points for seats 1, 2 and 3. */
function ended(scores: number[], change: (message: Message) => void = () => {}) {
  const message = structuredClone(MESSAGES.act);
  message.table.phase = "over";
  scores.forEach((score, i) => (message.view!.players[i]!.score = score));
  change(message);
  const facts: Facts = {
    ended_at: NOON + 1000 * count++,
    seats: scores.map((score, i) => ({
      seat: i + 1,
      rank: 1 + scores.filter((other) => other > score).length,
      points: { wall: score - 20, garden: 20 },
      exact: 3 + i,
      purchases: 12,
      longest: { wall: 7 + i },
    })),
  };
  return [message, facts] as const;
}

const named = (id: string) => (message: Message) => void (message.table.id = id);

describe("a finished game", () => {
  test("is kept with its facts, once", async () => {
    const { profile, finishedGame } = await loaded();
    const first = finishedGame(...ended([90, 80, 70]));
    expect(first!.rating!.value).toBeGreaterThan(1500);
    expect(first!.rating!.change).toBe(first!.rating!.value - 1500);
    expect(finishedGame(...ended([90, 80, 70]))).toEqual(first);
    expect(profile.games).toHaveLength(1);
    expect(profile.games[0]).toMatchObject({
      edition: "combined",
      seat: 1,
      points: { wall: 70, garden: 20 },
      others: { wall: 55, garden: 20 },
      exact: 3,
      purchases: 12,
      longest: { wall: 7 },
      exempt: null,
      daily: null,
    });
    expect(profile.games[0]!.seats.map(({ level, rating, rank }) => [level, rating, rank])).toEqual([
      [null, null, 1],
      ["greedy", 1635, 2],
      ["greedy", 1635, 3],
    ]);
    const again = await loaded();
    expect(again.profile.games).toEqual(profile.games);
    expect(again.profile.rating).toEqual(profile.rating);
  });

  test("is reported by its table", async () => {
    const { profile } = await loaded();
    const { rememberTable } = await import("$lib/tables");
    const [message, facts] = ended([90, 80, 70]);
    const before = fetch;
    vi.stubGlobal("fetch", (path: string) =>
      path.endsWith("/facts") ? Promise.resolve(Response.json(facts)) : before(path),
    );
    rememberTable(message);
    await vi.waitFor(() => expect(profile.games.map(({ id }) => id)).toEqual([message.table.id]));
    vi.stubGlobal("fetch", before);
  });

  test("of a spectator is nothing", async () => {
    const { profile, finishedGame } = await loaded();
    const [message, facts] = ended([90, 80, 70]);
    for (const seat of message.table.seats) seat.is_yours = false;
    expect(finishedGame(message, facts)).toBeNull();
    expect(profile.games).toEqual([]);
  });

  test.each([
    ["hot_seat", (message: Message) => (message.table.seats[1]!.is_yours = true)],
    ["continued", (message: Message) => (message.table.opening = 12)],
    ["same_deal", (message: Message) => (message.table.is_same_deal = true)],
    ["taken_over", (message: Message) => (message.table.seats[0]!.is_played_by_bot = true)],
  ])("is only listed: %s", async (exempt, change) => {
    const { profile, finishedGame } = await loaded();
    expect(finishedGame(...ended([90, 80, 70], (message) => void change(message)))).toEqual({
      best: null,
      rating: null,
    });
    expect(profile.games.map((game) => game.exempt)).toEqual([exempt]);
    expect(profile.isRated).toBe(false);
    expect(profile.rating).toEqual(UNKNOWN);
  });

  test("of the day counts once, and practice does not", async () => {
    const { profile, finishedGame } = await loaded();
    // The deal of the day was played by others before.
    const daily = (id: string, counts: boolean) => (message: Message) => {
      message.table.id = id;
      message.table.is_same_deal = true;
      message.table.daily = { date: "2026-02-03", counts };
    };
    expect(finishedGame(...ended([90, 80, 70], daily("a", true)))!.rating).not.toBeNull();
    expect(finishedGame(...ended([95, 80, 70], daily("b", false)))!.rating).toBeNull();
    expect(profile.games.map((game) => [game.daily, game.exempt])).toEqual([
      ["2026-02-03", null],
      ["2026-02-03", "practice"],
    ]);
  });

  test("is the best, the second best, or neither", async () => {
    const { finishedGame } = await loaded();
    const best = (id: string, score: number) => finishedGame(...ended([score, 40, 30], named(id)))!.best;
    expect(best("a", 90)).toBeNull(); // nothing to compare it with
    expect(best("b", 100)).toEqual({ place: 1, score: 100, before: 90, edition: "combined" });
    expect(best("c", 95)).toEqual({ place: 2, score: 95, before: 100, edition: "combined" });
    expect(best("d", 95)).toBeNull();
    expect(best("e", 12)).toBeNull();
  });

  test("that loses to bots costs rating", async () => {
    const { finishedGame } = await loaded();
    expect(finishedGame(...ended([50, 80, 70]))!.rating!.change).toBeLessThan(0);
  });

  test("that cannot be stored is said", async () => {
    const { profile, finishedGame } = await loaded();
    isFull = true;
    expect(finishedGame(...ended([90, 80, 70]))!.rating).not.toBeNull();
    expect(profile.kept.isFull).toBe(true);
  });
});

describe("opponents", () => {
  test("people are as strong as their games here say", async () => {
    const { profile, finishedGame } = await loaded();
    const person = (id: string) => (message: Message) => {
      message.table.id = id;
      message.table.seats[1] = { ...message.table.seats[1]!, kind: "person", level: null, name: "Lena" };
    };
    const first = finishedGame(...ended([50, 80, 30], person("a")))!;
    const second = finishedGame(...ended([50, 80, 30], person("b")))!;
    // Lena has won before, so losing to her again costs less.
    expect(Math.abs(second.rating!.change)).toBeLessThan(Math.abs(first.rating!.change));
    expect(profile.games.map(({ seats }) => seats[1])).toEqual(
      Array(2).fill({ kind: "person", level: null, rating: null, name: "Lena", score: 80, rank: 1 }),
    );
  });
});

describe("puzzles", () => {
  test("have a rating of their own", async () => {
    const { profile } = await loaded();
    const after = profile.ratePuzzle({ opponent: { value: 1600, deviation: 60 }, score: 1 });
    expect(after.value).toBeGreaterThan(1500);
    expect((await loaded()).profile.puzzles).toEqual(after);
    expect(profile.rating).toEqual(UNKNOWN);
  });
});

describe("a profile that cannot be read", () => {
  const KEY = "granada.you";

  test("is kept as it was found, and what is valid of it is used", async () => {
    const { finishedGame } = await loaded();
    finishedGame(...ended([90, 80, 70], named("a")));
    const stored = JSON.parse(store.get(KEY)!) as { games: unknown[] };
    const broken = JSON.stringify({ ...stored, games: [...stored.games, { id: "b" }] });
    store.set(KEY, broken);
    const { profile } = await loaded();
    expect(profile.kept.problem).toBe("damaged");
    expect(profile.games.map(({ id }) => id)).toEqual(["a"]);
    expect(profile.kept.damaged).toBe(broken);
    const again = await loaded();
    again.finishedGame(...ended([70, 80, 90], named("c")));
    expect(again.profile.kept.problem).toBe("damaged");
    expect(again.profile.kept.damaged).toBe(broken);
    again.profile.kept.discardDamaged();
    expect(again.profile.kept.problem).toBeNull();
    expect((await loaded()).profile.games.map(({ id }) => id)).toEqual(["a", "c"]);
  });

  test("is kept where it is no JSON at all", async () => {
    store.set(KEY, "{");
    const { profile } = await loaded();
    expect([profile.kept.problem, profile.kept.damaged, profile.games.length]).toEqual(["damaged", "{", 0]);
  });

  test("is left alone if it is of a newer page", async () => {
    const newer = JSON.stringify({ version: VERSION + 1, games: "elsewhere" });
    store.set(KEY, newer);
    const { profile, finishedGame } = await loaded();
    expect(profile.kept.problem).toBe("newer");
    expect(finishedGame(...ended([90, 80, 70]))).toBeNull();
    expect(store.get(KEY)).toBe(newer);
  });
});

describe("lists of games", () => {
  const game = (id: string, at: number, rank = 1): GameRecord => ({
    id,
    ended: at,
    edition: "alhambra",
    modules: [],
    seat: 1,
    seats: [
      { kind: "person", level: null, rating: null, name: "Ana", score: 100 + at, rank },
      { kind: "bot", level: "greedy", rating: 1635, name: "Zaki", score: 80, rank: 3 - rank },
    ],
    points: {},
    others: {},
    exact: 0,
    purchases: 0,
    longest: {},
    city: { "0,0": "start-alhambra" },
    daily: null,
    exempt: null,
    rating: null,
  });
  const profileOf = (games: GameRecord[]) => recomputed({ ...EMPTY, games });

  test("of two browsers become one, whose ratings follow from the order of the games", () => {
    const here = profileOf([game("a", 1), game("c", 3)]);
    const there = profileOf([game("b", 2, 2), game("c", 3)]);
    const both = united(here, there);
    expect(both.games.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(both).toEqual(profileOf([game("a", 1), game("b", 2, 2), game("c", 3)]));
    expect(united(there, here)).toEqual(both);
    expect(united(both, here)).toEqual(both);
  });

  test("keep the newest games, and the rating of those that made room", () => {
    const games = Array.from({ length: 1503 }, (_, i) => game(`g${i}`, i));
    const whole = profileOf(games);
    expect(whole.games).toHaveLength(1500);
    expect(whole.games.filter(({ city }) => city !== null)).toHaveLength(60);
    expect(recomputed(whole).rating.value).toBeCloseTo(whole.rating.value, 6);
    expect(shortened(whole.games, whole.base).games).toEqual(whole.games);
  });

  test("compare only games of one edition", () => {
    const games = [game("a", 1), { ...game("b", 2), edition: "granada" }, game("c", 3)];
    expect(bestOf(games, "b")).toBeNull();
    expect(bestOf(games, "c")).toMatchObject({ place: 1, before: 101 });
    expect(bestOf(merged(games, []), "nowhere")).toBeNull();
  });

  test("are whole after they were stored", () => {
    const whole = profileOf([game("a", 1)]);
    expect(readProfile(JSON.stringify(whole))).toEqual({ profile: whole, problem: null });
  });
});
