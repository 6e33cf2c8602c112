// 3.3, 3.4: how your money fits a tile of the yard: as the server says, or as the cards that are picked sum up.

import { facts } from "$lib/box";
import { letterOf, total, valueOf, type Letter } from "$lib/notation";
import { t } from "$lib/i18n.svelte";
import type { Game } from "./game.svelte";
import type { Turn } from "./turn.svelte";

export interface Fit {
  fit: "exact" | "over" | "short";
  by: number;
  payment: string[];
}

export function fitOf(game: Game, turn: Turn, tile: string, letter: Letter): Fit | null {
  const offer = game.own?.offers?.find((one) => one.tile === tile) ?? null;
  const cards = turn.paidCards;
  const isPaying =
    cards.length > 0 && (turn.piece === null || (turn.piece.from === "yard" && turn.piece.tile === tile));
  if (offer === null || !isPaying || cards.some((card) => valueOf(card) > 0 && letterOf(card) !== letter)) return offer;
  const over = total(cards) - facts(tile).price;
  return { fit: over === 0 ? "exact" : over > 0 ? "over" : "short", by: Math.abs(over), payment: cards };
}

export function fitWords({ fit, by }: Fit, isActing: boolean): string {
  if (fit === "exact") return isActing ? t("fit.again") : t("fit.exact");
  return fit === "over" ? t("fit.over", { n: by }) : t("fit.short", { n: by });
}
