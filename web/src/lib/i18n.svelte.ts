// All texts on the screen, in the reader's language, which can be changed at any time.

import { FALLBACK, LANGUAGES, type Message } from "virtual:languages";
import type after from "$locales/en/after.json";
import type app from "$locales/en/app.json";
import type daily from "$locales/en/daily.json";
import type device from "$locales/en/device.json";
import type ending from "$locales/en/ending.json";
import type home from "$locales/en/home.json";
import type learn from "$locales/en/learn.json";
import type offline from "$locales/en/offline.json";
import type pad from "$locales/en/pad.json";
import type pieces from "$locales/en/pieces.json";
import type puzzles from "$locales/en/puzzles.json";
import type table from "$locales/en/table.json";
import type together from "$locales/en/together.json";
import type turns from "$locales/en/turns.json";
import type you from "$locales/en/you.json";
import { loadStored, saveStored } from "./storage";

/** The tag of one of the languages. */
export type Language = string;
type Catalogue = typeof pieces &
  typeof app &
  typeof daily &
  typeof device &
  typeof home &
  typeof table &
  typeof after &
  typeof ending &
  typeof learn &
  typeof pad &
  typeof puzzles &
  typeof offline &
  typeof together &
  typeof turns &
  typeof you;
export type Key = keyof Catalogue;
type Values = Record<string, string | number>;

/** The languages' own names. */
export const LANGUAGE_NAMES = Object.fromEntries(Object.entries(LANGUAGES).map(([tag, { name }]) => [tag, name]));

let messages = $state.raw<Partial<Record<string, Message>>>({});
let language = $state<Language>(FALLBACK);
/** The language whose texts were asked for last; null before the first. */
let chosen: Language | null = null;
/** Whether the texts of all screens are wanted, and are there. */
let wantsAll = false;
let hasAll = false;
/** The formats of the language; made once, because making one takes longer than writing a whole table. */
let formats = $state.raw(formatsOf(FALLBACK));

export function currentLanguage(): Language {
  return language;
}

export function isLanguage(tag: string): boolean {
  return Object.hasOwn(LANGUAGES, tag);
}

/** Load the language of the address (`?lang=de`), the one chosen before, or the browser's. */
export async function loadLanguage(): Promise<void> {
  const asked = new URLSearchParams(location.search).get("lang");
  const preferred = navigator.languages.flatMap((tag) => [tag, tag.split("-", 1)[0]!]);
  await useLanguage([asked ?? "", loadStored("language", ""), ...preferred].find(isLanguage) ?? FALLBACK);
}

export async function chooseLanguage(tag: Language): Promise<void> {
  saveStored("language", tag);
  await useLanguage(tag);
}

/**
 * Load the texts of all screens; without them only those of the home page are there. Before a language is chosen, this only
 * notes that they are wanted.
 */
export async function loadAllMessages(): Promise<void> {
  wantsAll = true;
  if (chosen !== null && !hasAll) await useLanguage(chosen);
}

async function useLanguage(tag: Language): Promise<void> {
  chosen = tag;
  const isWhole = wantsAll;
  const { messages: first, more } = LANGUAGES[tag]!;
  const [start, rest] = await Promise.all([first(), isWhole ? more() : null]);
  // Another language, or more of this one, was asked for meanwhile.
  if (chosen !== tag) return;
  if (wantsAll !== isWhole) return useLanguage(tag);
  messages = { ...start.default, ...rest?.default };
  hasAll = isWhole;
  language = tag;
  formats = formatsOf(tag);
  document.documentElement.lang = tag;
}

function formatsOf(tag: Language) {
  return {
    plural: new Intl.PluralRules(tag),
    number: new Intl.NumberFormat(tag),
    percent: new Intl.NumberFormat(tag, { style: "percent" }),
    list: new Intl.ListFormat(tag, { type: "conjunction" }),
  };
}

/** The text for a key, with {names} filled in and the form that goes with {n}. */
export function t(key: Key, values: Values = {}): string {
  return fill(messageOf(key) ?? key, values);
}

/** The text for one of a family of keys: `named("type", "garden")`; a newer server may know more than this page. */
export function named(family: string, name: string, values: Values = {}): string {
  return fill(messageOf(`${family}.${name}`) ?? name, values);
}

export function hasMessage(key: string): boolean {
  return messageOf(key) !== undefined;
}

/** A part of the home page that is seldom shown may need a text of another screen: it appears when all have been loaded. */
function messageOf(key: string): Message | undefined {
  const found = messages[key];
  if (found === undefined && !wantsAll && chosen !== null) void loadAllMessages().catch(() => {});
  return found;
}

function fill(message: Message, values: Values): string {
  const text =
    typeof message === "string" ? message : (message[formats.plural.select(Number(values["n"]))] ?? message.other);
  return text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name];
    return value === undefined ? all : typeof value === "number" ? number(value) : value;
  });
}

export function number(value: number): string {
  return formats.number.format(value);
}

/** "63 %": a part of the whole, from 0 to 1. */
export function percent(part: number): string {
  return formats.percent.format(part);
}

/** A noun within a sentence: "garden", but "Garten" in German. */
export function withinSentence(noun: string): string {
  return LANGUAGES[language]!.capitalises_nouns ? noun : noun.toLocaleLowerCase(language);
}

/** A text with the elisions of the language: "à gauche d’Arcades 9". */
export function elide(text: string): string {
  return (LANGUAGES[language]!.elisions ?? []).reduce(
    (found, [pattern, short]) => found.replace(new RegExp(pattern), short),
    text,
  );
}

/** A text for a narrow column: its long words may be broken at a hyphen, also by browsers that have no dictionary. */
export function hyphenated(text: string): string {
  return (LANGUAGES[language]!.hyphenation ?? []).reduce(
    (found, word) => found.replace(word.replaceAll("-", ""), word.replaceAll("-", "\u00ad")),
    text,
  );
}

/** "Seed:": what stands before a value; French has a no-break space before the colon. */
export function withColon(words: string): string {
  return t("app.label", { words });
}

/** "Ana, Ben and Cleo". */
export function list(words: string[]): string {
  return formats.list.format(words);
}
