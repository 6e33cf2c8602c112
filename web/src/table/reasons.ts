// Why a bot likes an action, in words: what it expects at the end, and what the action changes at once.

import type { Idea } from "$lib/api";
import { readAction } from "$lib/notation";
import { tileWords } from "$lib/descriptions";
import { percent, t, withColon } from "$lib/i18n.svelte";
import { deltasOf } from "./deltas";
import { fitWords } from "./fit";
import type { Game } from "./game.svelte";

/** The maximum number of changes shown for a purchase: more would hide the idea. */
const MAX_REASONS = 4;
/** The maximum number of tiles shown that the money would pay for. */
const FITS = 2;

/** "ahead by 7 points at the end, chance of winning 63 %"; nothing if the bot has no idea. */
export function expectationOf({ lead = null, win = null }: Idea): string {
  return [
    lead === null ? "" : leadWords(Math.round(lead)),
    win === null ? "" : t("hint.win", { percent: percent(win) }),
  ]
    .filter(Boolean)
    .join(", ");
}

function leadWords(lead: number): string {
  if (lead === 0) return t("hint.even");
  return lead > 0 ? t("hint.ahead", { n: lead }) : t("hint.behind", { n: -lead });
}

/** What the action brings at once, for the reader. */
export function reasonsOf(game: Game, { action, acts_again, changes = null, fits = [] }: Idea): string[] {
  const { verb, tile, face } = readAction(action);
  const own = deltasOf(game, changes, face ?? tile).filter(({ kind }) => !kind.startsWith("others"));
  const words = own.slice(0, MAX_REASONS).map((delta) => delta.words);
  const isBought = verb === "buy" || verb === "vizier";
  if (isBought && words.length > 0) words.splice(0, words.length, t("hint.placed", { changes: words.join("; ") }));
  if (fits.length > 0)
    words.push(
      t("hint.fits", {
        fits: fits
          .slice(0, FITS)
          .map((fit) => `${withColon(tileWords(fit.tile))} ${fitWords(fit, false)}`)
          .join("; "),
      }),
    );
  if (verb === "remove") words.push(t("hint.room"));
  return acts_again ? [t("fit.again"), ...words] : words;
}
