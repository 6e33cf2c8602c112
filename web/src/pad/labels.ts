// How fields are called, and where they are on the page.

import { itemWords } from "$lib/descriptions";
import { named, t, withColon } from "$lib/i18n.svelte";

export function inputId(field: string, seat: number): string {
  return `pad-${field.replace(".", "-")}-${seat}`;
}

/** "Garden, Ana" · "Workers' Huts: Garden, Ana". */
export function fieldLabel(field: string, name: string): string {
  return `${fieldWords(field)}, ${name}`;
}

export function fieldWords(field: string): string {
  const [part = "", type] = field.split(".");
  if (type === undefined) return itemWords(part);
  if (part === "counts") return itemWords(type);
  return `${withColon(part === "highest" ? t("pad.highest") : named("module", part))} ${itemWords(type)}`;
}
