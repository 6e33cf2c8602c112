// How a game ended: who is on which place, and that in one sentence.

import type { GameFacts, Message, PlayerView } from "$lib/api";
import { list, t } from "$lib/i18n.svelte";
import { entrantsOf, itemsOf, pointsOf, scoreOf, type Entrant } from "../points";

/** A player with place, points and what they came from; Dirk has no place (9.7). */
export interface Ranked extends Entrant {
  rank: number;
  score: number;
  player: PlayerView;
  sources: { item: string; points: number }[];
}

/** All players, the winner first; equal points share a place. */
export function rankingOf(message: Message): Ranked[] {
  const { view } = message;
  if (view === null) return [];
  const scores = view.players.map(({ score }) => score);
  const items = itemsOf(message);
  return entrantsOf(message)
    .filter(({ seat }) => seat > 0)
    .map((entrant) => {
      const score = scoreOf(view, entrant.seat);
      const sources = items.map((item) => ({ item, points: pointsOf(view.rows, entrant.seat, null, item) }));
      return {
        ...entrant,
        rank: 1 + scores.filter((other) => other > score).length,
        score,
        player: view.players[entrant.seat - 1]!,
        sources: sources.filter(({ points }) => points > 0),
      };
    })
    .sort((one, other) => one.rank - other.rank || one.seat - other.seat);
}

/** The player whose ending it is: the reader, or, for spectators and several people at one browser, the winner. */
export function heroOf(ranking: readonly Ranked[]): Ranked {
  return ranking.find(({ isYou }) => isYou) ?? ranking[0]!;
}

/** Whether the reader has lost; nobody else has. */
export function hasLost(ranking: readonly Ranked[]): boolean {
  return (ranking.find(({ isYou }) => isYou)?.rank ?? 1) > 1;
}

/** "You win by 24", "Zirid wins, 3 points ahead of you", "Lena and Zirid share the victory". */
export function victoryOf(ranking: readonly Ranked[]): string {
  const winners = ranking.filter(({ rank }) => rank === 1);
  const [winner] = winners;
  const reader = ranking.find(({ isYou }) => isYou);
  if (winner === undefined) return t("turn.over");
  if (winners.length > 1) {
    if (reader?.rank !== 1) return t("ending.shared", { names: list(winners.map(({ name }) => name)) });
    return t("ending.shared_you", { names: list(winners.filter(({ isYou }) => !isYou).map(({ name }) => name)) });
  }
  if (reader !== undefined && reader !== winner)
    return t("ending.behind", { name: winner.name, n: winner.score - reader.score });
  const n = marginOf(ranking);
  return winner.isYou ? t("ending.you_win", { n }) : t("ending.wins", { name: winner.name, n });
}

/** The lead of the winner. */
export function marginOf(ranking: readonly Ranked[]): number {
  return (ranking[0]?.score ?? 0) - (ranking[1]?.score ?? 0);
}

/** The facts of a seat. */
export function factsOf(facts: GameFacts | null, seat: number): GameFacts["seats"][number] | null {
  return facts?.seats.find((one) => one.seat === seat) ?? null;
}
