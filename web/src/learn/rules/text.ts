// The text of the rules in one language: in parts, and with its rule numbers as places that can be linked to.
import { LANGUAGES } from "virtual:languages";
import type { Language } from "$lib/i18n.svelte";

export interface Chapter {
  id: string;
  title: string;
  picture: string | null;
  /** What stands before the picture and after it. */
  before: string;
  after: string;
}

export interface Part {
  name: string;
  chapters: Chapter[];
}

/** The parts by the chapters that begin them. */
const PARTS: Record<string, string> = {
  about: "game",
  turn: "turn",
  placing: "city",
  scoring: "points",
  dirk: "games",
  vizier: "modules",
  secrets: "questions",
};

/** Where the picture stands in the text; without it, at the end. */
const PLACE = "<!-- picture -->";
/** A rule number in brackets; of the rules only chapter 15 is not divided. */
const NUMBER = /( ?)\((\d{1,2}\.\d{1,2}|15)\)/g;

export async function loadRules(language: Language): Promise<Part[]> {
  const parts: Part[] = [];
  const seen = new Set<string>();
  for (const { id, title, picture, html } of (await LANGUAGES[language]!.rules()).default) {
    const name = PARTS[id];
    if (name !== undefined) parts.push({ name, chapters: [] });
    const [before = "", after = ""] = wrapTables(linkNumbers(html, seen)).split(PLACE);
    parts.at(-1)?.chapters.push({ id, title, picture, before, after });
  }
  return parts;
}

/** A number leads to the place where it first appears, so that `/rules#5.3` finds the rule; it never begins a line. */
function linkNumbers(html: string, seen: Set<string>): string {
  return html.replace(NUMBER, (_, space: string, number: string) => {
    const blank = space && "\u00a0";
    if (seen.has(number)) return `${blank}<a class="rule" href="#${number}">${number}</a>`;
    seen.add(number);
    return `${blank}<span class="rule" id="${number}">${number}</span>`;
  });
}

/** A wide table scrolls by itself, not with the page. */
function wrapTables(html: string): string {
  return html.replaceAll("<table>", '<div class="rtable"><table>').replaceAll("</table>", "</table></div>");
}
