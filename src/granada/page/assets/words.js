// All words of the page, in the language of the reader.

import { recall, remember } from "./memory.js";

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", nl: "Nederlands", hu: "Magyar" };

let words = {};
let language = "en";

/** Read the words; the language is the one chosen before, or the browser's. */
export async function loadWords() {
  words = await (await fetch("/assets/words.json")).json();
  const wanted = [recall("language", ""), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  useLanguage(wanted.find((tag) => tag in LANGUAGES) ?? "en");
}

export function currentLanguage() {
  return language;
}

export function chooseLanguage(tag) {
  remember("language", tag);
  useLanguage(tag);
}

function useLanguage(tag) {
  language = tag;
  document.documentElement.lang = tag;
}

/** The words for a key, with {names} filled in. */
export function t(key, values = {}) {
  const text = words[language]?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));
}

/** Whether there are words for a key: a newer server may have bots and problems that this page does not know. */
export function hasWords(key) {
  return key in (words[language] ?? {});
}
