// What a reader has chosen for this browser.

import { loadStored, onStored, saveStored } from "./storage";

export interface Settings {
  theme: "auto" | "light" | "dark";
  /** Whether the end of a turn waits: until it is confirmed if that is wise, always, for some seconds, or not at all. */
  confirm: "smart" | "always" | "countdown" | "never";
  /** How long the turns of other players are shown. */
  pace: "follow" | "quick" | "instant";
  motion: "auto" | "full" | "less";
  sound: boolean;
  /** How loud sounds are, from 0 to 1. */
  volume: number;
  contrast: "auto" | "more";
  /** How your money is sorted: by currency or by value. */
  sort: "currency" | "value";
  /** Whether single keys are short cuts at the table. */
  keys: boolean;
  /** How quickly a scoring is shown: steps a second. */
  speed: number;
}

const DEFAULTS: Settings = {
  theme: "auto",
  confirm: "smart",
  pace: "follow",
  motion: "auto",
  sound: false,
  volume: 0.6,
  contrast: "auto",
  sort: "currency",
  keys: true,
  speed: 0.6,
};

export const settings: Settings = $state({ ...DEFAULTS, ...loadStored<Partial<Settings>>("settings", {}) });

// Another tab is the same reader.
onStored("settings", () => {
  Object.assign(settings, DEFAULTS, loadStored<Partial<Settings>>("settings", {}));
  apply();
});

export function change<K extends keyof Settings>(key: K, value: Settings[K]): void {
  settings[key] = value;
  saveStored("settings", { ...settings });
  apply();
}

/** Let the page look as it was chosen. */
export function apply(): void {
  const { dataset } = document.documentElement;
  set(dataset, "theme", settings.theme === "auto" ? null : settings.theme);
  set(dataset, "contrast", settings.contrast === "more" ? "more" : null);
  set(dataset, "motion", settings.motion === "auto" ? null : settings.motion);
}

function set(dataset: DOMStringMap, key: string, value: string | null): void {
  if (value === null) delete dataset[key];
  else dataset[key] = value;
}

/** Whether things may move. */
export function mayMove(): boolean {
  if (settings.motion !== "auto") return settings.motion === "full";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether the page is dark now. */
export function isDark(): boolean {
  return settings.theme === "auto" ? isDarkOutside : settings.theme === "dark";
}

/** The preference of the browser; it may change while the page is open. */
const outside = matchMedia("(prefers-color-scheme: dark)");
let isDarkOutside = $state(outside.matches);
outside.addEventListener("change", () => (isDarkOutside = outside.matches));
