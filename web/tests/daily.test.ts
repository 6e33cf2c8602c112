import { beforeEach, describe, expect, test, vi } from "vitest";
import { daysAfter, isOpenDay, monthsAfter, streakOf, weeksOf } from "../src/daily/days";
import { mergedResults, readResults, type OwnResult } from "../src/daily/results";
import { shareText } from "../src/daily/words";

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

beforeEach(() => {
  store.clear();
  isFull = false;
});

function result(date: string, changes: Partial<OwnResult> = {}): OwnResult {
  return {
    edition: "alhambra",
    date,
    points: 128,
    margin: 14,
    won: true,
    course: ["behind", "level", "ahead"],
    exact: 9,
    wall: 12,
    ...changes,
  };
}

/** The results as they are after the page was loaded again. */
async function loaded() {
  vi.resetModules();
  return await import("../src/daily/own_results.svelte");
}

describe("days in a row", () => {
  const week = ["2026-02-26", "2026-02-27", "2026-02-28", "2026-03-01"];

  test("are counted over the end of a month, also before today was played", () => {
    expect(streakOf(week, "2026-03-01")).toEqual({ days: 4, longest: 4, hasToday: true });
    expect(streakOf(week, "2026-03-02")).toEqual({ days: 4, longest: 4, hasToday: false });
  });

  test("end with a day that was not played", () => {
    expect(streakOf(week, "2026-03-03")).toEqual({ days: 0, longest: 4, hasToday: false });
    expect(streakOf([...week, "2026-03-03"], "2026-03-03")).toEqual({ days: 1, longest: 4, hasToday: true });
  });

  test("count a day once, in any order", () => {
    expect(streakOf(["2026-03-01", ...[...week].reverse(), "2026-02-27"], "2026-03-01").days).toBe(4);
    expect(streakOf([], "2026-03-01")).toEqual({ days: 0, longest: 0, hasToday: false });
  });
});

describe("the calendar", () => {
  test("has whole weeks from Monday", () => {
    const weeks = weeksOf("2026-11");
    expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7]);
    expect(weeks[0]).toEqual([null, null, null, null, null, null, "2026-11-01"]);
    expect(weeks.flat().filter((date) => date !== null)).toHaveLength(30);
    expect(weeksOf("2027-02")[0]![0]).toBe("2027-02-01");
  });

  test("goes over years and leap days", () => {
    expect(monthsAfter("2026-12", 1)).toBe("2027-01");
    expect(monthsAfter("2026-01", -1)).toBe("2025-12");
    expect(daysAfter("2028-02-28", 1)).toBe("2028-02-29");
  });

  test("offers the deals of the last 30 days, and none to come", () => {
    expect(isOpenDay("2026-10-19", "2026-11-18")).toBe(true);
    expect(isOpenDay("2026-10-18", "2026-11-18")).toBe(false);
    expect(isOpenDay("2026-11-19", "2026-11-18")).toBe(false);
  });
});

describe("own results", () => {
  test("are kept once for each edition and day, in order", async () => {
    const { addResults, ownResults } = await loaded();
    addResults([result("2026-11-18"), result("2026-11-17")]);
    addResults([result("2026-11-18", { points: 1 }), result("2026-11-18", { edition: "granada" })]);
    const found = (await loaded()).ownResults.value.results;
    expect(found).toEqual(ownResults.value.results);
    expect(found.map(({ date, edition, points }) => [date, edition, points])).toEqual([
      ["2026-11-17", "alhambra", 128],
      ["2026-11-18", "alhambra", 128],
      ["2026-11-18", "granada", 128],
    ]);
  });

  test("that are damaged are explained: the rest is used, and a copy is kept", async () => {
    const text = JSON.stringify({ version: 1, results: [result("2026-11-18"), result("2026-02-30"), { date: 1 }] });
    store.set("granada.daily", text);
    const { addResults, ownResults } = await loaded();
    expect(ownResults.problem).toBe("damaged");
    expect(ownResults.value.results).toEqual([result("2026-11-18")]);
    addResults([result("2026-11-17")]);
    expect(store.get("granada.daily.damaged")).toBe(text);
    const { ownResults: again } = await loaded();
    expect([again.problem, again.value.results.length]).toEqual(["damaged", 2]);
    again.discardDamaged();
    expect([again.problem, store.has("granada.daily.damaged")]).toEqual([null, false]);
  });

  test.each(["", "{", "null", "[]", '{"version":1}', '{"results":[]}'])("%j is damaged", (text) => {
    expect(readResults(text)).toEqual({ value: { version: 1, results: [] }, problem: "damaged" });
  });

  test("of a newer page are left alone", async () => {
    const text = '{"version":2,"results":"packed"}';
    store.set("granada.daily", text);
    const { addResults, ownResults } = await loaded();
    addResults([result("2026-11-18")]);
    expect(ownResults.problem).toBe("newer");
    expect(store.get("granada.daily")).toBe(text);
  });

  test("that do not fit are reported, and hold as long as the page", async () => {
    const { addResults, ownResults, resultOf } = await loaded();
    isFull = true;
    addResults([result("2026-11-18")]);
    expect(ownResults.isFull).toBe(true);
    expect(resultOf("alhambra", "2026-11-18")?.points).toBe(128);
  });

  test("of two browsers are united; whatever is not understood is left out", async () => {
    const { addResults, ownResults, uniteResults } = await loaded();
    addResults([result("2026-11-18")]);
    uniteResults([result("2026-11-17"), result("2026-11-18", { points: 3 }), { edition: "chess" }, null]);
    uniteResults("nonsense");
    expect(ownResults.value.results).toEqual([result("2026-11-17"), result("2026-11-18")]);
  });

  test("are at most 1500, the newest", () => {
    const many = Array.from({ length: 1600 }, (_, i) => result(daysAfter("2020-01-01", i)));
    const kept = mergedResults([], many);
    expect([kept.length, kept.at(-1)]).toEqual([1500, many.at(-1)]);
  });
});

describe("the text to share", () => {
  test("says how it went and gives nothing away", () => {
    expect(shareText(result("2026-11-18"), "alhambra", "2026-11-18", 6, "granada.example/daily").split("\n")).toEqual([
      "Granada daily, Nov 18 · Alhambra",
      "128 points, won by 14",
      "A ▽  B ●  C ▲   exact 9 · wall 12",
      "☼☼☼☼☼☼ 6 days in a row",
      "granada.example/daily",
    ]);
  });

  test("has at most seven lanterns, and none for an earlier day", () => {
    const lost = result("2026-11-18", { margin: -1, won: false, edition: "granada" });
    const lines = shareText(lost, "granada", lost.date, 400, "x").split("\n");
    expect(lines[1]).toBe("128 points, 1 behind");
    expect(lines[2]).toContain("moat 12");
    expect(lines[3]).toBe("☼☼☼☼☼☼☼ 400 days in a row");
    expect(shareText(result("2026-11-18", { margin: 0 }), "alhambra", "2026-11-18", 0, "x").split("\n")).toHaveLength(
      4,
    );
  });
});
