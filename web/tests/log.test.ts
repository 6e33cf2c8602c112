import { expect, test } from "vitest";
import type { LogLine } from "$lib/api";
import { extended, merged } from "../src/table/log";

const SET_UP = line(0, 0, "! start 2");
const FIRST = line(1, 1, "2 take y3");
const SECOND = line(2, 2, "1 take g5");

function line(n: number, turn: number, text: string): LogLine {
  return { n, turn, line: text };
}

test("an action is added with what followed", () => {
  expect(extended([SET_UP], 1, 1, ["2 take y3", "! display b7"])).toEqual([SET_UP, FIRST, line(1, 1, "! display b7")]);
});

test("a message that was drawn after the log was loaded adds nothing twice", () => {
  expect(extended([SET_UP, FIRST, SECOND], 2, 2, ["1 take g5"])).toEqual([SET_UP, FIRST, SECOND]);
});

test("an undone action is removed, and another one takes its place", () => {
  const undone = extended([SET_UP, FIRST, SECOND], 1, 2, []);
  expect(undone).toEqual([SET_UP, FIRST]);
  expect(extended(undone, 2, 2, ["1 take b2"])).toEqual([SET_UP, FIRST, line(2, 2, "1 take b2")]);
});

test("a log that was loaded late loses nothing that messages have added", () => {
  expect(merged([SET_UP], [FIRST, SECOND])).toEqual([SET_UP, FIRST, SECOND]);
  expect(merged([SET_UP, FIRST], [FIRST, SECOND])).toEqual([SET_UP, FIRST, SECOND]);
});
