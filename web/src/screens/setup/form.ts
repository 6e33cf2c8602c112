// The form of the set-up: its state, stored in this browser.

import { get, type NewTable, type SeatRequest, type TableOptions } from "$lib/api";
import { isSite } from "$lib/base";
import { combinations, components, levels } from "$lib/box";
import { ownName, rename } from "$lib/identity.svelte";
import { loadStored, saveStored } from "$lib/storage";
import type { Edition } from "../cities";

export type Module = NonNullable<TableOptions["modules"]>[number];
export type Clock = Required<NonNullable<TableOptions["clock"]>>;

/** A person at this device, a person elsewhere, or a bot. */
export type SeatKind = "here" | "open" | "bot";
export interface SeatChoice {
  kind: SeatKind;
  name: string;
  level: string;
  age: number | null;
}

export interface SetupForm {
  edition: Edition;
  modules: Module[];
  isSimplified: boolean;
  seats: SeatChoice[];
  isPublic: boolean;
  isOpenMoney: boolean;
  isPurist: boolean;
  mayUndo: boolean;
  mayWatch: boolean;
  hasTakeover: boolean;
  grace: number;
  takeoverLevel: string;
  clock: Clock;
  hasAges: boolean;
}

/** All editions and all modules; what goes with what is in `combinations`. */
export const editions = () => components().editions as Edition[];
export const allModules = () => components().modules as Module[];

export function hasSimplified(edition: Edition): boolean {
  return combinations(edition).scorings.includes("simplified");
}

/** The level that is proposed: the second, where the first is for a first game. */
export function usualLevel(): string {
  const known = levels();
  return known.includes("greedy") ? "greedy" : (known[1] ?? known[0] ?? "greedy");
}

export function newSeat(kind: SeatKind): SeatChoice {
  return { kind, name: "", level: usualLevel(), age: null };
}

/** No clock; the other values are those of the kinds that need them. */
export const NO_CLOCK: Clock = { mode: "none", seconds: 60, increment: 0, days: 3, bot_when_over: false };

function usual(): SetupForm {
  return {
    edition: "alhambra",
    modules: [],
    isSimplified: false,
    seats: [newSeat("here"), newSeat("bot"), newSeat("bot")],
    isPublic: false,
    isOpenMoney: false,
    isPurist: false,
    mayUndo: true,
    mayWatch: true,
    hasTakeover: true,
    grace: 60,
    takeoverLevel: usualLevel(),
    clock: NO_CLOCK,
    hasAges: false,
  };
}

/** The last choice of this browser; whatever this page does not understand any more is as usual. */
export function recallWishes(): SetupForm {
  const setup = { ...usual(), ...loadStored<Partial<SetupForm>>("setup", {}) };
  setup.clock = { ...NO_CLOCK, ...setup.clock };
  if (!editions().includes(setup.edition)) setup.edition = "alhambra";
  const { players } = combinations(setup.edition);
  const isLevel = (level: string) => levels().includes(level);
  setup.seats = setup.seats
    .slice(0, players.at(-1))
    .map((seat) => ({ ...newSeat("bot"), ...seat, ...(isLevel(seat.level) ? {} : { level: usualLevel() }) }));
  if (!players.includes(setup.seats.length)) setup.seats = usual().seats;
  if (!isLevel(setup.takeoverLevel)) setup.takeoverLevel = usualLevel();
  const own = setup.seats.find((seat) => seat.kind === "here");
  if (isSite) {
    // Nobody elsewhere can come to a table on this device.
    for (const seat of setup.seats) if (seat.kind === "open") seat.kind = "bot";
    setup.isPublic = false;
    setup.mayWatch = true;
    if (setup.clock.mode === "days") setup.clock = NO_CLOCK;
  }
  if (own !== undefined) own.name = ownName() || own.name;
  for (const seat of setup.seats) if (seat !== own && seat.name === own?.name) seat.name = "";
  return fitting(setup);
}

export function rememberWishes(setup: SetupForm): void {
  saveStored("setup", setup);
  rename(setup.seats.find((seat) => seat.kind === "here")?.name ?? "");
}

/** 15: the same without what its edition does not allow. */
export function fitting(setup: SetupForm): SetupForm {
  const possible = combinations(setup.edition).modules;
  const modules = allModules().filter((module) => setup.modules.includes(module) && possible.includes(module));
  return { ...setup, modules, isSimplified: setup.isSimplified && hasSimplified(setup.edition) };
}

/** Whether everybody who plays is at this device or a bot, so that the game can begin at once. */
export function isComplete({ seats }: SetupForm): boolean {
  return seats.every((seat) => seat.kind !== "open");
}

/** The line-up for playing at once: nobody is waited for, and the reader plays. */
export function atOnce(setup: SetupForm): SetupForm {
  const seats = setup.seats.map((seat) => (seat.kind === "open" ? newSeat("bot") : seat));
  if (!seats.some((seat) => seat.kind === "here")) seats[0] = { ...newSeat("here"), name: ownName() };
  // At once means now, not in days.
  const clock = setup.clock.mode === "days" ? NO_CLOCK : setup.clock;
  return { ...setup, seats, clock, isPublic: false, hasAges: false };
}

/** The same with all bots of one level. */
export function withBots(setup: SetupForm, level: string): SetupForm {
  return { ...setup, seats: setup.seats.map((seat) => (seat.kind === "bot" ? { ...seat, level } : seat)) };
}

/** A game against bots of one level, with nobody else. */
export function challenge(setup: SetupForm, level: string): SetupForm {
  const { seats, ...game } = atOnce(setup);
  const own = seats.findIndex((seat) => seat.kind === "here");
  return { ...game, seats: seats.map((seat, i) => (i === own ? seat : { ...newSeat("bot"), level })) };
}

/** 2.4: the ages, if all are known; bots have none and take the highest, so that people come first. */
export function agesOf({ hasAges, seats }: SetupForm): number[] {
  const ages = seats.map((seat) => (seat.kind === "bot" ? components().oldest : seat.age));
  return hasAges && ages.every((age) => age !== null) ? ages : [];
}

/** The options as the server reads them. */
export function optionsOf(setup: SetupForm): TableOptions {
  const {
    edition,
    modules,
    isSimplified,
    isOpenMoney,
    isPurist,
    mayUndo,
    mayWatch,
    hasTakeover,
    grace,
    takeoverLevel,
    clock,
  } = setup;
  return {
    edition,
    modules,
    scoring: isSimplified ? "simplified" : "regular",
    ages: agesOf(setup),
    open_money: isOpenMoney,
    aids: isPurist ? "purist" : "all",
    clock: { ...clock },
    undo: mayUndo,
    spectators: mayWatch,
    takeover: hasTakeover,
    grace,
    takeover_level: takeoverLevel,
  };
}

/** The table to ask for; a seat without a name has the suggested one. */
export function tableOf(setup: SetupForm, suggested: readonly string[] = []): NewTable {
  const seats = setup.seats.map(({ kind, name, level }, i): SeatRequest => {
    const called = name.trim() || suggested[i] || null;
    if (kind === "open") return { kind: "open" };
    return kind === "bot" ? { kind: "bot", level, name: called } : { kind: "person", name: called };
  });
  const options = optionsOf(setup);
  // At a table on this device nobody is away.
  return { seats, options: isSite ? { ...options, takeover: false } : options, is_public: setup.isPublic };
}

/** Names to suggest, one a seat, that nobody at the table has. */
export async function suggestNames(taken: readonly string[]): Promise<string[]> {
  const { names } = await get<{ names: string[] }>("/names");
  return names.filter((name) => !taken.includes(name));
}
