// All words on the screen, in the language of the reader; it can be changed at any time.

import { recall, remember } from "./memory";
import type en from "../words/en";

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", nl: "Nederlands", hu: "Magyar" } as const;
export type Language = keyof typeof LANGUAGES;
type Catalogue = typeof en;
export type Key = keyof Catalogue;
type Values = Record<string, string | number>;
type Message = string | { one: string; other: string };

/** One file a language, loaded when it is chosen. */
const CATALOGUES: Record<Language, () => Promise<{ default: Partial<Record<Key, Message>> }>> = {
  en: () => import("../words/en"),
  de: () => import("../words/de"),
  fr: () => import("../words/fr"),
  nl: () => import("../words/nl"),
  hu: () => import("../words/hu"),
};

let messages = $state.raw<Partial<Record<string, Message>>>({});
let language = $state<Language>("en");
/** How the language writes; made once, for each takes longer to make than a whole table to write. */
let forms = $state.raw(formsOf("en"));

export function currentLanguage(): Language {
  return language;
}

export function isLanguage(tag: string): tag is Language {
  return tag in LANGUAGES;
}

/** The language of the address (`?lang=de`), the one chosen before, or the browser's. */
export async function loadWords(): Promise<void> {
  const asked = new URLSearchParams(location.search).get("lang");
  const wanted = [asked ?? "", recall("language", ""), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  await useLanguage(wanted.find(isLanguage) ?? "en");
}

export async function chooseLanguage(tag: Language): Promise<void> {
  remember("language", tag);
  await useLanguage(tag);
}

async function useLanguage(tag: Language): Promise<void> {
  messages = (await CATALOGUES[tag]()).default;
  language = tag;
  forms = formsOf(tag);
  document.documentElement.lang = tag;
}

function formsOf(tag: Language) {
  return {
    plural: new Intl.PluralRules(tag),
    number: new Intl.NumberFormat(tag),
    percent: new Intl.NumberFormat(tag, { style: "percent" }),
    list: new Intl.ListFormat(tag, { type: "conjunction" }),
  };
}

/** The words for a key, with {names} filled in and the form that goes with {n}. */
export function t(key: Key, values: Values = {}): string {
  return fill(messages[key] ?? key, values);
}

/** The words for one of a family of keys: `named("type", "garden")`; a newer server may know more than this page. */
export function named(family: string, name: string, values: Values = {}): string {
  return fill(messages[`${family}.${name}`] ?? name, values);
}

export function hasWords(key: string): boolean {
  return key in messages;
}

function fill(message: Message, values: Values): string {
  const text =
    typeof message === "string"
      ? message
      : message[forms.plural.select(Number(values["n"])) === "one" ? "one" : "other"];
  return text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name];
    return value === undefined ? all : typeof value === "number" ? number(value) : value;
  });
}

export function number(value: number): string {
  return forms.number.format(value);
}

/** "63 %": a part of the whole, from 0 to 1. */
export function percent(part: number): string {
  return forms.percent.format(part);
}

/** "Ana, Ben and Cleo". */
export function list(words: string[]): string {
  return forms.list.format(words);
}
