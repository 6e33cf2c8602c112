// Why a step of a scoring brings what it brings, in words; points stand between asterisks.

import { list, named, number, t } from "$lib/i18n.svelte";
import { calledOf, capitalised, isStretch, itemTitle, kindOf, manyWords, oneWords } from "./points";
import type { Share, Step } from "./steps";

/** "Most gardens: *12* points, second: *5*. You have 3, Lena 2." */
export function reasonOf(step: Step, isSimplified: boolean): string {
  return capitalised(sentencesOf(step, isSimplified));
}

function sentencesOf(step: Step, isSimplified: boolean): string {
  if (isStretch(step.item)) return `${named("why", step.item)} ${lengthsOf(step)}`.trim();
  const values = { type: oneWords(step.item), types: manyWords(step.item) };
  const places = groupsOf(step.shares);
  if (places.length === 0) {
    const isShared = step.shares.some(({ holding }) => holding !== null && holding.count > 0);
    return isShared ? `${t("reason.too_few", values)} ${countsOf(step)}` : t("reason.none", values);
  }
  const hasPrices = kindOf(step.item) === "granada";
  const isProduct = hasPrices && !isSimplified && step.inAll !== null;
  const words = places.map((group) => (isProduct ? productWords(group, step.inAll!) : placeWords(group))).join(", ");
  const first = isProduct
    ? t("reason.in_all", { ...values, n: step.inAll!, places: words })
    : t("reason.most", { ...values, places: words });
  return [first, countsOf(step), hasPrices ? tieOf(step) : ""].filter(Boolean).join(" ");
}

/** The same for listeners, with what everybody gets. */
export function spokenReason(step: Step, isSimplified: boolean): string {
  const gains = step.shares
    .filter(({ points }) => points > 0)
    .map((share) => `${calledOf(share)} +${number(share.points)}`);
  return [itemTitle(step.item) + ".", reasonOf(step, isSimplified).replaceAll("*", ""), gains.join(", ")].join(" ");
}

/** Those who got points, by their places. */
function groupsOf(shares: readonly Share[]): Share[][] {
  const scored = shares.filter(({ points }) => points > 0);
  const places = [...new Set(scored.map(({ place }) => place))].sort((one, other) => one - other);
  return places.map((place) => scored.filter((share) => share.place === place));
}

function placeWords(group: Share[]): string {
  const { place, points } = group[0]!;
  if (group.length === 1) return named("place_gets", String(place), { points });
  return t("reason.shared", { place: named("rank", String(place)), names: group.map(calledOf).join(", "), points });
}

function productWords([share]: Share[], inAll: number): string {
  const { place, points } = share!;
  const factor = points / inAll;
  return named("place_product", String(place), {
    sum: factor > 1 ? `${number(factor)}\u00a0×\u00a0${number(inAll)}\u00a0=\u00a0${number(points)}` : number(points),
  });
}

function haveWords(
  shares: readonly Share[],
  amount: (share: Share) => number,
  mine: "reason.you_have" | "reason.you_reach",
): string {
  const own = shares.find(({ isYou }) => isYou);
  const others = shares.filter((share) => share !== own).map((share) => `${calledOf(share)} ${number(amount(share))}`);
  if (own === undefined || others.length === 0)
    return `${[...(own ? [`${calledOf(own)} ${number(amount(own))}`] : []), ...others].join(", ")}.`;
  return t(mine, { n: amount(own), others: others.join(", ") });
}

function countsOf({ shares }: Step): string {
  return shares.every(({ holding }) => holding !== null)
    ? haveWords(shares, ({ holding }) => holding!.count, "reason.you_have")
    : "";
}

function lengthsOf({ shares }: Step): string {
  const builders = shares.filter(({ seat }) => seat > 0);
  return builders.every(({ length }) => length !== null)
    ? haveWords(builders, ({ length }) => length!, "reason.you_reach")
    : "";
}

/** 7.4: where numbers are equal the higher price decides. */
function tieOf({ shares }: Step): string {
  const scored = shares.filter(({ points, holding }) => points > 0 && holding !== null);
  const tied = shares.filter(
    (share) =>
      share.holding !== null &&
      share.holding.count > 0 &&
      scored.some((other) => other !== share && other.holding!.count === share.holding!.count),
  );
  if (tied.length < 2) return "";
  return t("reason.price", {
    prices: list(tied.map((share) => `${calledOf(share)} ${number(share.holding!.highest)}`)),
  });
}
