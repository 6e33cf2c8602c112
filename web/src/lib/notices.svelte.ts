// Announcements for screen readers, and visible notices when something went wrong.

import { untrack } from "svelte";

let spoken = $state("");
let notice = $state<string | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;
const SHOWN = 8000;

export function lastSpoken(): string {
  return spoken;
}

export function currentNotice(): string | null {
  return notice;
}

/** Said by screen readers; the same words again are said again. */
export function announce(words: string): void {
  // Who announces does not depend on what was said before.
  const before = untrack(() => spoken);
  if (words) spoken = before === words ? `${words}\u00a0` : words;
}

/** Something went wrong: said at once, and shown for a while. */
export function complain(words: string): void {
  notice = words;
  clearTimeout(timer);
  timer = setTimeout(dismiss, SHOWN);
}

export function dismiss(): void {
  notice = null;
}
