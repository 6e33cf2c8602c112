// Classes that give pieces their colours.
import { CURRENCIES, isExchange, letterOf } from "$lib/notation";

export function moneyClass(card: string): string {
  return isExchange(card) ? "money exch" : `money cur-${CURRENCIES[letterOf(card)]}`;
}
