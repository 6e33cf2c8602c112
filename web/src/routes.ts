// The screens by their addresses; each is loaded when it is first shown.

import type { Component } from "svelte";

export type Screen = Component<{ id?: string }>;

const SCREENS: [RegExp, () => Promise<{ default: Component<never> }>][] = [
  [/^\/$/, () => import("./screens/Home.svelte")],
  [/^\/new$/, () => import("./screens/SetUp.svelte")],
  [/^\/record$/, () => import("./screens/LoadRecord.svelte")],
  [/^\/settings$/, () => import("./screens/Settings.svelte")],
  [/^\/about$/, () => import("./screens/About.svelte")],
  [/^\/learn(?:\/(\w+))?$/, () => import("./learn/Learn.svelte")],
  [/^\/rules$/, () => import("./learn/Rules.svelte")],
  [/^\/pad$/, () => import("./pad/Pad.svelte")],
  [/^\/t\/([A-Za-z0-9_-]{16})$/, () => import("./table/TableScreen.svelte")],
  [/^\/t\/([A-Za-z0-9_-]{16})\/replay$/, () => import("./after/Replay.svelte")],
];

/** The screen of an address, being loaded, and what the address names; null if nothing is there. */
export function screenAt(path: string): { screen: Promise<Screen>; id: string } | null {
  for (const [pattern, load] of SCREENS) {
    const found = pattern.exec(path);
    if (found) return { screen: load().then((module) => module.default as Screen), id: found[1] ?? "" };
  }
  return null;
}
