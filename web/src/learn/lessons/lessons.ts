// The six lessons: positions of two real games, and the steps that are taken there.

import lessons from "./lessons.json";

export interface Step {
  /** The words of the coach: `coach.…`. */
  say: string;
  /** What is pointed at, in stages, each of several pieces: "display:y3 display:g1", then "act:main". */
  point: string[];
  /** The actions that are meant; `*` stands for anything. Without them the reader only goes on. */
  do?: string[];
}

export interface Part {
  /** How many actions of the record were played. */
  at: number;
  steps: Step[];
}

export interface Lesson {
  id: number;
  record: "alhambra" | "granada";
  /** The chapter of the rules with the details. */
  rules: string;
  parts: Part[];
}

export const LESSONS = lessons as Lesson[];

const RECORDS: Record<Lesson["record"], () => Promise<{ default: string }>> = {
  alhambra: () => import("./alhambra.record?raw"),
  granada: () => import("./granada.record?raw"),
};

/** The record of a lesson up to a number of actions. */
export async function recordAt({ record }: Lesson, at: number): Promise<string> {
  return cut((await RECORDS[record]()).default, at);
}

function cut(record: string, at: number): string {
  const lines = record.split("\n");
  let left = at;
  const end = lines.findIndex((line, i) => i > lines.indexOf("") && /^\d /.test(line) && left-- === 0);
  return `${lines.slice(0, end < 0 ? undefined : end).join("\n")}\n`;
}

/** Whether an action is one of those that a step means. */
export function isMeant({ do: meant = [] }: Step, action: string): boolean {
  return meant.some((pattern) => new RegExp(`^${pattern.split("*").map(escaped).join(".*")}$`).test(action));
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
}
