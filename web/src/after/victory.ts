// Who has won, in one sentence.

import type { View } from "$lib/api";
import { list, t } from "$lib/i18n.svelte";
import { calledOf, scoreOf, type Entrant } from "./points";

/** "You win with 151 points", "Lena and Zirid share the victory with 120 points". */
export function victoryOf(entrants: readonly Entrant[], view: View): string {
  const winners = entrants.filter(({ seat }) => view.winners.includes(seat));
  const [winner] = winners;
  if (winner === undefined) return t("turn.over");
  const points = scoreOf(view, winner.seat);
  if (winners.length > 1) return t("over.shared", { names: list(winners.map(calledOf)), points });
  return winner.isYou ? t("over.you_win", { points }) : t("over.wins", { name: winner.name, points });
}
