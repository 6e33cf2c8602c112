// Cards, tiles, cells and actions as docs/notation.md writes them, in their parts.

export const CURRENCIES = { y: "gulden", g: "dirham", b: "denar", o: "dukat" } as const;
export type Letter = keyof typeof CURRENCIES;
export const LETTERS = Object.keys(CURRENCIES) as Letter[];
export const SIDES = ["N", "E", "S", "W"] as const;
export type Side = (typeof SIDES)[number];

export interface Cell {
  x: number;
  y: number;
}

export function readCell(text: string): Cell {
  const [x = 0, y = 0] = text.split(",").map(Number);
  return { x, y };
}

export function cellText({ x, y }: Cell): string {
  return `${x},${y}`;
}

// Cards

export function isLetter(text: string | undefined): text is Letter {
  return text !== undefined && text in CURRENCIES;
}

export function isExchange(card: string): boolean {
  return card.length === 2 && isLetter(card[1]);
}

/** The currency of money, or the first of an exchange card. */
export function letterOf(card: string): Letter {
  return card[0] as Letter;
}

export function valueOf(card: string): number {
  return isExchange(card) ? 0 : Number(card.slice(1));
}

export function total(cards: readonly string[]): number {
  return cards.reduce((sum, card) => sum + valueOf(card), 0);
}

/** Cards in the order of the notation: exchange cards, then currencies in yard order by falling value. */
export function sorted(cards: readonly string[]): string[] {
  const rank = (card: string) =>
    (isExchange(card) ? 0 : 1000) +
    LETTERS.indexOf(letterOf(card)) * 100 +
    (isExchange(card) ? LETTERS.indexOf(card[1] as Letter) : 10 - valueOf(card));
  return [...cards].sort((one, other) => rank(one) - rank(other));
}

/** What is left of some cards without others; null if one of those is not among them. */
export function without(cards: readonly string[], others: readonly string[]): string[] | null {
  const left = [...cards];
  for (const card of others) {
    const i = left.indexOf(card);
    if (i < 0) return null;
    left.splice(i, 1);
  }
  return left;
}

// Actions

export type Verb =
  | "take"
  | "buy"
  | "add"
  | "remove"
  | "swap"
  | "hut"
  | "wake"
  | "pass"
  | "place"
  | "reserve"
  | "give"
  | "vizier"
  | "decline"
  | "reveal"
  | "keep";

export interface Action {
  text: string;
  verb: Verb;
  tile: string | null;
  cell: string | null;
  /** The other face that is built, reserved or given. */
  face: string | null;
  cards: string[];
}

export function readAction(text: string): Action {
  const [verb, ...rest] = text.split(" ");
  const action: Action = { text, verb: verb as Verb, tile: null, cell: null, face: null, cards: [] };
  if (verb === "take") return { ...action, cards: rest };
  if (verb === "remove") return { ...action, cell: rest[0] ?? null };
  action.tile = rest.shift() ?? null;
  let part = "";
  for (const word of rest) {
    if (word === "at" || word === "as" || word === "with") part = word;
    else if (part === "at") action.cell = word;
    else if (part === "as") action.face = word;
    else if (part === "with") action.cards.push(word);
  }
  return action;
}
