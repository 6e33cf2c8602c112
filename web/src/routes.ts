// Routes: the screen for each path, loaded when it is first shown.

import type { Component } from "svelte";
import { loadAllMessages } from "$lib/i18n.svelte";

export type Screen = Component<{ id?: string }>;

const ROUTES: [RegExp, () => Promise<{ default: Component<never> }>][] = [
  [/^\/$/, () => import("./screens/Home.svelte")],
  [/^\/new$/, () => import("./screens/SetUp.svelte")],
  [/^\/record$/, () => import("./screens/LoadRecord.svelte")],
  [/^\/settings$/, () => import("./screens/Settings.svelte")],
  [/^\/me(?:\/(games|stored))?$/, () => import("./you/Me.svelte")],
  [/^\/about$/, () => import("./screens/About.svelte")],
  [/^\/learn(?:\/(\w+))?$/, () => import("./learn/Learn.svelte")],
  [/^\/rules$/, () => import("./learn/Rules.svelte")],
  [/^\/daily(?:\/((?:alhambra|granada|combined)(?:\/\d{4}-\d\d-\d\d)?))?$/, () => import("./daily/DailyScreen.svelte")],
  [/^\/pad$/, () => import("./pad/Pad.svelte")],
  [/^\/puzzles(?:\/([1-9]\d{0,5}))?$/, () => import("./puzzles/Puzzles.svelte")],
  [/^\/t\/([A-Za-z0-9_-]{16})$/, () => import("./table/TableScreen.svelte")],
  [/^\/t\/([A-Za-z0-9_-]{16})\/replay$/, () => import("./after/Replay.svelte")],
  [/^\/embed(?:\.html)?$/, () => import("./embed/Embed.svelte")],
];

/** The screen for a path, being loaded, and the id in the path; null if there is none. */
export function matchRoute(path: string): { screen: Promise<Screen>; id: string } | null {
  for (const [pattern, load] of ROUTES) {
    const found = pattern.exec(path);
    if (!found) continue;
    // The home page comes with its texts.
    const texts = path === "/" ? null : loadAllMessages();
    return { screen: Promise.all([load(), texts]).then(([module]) => module.default as Screen), id: found[1] ?? "" };
  }
  return null;
}
