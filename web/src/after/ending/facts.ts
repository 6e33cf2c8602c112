// What decided a game, in words.

import type { Fact } from "$lib/api";
import { tileWords } from "$lib/descriptions";
import { elide, list, named, number, t, withColon } from "$lib/i18n.svelte";
import { itemTitle } from "../points";

export interface WordedFact {
  /** The drawing beside it: a mark, or the type that it is about. */
  mark: string | null;
  type: string | null;
  title: string;
  text: string;
  /** The turn that can be looked at, and the number of actions after it. */
  turn: number | null;
  n: number;
}

const WALLS = ["wall", "moat", "run"];

/** The words for a fact of a seat; `nameOf` gives the name of any seat. */
export function factWords(fact: Fact, seat: number, nameOf: (seat: number) => string): WordedFact {
  const about = (item: string) =>
    WALLS.includes(item) ? { mark: "react-wall", type: null } : { mark: null, type: item };
  const none = { turn: null, n: 0 };
  switch (fact.kind) {
    case "source": {
      const title = t("fact.points", { item: itemTitle(fact.item), n: fact.own_points });
      const name = nameOf(fact.rival);
      const lead = fact.own_points - fact.rival_points;
      const text = lead > 0 ? t("fact.more", { name, n: lead }) : t("fact.less", { name, n: fact.rival_points });
      return { ...about(fact.item), title, text: elide(text), ...none };
    }
    case "tile": {
      const tile = tileWords(fact.tile);
      const text =
        fact.holder === null ? t("fact.tile_loose", { tile }) : t("fact.tile", { tile, name: nameOf(fact.holder) });
      return { ...about(fact.item), title: named("one_more", fact.item), text: elide(text), ...none };
    }
    case "length": {
      const text = t("fact.length", { before: fact.length, after: fact.length + fact.more });
      return { ...about(fact.item), title: named("longer", fact.item, { n: fact.more }), text, ...none };
    }
    case "payment": {
      const own = fact.counts[seat - 1] ?? 0;
      const counted = fact.counts.map((count, i) =>
        i === seat - 1 ? "" : `${withColon(nameOf(i + 1))} ${number(count)}`,
      );
      const others = counted.filter(Boolean).join(", ");
      const isExact = fact.sort === "exact";
      return {
        mark: isExact ? "react-exact" : "react-ouch",
        type: null,
        title: t(isExact ? "fact.exact" : "fact.overpaid", { n: own }),
        text: t(isExact ? "fact.exact_say" : "fact.overpaid_say", { others }),
        ...none,
      };
    }
    case "best_turn": {
      const { turn, end, gain, scoring, tiles } = fact.best_turn;
      const gained = t("fact.best_say", { n: gain, scoring });
      const text = tiles.length > 0 ? `${withColon(list(tiles.map(tileWords)))} ${gained}` : gained;
      return { mark: "star-best", type: null, title: t("fact.best", { n: turn }), text, turn, n: end };
    }
  }
}
