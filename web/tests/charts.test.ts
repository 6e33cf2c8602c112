import { describe, expect, test } from "vitest";
import type { LogLine, PointsRow } from "$lib/api";
import { chancesOf } from "../src/after/chances_chart";
import { drawingOf } from "../src/after/points_chart";
import { areaOf, labelPlaces, MARGIN } from "../src/after/line_chart";
import { pointsOf, type Entrant } from "../src/after/points";
import { momentsOf, turnOf, turnStarts } from "../src/after/timeline";

const FRAME = { width: 600, height: 300, labels: 100 };
const BOTTOM = FRAME.height - MARGIN.bottom;
const ENTRANTS: Entrant[] = [
  { seat: 1, name: "Ana", isYou: true },
  { seat: 2, name: "Ben", isYou: false },
];
const row = (seat: number, scoring: string, item: string, points: number): PointsRow => ({
  seat,
  scoring,
  item,
  place: 1,
  points,
});
const ROWS = [row(1, "A", "tower", 8), row(2, "A", "wall", 3), row(1, "A", "wall", 4), row(2, "B", "tower", 21)];
const line = (n: number, turn: number, text: string): LogLine => ({ n, turn, line: text });
const LOG = [
  line(0, 0, "! start"),
  line(1, 1, "1 take y3"),
  line(2, 2, "2 buy garden-8 with y8"),
  line(3, 2, "2 place garden-8 at 0,1"),
  line(4, 3, "1 take g3"),
  line(4, 3, "= score A tower 1 8"),
  line(4, 3, "= score A wall 1 4"),
  line(5, 4, "2 take g4"),
  line(6, 5, "1 take b4"),
  line(6, 5, "= score B tower 2 21"),
];

describe("points", () => {
  test("are summed by seat, scoring and item", () => {
    expect(pointsOf(ROWS, 1)).toBe(12);
    expect(pointsOf(ROWS, 1, "A", "wall")).toBe(4);
    expect(pointsOf(ROWS, 2, null, "tower")).toBe(21);
    expect(pointsOf(ROWS, 1, "B")).toBe(0);
  });
});

describe("the timeline", () => {
  test("has each scoring once, where it was first counted", () => {
    expect(momentsOf(LOG)).toEqual([
      { scoring: "A", n: 4, turn: 3 },
      { scoring: "B", n: 6, turn: 5 },
    ]);
  });

  test("has the first position of each turn", () => {
    expect(turnStarts(LOG)).toEqual([0, 1, 3, 4, 5]);
    expect(turnOf(LOG, 3)).toBe(2);
    expect(turnOf(LOG, 99)).toBeNull();
  });
});

describe("the chart of points", () => {
  const drawing = drawingOf(ENTRANTS, ROWS, LOG, null, FRAME);

  test("has a stop at the turn of each scoring, the last at the right edge", () => {
    expect(drawing.stops.map(({ scoring, turn }) => [scoring, turn])).toEqual([
      ["A", 3],
      ["B", 5],
    ]);
    const { right } = areaOf(FRAME, 5, 24);
    expect(drawing.right).toBe(right);
    expect(drawing.stops[0]!.x).toBe(Math.round(MARGIN.left + ((right - MARGIN.left) * 3) / 5));
  });

  test("rises by the points of each scoring", () => {
    expect(drawing.curves.map(({ values }) => values)).toEqual([
      [12, 12],
      [3, 24],
    ]);
    const [ana, ben] = drawing.curves;
    expect(ben!.endY).toBe(MARGIN.top); // the most points lie at the top
    expect(ana!.endY).toBeCloseTo(BOTTOM - (BOTTOM - MARGIN.top) / 2);
    expect(ana!.path.startsWith(`M${MARGIN.left} ${BOTTOM}H${drawing.stops[0]!.x}V`)).toBe(true);
  });

  test("does not tell a scoring that is still being shown", () => {
    const hidden = drawingOf(ENTRANTS, ROWS, LOG, "B", FRAME);
    expect(hidden.curves.map(({ values }) => values)).toEqual([[12], [3]]);
    expect(hidden.curves[0]!.path.endsWith(`H${hidden.right}`)).toBe(true);
    expect(hidden.stops).toHaveLength(2);
  });

  test("without a log the scorings lie at even distances", () => {
    const [first, second] = drawingOf(ENTRANTS, ROWS, [], null, FRAME).stops;
    expect(first!.x - MARGIN.left).toBeCloseTo(second!.x - first!.x, -1);
    expect(first!.turn).toBeNull();
  });

  test("has ticks at round values from 0 to the most points", () => {
    const values = drawing.ticks.map(({ value }) => value);
    expect(values).toEqual([0, 5, 10, 15, 20]);
    expect(drawing.ticks[0]!.y).toBe(BOTTOM);
  });
});

describe("labels", () => {
  test("keep their order and do not cover each other", () => {
    const places = labelPlaces([100, 100, 103, 260], BOTTOM);
    const inOrder = [...places].sort((one, other) => one - other);
    expect(places).toEqual(inOrder);
    for (let i = 1; i < places.length; i++) expect(places[i]! - places[i - 1]!).toBeGreaterThanOrEqual(18);
  });

  test("stay inside the chart", () => {
    const places = labelPlaces([BOTTOM, BOTTOM, BOTTOM], BOTTOM);
    expect(Math.max(...places)).toBeLessThanOrEqual(BOTTOM + 4);
    expect(Math.min(...places)).toBeGreaterThanOrEqual(MARGIN.top);
  });
});

describe("the chart of chances", () => {
  const CHANCES = [[0.5, 0.5], [0.6, 0.4], [0.7, 0.3], [0.4, 0.6], [0.3, 0.7], [0.2, 0.8], [0, 1]]; // prettier-ignore
  const { stops, curves, ticks } = chancesOf(CHANCES, LOG, FRAME);

  test("ends before the last position, in which the winner is known", () => {
    expect(stops.map(({ n, name }) => [n, name])).toEqual([
      [0, "begin"],
      [4, "A"],
      [5, "before_end"],
    ]);
    expect(curves[1]!.values).toEqual([0.5, 0.7, 0.8]);
  });

  test("is drawn from 0 to 100 %", () => {
    expect(ticks.map(({ value }) => value)).toEqual([0, 25, 50, 75, 100]);
    expect([ticks[0]!.y, ticks.at(-1)!.y]).toEqual([BOTTOM, MARGIN.top]);
    expect(curves[0]!.path.split("L")).toHaveLength(6);
  });
});
