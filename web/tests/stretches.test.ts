import { describe, expect, test } from "vitest";
import { isOpen, longest } from "$lib/stretches";
import cities from "./cities.json";

describe("the longest wall (7.2)", () => {
  test.each(cities as { city: Record<string, string>; lengths: Record<string, number> }[])(
    "of a finished city is what the rules measure: $lengths",
    ({ city, lengths }) => {
      expect(longest(city, "alhambra")).toBe(lengths["wall"] ?? 0);
      expect(longest(city, "granada")).toBe(lengths["moat"] ?? 0);
    },
  );

  test("double walls do not count, and a corner connects", () => {
    const city = { "0,0": "start-alhambra", "-1,0": "garden-8-NW", "0,1": "chambers-9-S" };
    expect(longest(city, "alhambra")).toBe(2);
    expect(longest({ ...city, "-1,1": "arcades-6-SW" }, "alhambra")).toBe(5);
  });
});

test("a city is open where a tile without a wall has a free neighbour", () => {
  expect(isOpen({ "0,0": "start-alhambra" })).toBe(true);
  const ring = { "0,0": "start-alhambra", "0,-1": "tower-7-NEW", "1,0": "arcades-4-NES" };
  expect(isOpen(ring)).toBe(true);
  expect(isOpen({ ...ring, "0,1": "seraglio-3-ESW", "-1,0": "chambers-5-NSW" })).toBe(false);
});
