// What is confirmed first if the reader has chosen "smart": what cannot be undone and is not a matter of course, and what
// looks like a mistake. Everything else is played at once. Each rule has one sentence that says why it asks.
//
// Not mistakes: to leave an exact purchase unused, to take money instead of buying, to remove a tile.

import type { Own, View } from "$lib/api";
import { TURNING, facts } from "$lib/box";
import { readAction, total, valueOf, without, type Action } from "$lib/notation";
import { isOpen, longest, type Kind } from "$lib/stretches";
import { number, t, type Key } from "$lib/i18n.svelte";

export interface Position {
  view: View;
  own: Own;
}

/** Returns the reason to ask, or null. */
type Rule = (action: Action, position: Position, offered: readonly Action[]) => string | null;

/** In the order in which they are asked about: the first one that applies is shown. */
export const RULES = {
  /** 3.3, 4.2: the hand can pay the same exactly, or with less. A purist table does not point out payments. */
  overpaid: (action, { view }, offered) => {
    if (action.cards.length === 0 || action.verb === "take" || view.aids === null) return null;
    const others = offered.filter((one) => isSame(one, action));
    const [best] = others.sort((one, other) => total(one.cards) - total(other.cards));
    if (best === undefined || total(best.cards) >= total(action.cards)) return null;
    const price = action.verb === "buy" ? facts(action.tile!).price : TURNING;
    const over = total(best.cards) - price;
    const sum = sumWords(best.cards);
    return over === 0 ? t("doubt.exact", { sum }) : t("doubt.less", { sum, n: over });
  },

  /** 3.2: the same cards can be taken together with further ones. */
  fewer: (action, _, offered) => {
    if (action.verb !== "take") return null;
    const more = offered.filter(
      ({ verb, cards }) =>
        verb === "take" && cards.length > action.cards.length && without(cards, action.cards) !== null,
    );
    const [most] = more.sort((one, other) => total(other.cards) - total(one.cards));
    return most === undefined ? null : t("doubt.fewer", { sum: sumWords(most.cards) });
  },

  /** 4.1: the tile could be built as it is, but goes into the reserve, where it scores nothing. */
  reserved: (action, _, offered) =>
    action.verb === "reserve" && action.face === null && hasPlace(action, offered) ? t("doubt.reserved") : null,

  /** 9.6: the tile could be built, but is given to Dirk for good. It is allowed, and seldom what was meant. */
  given: (action, _, offered) => (action.verb === "give" && hasPlace(action, offered) ? t("doubt.given") : null),

  /** 7.2: the longest wall or moat becomes shorter. A purist table does not compute it. */
  shorter: (action, position) => {
    const after = cityAfter(action, position);
    if (after === null || position.view.aids === null) return null;
    const before = cityOf(position);
    for (const [key, kind] of SHORTER) {
      const [was, is] = [longest(before, kind), longest(after, kind)];
      if (is < was) return t(key, { before: was, after: is });
    }
    return null;
  },

  /** 5.3: walls close the city on all sides, so that nothing could be built any more; in the combined game there is the other kind. */
  closed: (action, position) => {
    const after = cityAfter(action, position);
    if (after === null || position.view.bags.length > 1) return null;
    return isOpen(cityOf(position)) && !isOpen(after) ? t("doubt.closed") : null;
  },

  /** 14.2: taking a hut turns up the next one. */
  hut: ({ verb }) => (verb === "hut" ? t("doubt.hut") : null),

  /** 13.2: a bonus card that is revealed stays open. Before a scoring the reader is asked anyway. */
  revealed: ({ verb }, { view }) => (verb === "reveal" && view.step !== "reveal" ? t("doubt.revealed") : null),

  /** 11.2: between turns nothing can be undone, and the vizier sleeps afterwards. */
  vizier: ({ verb }) => (verb === "vizier" ? t("doubt.vizier") : null),
} satisfies Record<string, Rule>;

export interface Doubt {
  rule: keyof typeof RULES;
  why: string;
}

/** The first reason to ask before an action is played; null if it is a matter of course. */
export function doubtOf(text: string, position: Position): Doubt | null {
  const action = readAction(text);
  const offered = position.own.actions.map(readAction);
  for (const [rule, applies] of Object.entries(RULES) as [Doubt["rule"], Rule][]) {
    const why = applies(action, position, offered);
    if (why !== null) return { rule, why };
  }
  return null;
}

const SHORTER: [Key, Kind][] = [
  ["doubt.shorter_wall", "alhambra"],
  ["doubt.shorter_moat", "granada"],
];

/** Whether two actions do the same, apart from what is paid. */
function isSame(one: Action, other: Action): boolean {
  return one.verb === other.verb && one.tile === other.tile && one.cell === other.cell && one.face === other.face;
}

/** Whether a tile can be built without turning it over. */
function hasPlace({ tile }: Action, offered: readonly Action[]): boolean {
  return offered.some((one) => one.verb === "place" && one.tile === tile && one.face === null);
}

function cityOf({ view, own }: Position): Record<string, string> {
  return view.players[own.seat - 1]!.city;
}

/** The city with the tile that is built, swapped or removed; null if the action leaves it as it is. */
function cityAfter({ verb, tile, face, cell }: Action, position: Position): Record<string, string> | null {
  if (cell === null) return null;
  const { [cell]: _, ...rest } = cityOf(position);
  return verb === "remove" ? rest : { ...rest, [cell]: face ?? tile! };
}

/** "5 + 2" */
function sumWords(cards: readonly string[]): string {
  return cards
    .filter((card) => valueOf(card) > 0)
    .map((card) => number(valueOf(card)))
    .join(" + ");
}
