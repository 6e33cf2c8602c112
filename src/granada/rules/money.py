"""Money (1.1), exchange cards (1.6) and score cards (1.2), and the possible payments with a hand.

The money of one currency in a hand is a *purse*: one integer with two bits for each value, which count its copies. So a
hand is four small integers, and their payments are cached.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, final

from granada.rules.errors import NotationError

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `codes`

#: 1.9: the currencies, in the order of their yard spaces.
CURRENCIES: Final = ("gulden", "dirham", "denar", "dukat")
LETTERS: Final = "ygbo"
VALUES: Final = range(1, 10)
COPIES: Final = 3

MONEY: Final = 0
EXCHANGE: Final = 1
SCORE: Final = 2


@final
class Card:
    """A money card, an exchange card (two currencies, no value) or a score card."""

    __slots__ = ("currency", "name", "order", "other", "sort", "value")

    def __init__(self, name: str, sort: int, order: int, currency: int, other: int, value: int) -> None:
        self.name: Final = name
        self.sort: Final = sort
        #: 1.1, 12.4: the currency, or the two currencies in yard order; -1 for none.
        self.currency: Final = currency
        self.other: Final = other
        self.value: Final = value
        #: The index in a sorted list of all cards.
        self.order: Final = order

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"card({self.name!r})"

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self

    def __reduce__(self) -> tuple[Callable[[str], Card], tuple[str]]:
        """Cards are compared by identity, so unpickling must return the one with this name."""
        return card, (self.name,)


def _all_cards() -> list[Card]:
    cards: list[Card] = []
    for one in range(4):
        for other in range(one + 1, 4):
            cards.append(Card(LETTERS[one] + LETTERS[other], EXCHANGE, len(cards), one, other, 0))
    for currency in range(4):
        for value in range(9, 0, -1):
            cards.append(Card(f"{LETTERS[currency]}{value}", MONEY, len(cards), currency, -1, value))
    for letter in "AB":
        cards.append(Card(letter, SCORE, len(cards), -1, -1, 0))
    return cards


#: All different cards in sorted order: exchange, money, score cards.
CARDS: Final = tuple(_all_cards())
EXCHANGE_CARDS: Final = CARDS[:6]
MONEY_CARDS: Final = CARDS[6:42]
SCORE_A: Final = CARDS[42]
SCORE_B: Final = CARDS[43]
_BY_NAME: Final[dict[str, Card]] = {card.name: card for card in CARDS}


def card(name: str) -> Card:
    """Return the card with this name."""
    found = _BY_NAME.get(name)
    if found is None:
        raise NotationError(f"'{name}' is not a card (1.1, 1.2, 1.6)")
    return found


def by_order(card: Card) -> int:
    """Sort key of the notation: exchange cards, then money in yard order, each from high to low."""
    return card.order


def cards(text: str) -> tuple[Card, ...]:
    """Return the cards in a sorted list such as `yb y5 b3`."""
    found = tuple([card(name) for name in text.split(" ")])
    if not is_sorted(found):
        raise NotationError(
            f"the cards '{text}' are not sorted: exchange cards, then y, g, b, o, each from high to low"
        )
    return found


def cards_text(some: tuple[Card, ...]) -> str:
    """Return the names of cards, separated by spaces."""
    return " ".join([one.name for one in some])


def is_sorted(some: tuple[Card, ...]) -> bool:
    """Return whether cards are in the order of the notation."""
    for i in range(1, len(some)):
        if some[i].order < some[i - 1].order:
            return False
    return True


def money(currency: int, value: int) -> Card:
    """Return the money card of a currency and a value."""
    return CARDS[6 + 9 * currency + 9 - value]


# Purses ---------------------------------------------------------------------------------------------------------------

#: What a card of each value adds to a purse (index 0 is unused).
UNIT: Final = tuple([0] + [1 << 2 * (value - 1) for value in VALUES])


def _worth_table(first: int, digits: int) -> list[int]:
    return [sum([(first + i) * (purse >> 2 * i & 3) for i in range(digits)]) for purse in range(1 << 2 * digits)]


_WORTH_1_TO_5: Final = _worth_table(1, 5)
_WORTH_6_TO_9: Final = _worth_table(6, 4)


def worth(purse: i64) -> i64:
    """Return the sum of the values in a purse."""
    return _WORTH_1_TO_5[purse & 1023] + _WORTH_6_TO_9[purse >> 10]


def number_of_cards(purse: i64) -> i64:
    """Return the number of cards in a purse."""
    count: i64 = 0
    while purse:
        count += purse & 3
        purse >>= 2
    return count


def cards_of(currency: int, purse: i64) -> list[Card]:
    """Return the cards of a purse, from high to low."""
    cards: list[Card] = []
    value: i64 = 9 if purse else 0
    while value:
        copies: i64 = purse >> 2 * (value - 1) & 3
        while copies:
            cards.append(money(currency, value))
            copies -= 1
        value -= 1
    return cards


#: Caches of payments: hash tables of fixed size in which a new entry overwrites the old one, so that memory stays
#: bounded. With an exchange card, an entry has sixty payments on average, and can have many hundreds. Key and payments
#: are stored as one tuple, so that neither an interrupt nor another thread can see payments under a wrong key.
_ENTRIES: Final = 1 << 14
_payments: Final[list[tuple[int, tuple[tuple[Card, ...], ...]]]] = [(-1, ())] * _ENTRIES
_MIXED_ENTRIES: Final = 1 << 11
_mixed_payments: Final[list[tuple[int, tuple[tuple[Card, ...], ...]]]] = [(-1, ())] * _MIXED_ENTRIES


def payments(currency: i64, purse: i64, price: i64) -> tuple[tuple[Card, ...], ...]:
    """3.3: return all payments of at least the price without a superfluous card, cheapest first."""
    key: i64 = (purse << 2 | currency) << 4 | price
    entry: i64 = key * 40503 >> 7 & _ENTRIES - 1
    known = _payments[entry]
    if known[0] == key:
        return known[1]
    found = tuple(_payments_from(cards_of(currency, purse), price))
    _payments[entry] = (key, found)
    return found


def mixed_payments(exchange: Card, currency: i64, own: i64, foreign: i64, price: i64) -> tuple[tuple[Card, ...], ...]:
    """12.4: return such payments with an exchange card and at least one card of the other currency."""
    rest: i64 = currency << 7 | exchange.order << 4 | price
    key: i64 = (own << 18 | foreign) << 9 | rest
    entry: i64 = own * 40503 + foreign * 48271 + rest * 69621 >> 5 & _MIXED_ENTRIES - 1
    known = _mixed_payments[entry]
    if known[0] == key:
        return known[1]
    other = exchange.other if exchange.currency == currency else exchange.currency
    cards = cards_of(currency, own) + cards_of(other, foreign)
    cards.sort(key=_falling)
    found = tuple(
        [
            (exchange, *sorted(payment, key=by_order))
            for payment in _payments_from(cards, price)
            if any([card.currency == other for card in payment])
        ]
    )
    _mixed_payments[entry] = (key, found)
    return found


def _falling(card: Card) -> int:
    return card.order - 100 * card.value


def total(cards: tuple[Card, ...]) -> int:
    """Return the sum of the values of cards; exchange cards count nothing (12.5)."""
    amount = 0
    for card in cards:
        amount += card.value
    return amount


def _payments_from(cards: list[Card], price: int) -> list[tuple[Card, ...]]:
    """Return all different payments from sorted cards, each ending when it covers the price; cheapest first."""
    found: list[tuple[Card, ...]] = []
    _extend_payment(cards, 0, total(tuple(cards)), price, price, [], found, [])
    return found


def _extend_payment(
    cards: list[Card],
    start: i64,
    rest: i64,
    price: i64,
    missing: i64,
    paid: list[Card],
    found: list[tuple[Card, ...]],
    sums: list[int],
) -> None:
    """Add the payments that continue with cards from `start` on, whose values sum to `rest`."""
    previous: Card | None = None
    i: i64 = start
    while rest >= missing:
        card = cards[i]
        value: i64 = card.value
        i += 1
        rest -= value
        if card is previous:
            continue
        previous = card
        paid.append(card)
        if value >= missing:
            whole: i64 = price - missing + value
            rank: i64 = len(sums)  # after all payments with the same sum
            while rank and sums[rank - 1] > whole:
                rank -= 1
            sums.insert(rank, whole)
            found.insert(rank, tuple(paid))
        else:
            _extend_payment(cards, i, rest, price, missing - value, paid, found, sums)
        paid.pop()
