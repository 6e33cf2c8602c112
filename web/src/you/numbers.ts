// Numbers as they are shown on the screens of the reader.

import { number } from "$lib/i18n.svelte";

/** "+7", "−2", "0": with a real minus sign. */
export function signed(value: number): string {
  const rounded = Math.round(value);
  if (rounded === 0) return number(0);
  return `${rounded > 0 ? "+" : "−"}${number(Math.abs(rounded))}`;
}
