// What a placement would change, in a few words each.

import type { Preview } from "$lib/api";
import { facts } from "$lib/box";
import { itemWords } from "$lib/descriptions";
import { named, number, t } from "$lib/i18n.svelte";
import type { Game } from "./game.svelte";

export interface Delta {
  name: string;
  before: number;
  after: number;
  /** What follows from it: a rank. */
  rest: string;
  kind: "up" | "down" | "brass" | "others" | "others all";
  /** The whole as words for listeners. */
  words: string;
}

export function deltasOf(game: Game, preview: Preview | null, tile: string | null): Delta[] {
  if (preview === null) return [];
  const own = String(game.seat);
  const found: Delta[] = [];
  for (const [item, change] of Object.entries(preview.lengths)) found.push(delta(itemWords(item), change));
  for (const [type, change] of Object.entries(preview.counts)) {
    const rank = preview.ranks[type];
    found.push(
      delta(
        named("type", type),
        change,
        rank && rank.after > 0 && rank.after !== rank.before
          ? t("delta.rank", { rank: named("rank", String(rank.after)) })
          : "",
      ),
    );
  }
  const type = tile === null ? null : facts(tile);
  for (const [name, change] of Object.entries(preview.in_all))
    if (type?.kind === "granada")
      found.push({ ...delta(t("delta.all", { type: named("type", name) }), change), kind: "others all" });
  const scoring = game.view?.aids?.next_scoring;
  for (const [seat, change] of Object.entries(preview.points)) {
    if (seat === own) found.push({ ...delta(t("delta.now", { scoring: scoring ?? "" }), change), kind: "brass" });
    else
      found.push({ ...delta(seat === "dirk" ? t("piece.dirk") : game.nameOf(Number(seat)), change), kind: "others" });
  }
  return found;
}

function delta(name: string, { before, after }: { before: number; after: number }, rest = ""): Delta {
  const words = `${name} ${number(before)} → ${number(after)}${rest ? `, ${rest}` : ""}`;
  return { name, before, after, rest, kind: after >= before ? "up" : "down", words };
}
