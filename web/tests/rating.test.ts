import { describe, expect, test } from "vitest";
import { BOT_DEVIATION, UNKNOWN, aged, expected, isRating, rated, unlimited, type Rating } from "../src/you/rating";

/** The example of Glickman's "Example of the Glicko-2 system". */
const PLAYER: Rating = { value: 1500, deviation: 200, volatility: 0.06 };
const RESULTS = [
  { opponent: { value: 1400, deviation: 30 }, score: 1 },
  { opponent: { value: 1550, deviation: 100 }, score: 0 },
  { opponent: { value: 1700, deviation: 300 }, score: 0 },
] as const;

describe("Glicko-2", () => {
  test("the published example", () => {
    const after = unlimited(PLAYER, RESULTS);
    expect(after.value).toBeCloseTo(1464.06, 1);
    expect(after.deviation).toBeCloseTo(151.52, 1);
    expect(after.volatility.toString().slice(0, 7)).toBe("0.05999");
    expect(rated(PLAYER, RESULTS)).toEqual(after);
  });

  test("the chances of the published example", () => {
    const certain = { ...PLAYER, deviation: 0 };
    expect(RESULTS.map(({ opponent }) => Number(expected(certain, opponent).toFixed(3)))).toEqual([
      0.639, 0.432, 0.303,
    ]);
  });

  test("a period without results only makes a rating less certain", () => {
    expect(rated(PLAYER, [])).toEqual(PLAYER);
    const later = aged(PLAYER, 7);
    expect(later.value).toBe(1500);
    expect(later.deviation).toBeCloseTo(200.2714, 3);
    expect(aged(PLAYER, 100_000).deviation).toBe(UNKNOWN.deviation);
    expect(aged(PLAYER, -3)).toEqual(PLAYER);
  });

  test("a surprising series makes a rating more volatile", () => {
    const wins = Array.from({ length: 8 }, () => ({ opponent: { value: 1900, deviation: 30 }, score: 1 as const }));
    expect(unlimited({ ...PLAYER, deviation: 60 }, wins).volatility).toBeGreaterThan(PLAYER.volatility);
  });

  test("an equal result against an equal opponent changes only the certainty", () => {
    const after = rated(UNKNOWN, [{ opponent: { value: 1500, deviation: BOT_DEVIATION }, score: 0.5 }]);
    expect(after.value).toBeCloseTo(1500, 6);
    expect(after.deviation).toBeLessThan(UNKNOWN.deviation);
  });

  test("somebody unknown tells less than a bot", () => {
    const against = (deviation: number) => rated(PLAYER, [{ opponent: { value: 1600, deviation }, score: 1 }]).value;
    expect(against(BOT_DEVIATION)).toBeGreaterThan(against(UNKNOWN.deviation));
  });

  test("a rating stays within its limits", () => {
    let rating = UNKNOWN;
    for (let i = 0; i < 400; i++) rating = rated(rating, [{ opponent: { value: 100, deviation: 30 }, score: 0 }]);
    expect(rating.value).toBeGreaterThanOrEqual(100);
    expect(rating.deviation).toBeGreaterThanOrEqual(45);
  });
});

test("what is not a rating is recognised", () => {
  expect(isRating(UNKNOWN)).toBe(true);
  for (const wrong of [null, 1500, {}, { ...UNKNOWN, value: "1500" }, { ...UNKNOWN, deviation: NaN }])
    expect(isRating(wrong)).toBe(false);
});
