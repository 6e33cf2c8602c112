"""The deck (2.6, 6.1, 10.3, 12.1): the cards left, and the piles in which score and exchange cards can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from granada.rules.money import CARDS, EXCHANGE, EXCHANGE_CARDS, MONEY, MONEY_CARDS, SCORE, UNIT, Card

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `codes`

#: The range of the money cards among all cards; literals, so that they are constants when compiled.
_FIRST_MONEY: Final = 6
_LAST_MONEY: Final = 41
assert (len(EXCHANGE_CARDS), len(EXCHANGE_CARDS) + len(MONEY_CARDS)) == (_FIRST_MONEY, _LAST_MONEY + 1)


@final
class Pile:
    """2.6, 12.1: a pile of the deck: its size, its score card, and the number of its exchange cards."""

    __slots__ = ("exchange", "score", "size")

    def __init__(self, size: int, score: Card | None, exchange: int) -> None:
        self.size: Final = size
        self.score: Final = score
        self.exchange: Final = exchange

    def __reduce__(self) -> tuple[type[Pile], tuple[object, ...]]:
        return Pile, (self.size, self.score, self.exchange)

    def plain(self) -> int:
        """Return how many cards of the pile come from the pool."""
        return self.size - self.exchange - (1 if self.score is not None else 0)


@final
class Deck:
    """The cards left, without their order.

    `pool` contains the cards that can be anywhere, sorted. `piles` (top first) are kept as long as score or exchange
    cards are bound to them; `drawn` is the number of pool cards already drawn from the top pile. `exchange` contains
    the exchange cards that are in some of these piles.
    """

    __slots__ = ("_counted", "_purses", "drawn", "exchange", "piles", "pool", "refills")

    def __init__(self, pool: list[Card], exchange: tuple[Card, ...], piles: tuple[Pile, ...], drawn: int = 0) -> None:
        self.pool: Final = pool
        self.exchange = exchange
        self.piles = piles
        self.drawn = drawn
        #: How often the discards have been put into this deck.
        self.refills = 0
        #: The last answer of `purses`, and the size of the pool that it counts.
        self._purses: list[int] | None = None
        self._counted = 0

    def copy(self) -> Deck:
        """Return an independent copy."""
        return Deck(self.pool.copy(), self.exchange, self.piles, self.drawn)

    def __reduce__(self) -> tuple[type[Deck], tuple[object, ...]]:
        return Deck, (self.pool.copy(), self.exchange, self.piles, self.drawn)

    def cards(self) -> list[Card]:
        """Return all cards left, in no particular order."""
        scores = [pile.score for pile in self.piles if pile.score is not None]
        return [*self.pool, *self.exchange, *scores]

    def size(self) -> int:
        """Return how many cards are left."""
        count = len(self.pool) + len(self.exchange)
        for pile in self.piles:
            if pile.score is not None:
                count += 1
        return count

    def purses(self) -> list[int]:
        """Return the money of the pool by currency (see `money`), and a bit for each of its exchange cards, by order.

        The list must not be changed; it is kept up to date by `draw_plain`.
        """
        found = self._purses
        if found is None or self._counted != len(self.pool):
            found = purses_of(self.pool)
            self._purses = found
            self._counted = len(self.pool)
        return found

    def hide(self, purses: list[int]) -> None:
        """16.1: add the money of hands (four purses each) to the pool, which stays sorted.

        Exchange cards in the pool, which were discarded before, move to `exchange`, so that a view treats all hidden
        exchange cards the same way.
        """
        counts = self._counts()
        order: i64
        copies: i64
        lowest: i64 = _FIRST_MONEY + 8  # in each currency, the card of value 1 is last
        purse: i64
        for purse in purses:
            order = lowest
            while purse:
                if purse & 3:
                    copies = counts[order]
                    counts[order] = copies + (purse & 3)
                purse >>= 2
                order -= 1
            lowest = lowest + 9 if lowest < _LAST_MONEY else _FIRST_MONEY + 8
        pool = self.pool
        pool.clear()
        self._purses = None
        order = 0
        for copies in counts:
            while copies:
                if order < _FIRST_MONEY:
                    self.exchange = (*self.exchange, CARDS[order])
                else:
                    pool.append(CARDS[order])
                copies -= 1
            order += 1

    def is_empty(self) -> bool:
        """Return whether no card is left."""
        return not self.pool and not self.piles

    def refill(self, cards: list[Card]) -> None:
        """6.1: put the discards into the empty deck."""
        self.pool.extend(cards)
        counts = self._counts()
        self.pool.clear()
        self._purses = None
        self.refills += 1
        order: i64 = 0
        copies: i64
        for copies in counts:
            while copies:
                self.pool.append(CARDS[order])
                copies -= 1
            order += 1

    def _counts(self) -> list[int]:
        """Return how often each card is in the pool, by card order; counting is faster than sorting."""
        counts = [0] * len(CARDS)
        for card in self.pool:
            order: i64 = card.order
            copies: i64 = counts[order]
            counts[order] = copies + 1
        return counts

    def divide(self, scores: dict[int, Card], exchange: tuple[Card, ...], exchange_piles: tuple[int, ...]) -> None:
        """2.6: divide the pool into five piles of nearly equal size, and add the special cards.

        `scores` maps piles (0 to 4) to their score cards; exchange cards are spread evenly over `exchange_piles`
        (12.1).
        """
        share, extra = divmod(len(self.pool), 5)
        each = len(exchange) // len(exchange_piles) if exchange_piles else 0
        piles: list[Pile] = []
        for i in range(5):
            slots = each if i in exchange_piles else 0
            score = scores.get(i)
            size = share + (1 if i < extra else 0) + slots + (1 if score is not None else 0)
            piles.append(Pile(size, score, slots))
        self.exchange = exchange
        self._keep(piles)

    def draw(self, card: Card) -> bool:
        """Draw a card if it can be the next one; return whether it was drawn."""
        if card.sort == SCORE or card in self.exchange:
            if not self.piles:
                return False
            top = self.piles[0]
            if card is top.score or (card.sort == EXCHANGE and top.exchange):
                self.draw_special(card)
                return True
            return False
        if self.piles and self.piles[0].plain() == self.drawn:
            return False
        index = self._find(card)
        if index < 0:
            return False
        self.draw_plain(index)
        return True

    def _find(self, card: Card) -> int:
        """Return the index of a card in the sorted pool, or -1."""
        pool, order = self.pool, card.order
        low, high = 0, len(pool)
        while low < high:
            middle = (low + high) // 2
            if pool[middle].order < order:
                low = middle + 1
            else:
                high = middle
        return low if low < len(pool) and pool[low] is card else -1

    def draw_plain(self, index: int) -> Card:
        """Draw the card of the pool with this index."""
        if self.piles:
            self.drawn += 1
            if self.drawn == self.piles[0].size:
                self._keep(list(self.piles))
        card = self.pool.pop(index)
        purses = self._purses
        if purses is not None:
            entry: i64 = _purse_of(card)
            purse: i64 = purses[entry]
            purses[entry] = purse - _UNIT[card.order]
            self._counted -= 1
        return card

    def draw_special(self, card: Card) -> Card:
        """Draw a score card, or an exchange card that is bound to the top pile."""
        top = self.piles[0]
        if card.sort == SCORE:
            top = Pile(top.size - 1, None, top.exchange)
        else:
            self.exchange = tuple([other for other in self.exchange if other is not card])
            top = Pile(top.size - 1, top.score, top.exchange - 1)
        self._keep([top, *self.piles[1:]])
        return card

    def _keep(self, piles: list[Pile]) -> None:
        """Drop empty piles, and all piles once no special card is bound to them."""
        while piles and piles[0].size == self.drawn:
            del piles[0]
            self.drawn = 0
        for pile in piles:
            if pile.score is not None or pile.exchange:
                self.piles = tuple(piles)
                return
        self.piles = ()
        self.drawn = 0


#: What each card adds to its purse, by card order: the exchange cards share a fifth one, with a bit for each.
_UNIT: Final = [UNIT[card.value] if card.sort == MONEY else 1 << card.order for card in CARDS[: _LAST_MONEY + 1]]


def _purse_of(card: Card) -> i64:
    return card.currency if card.sort == MONEY else 4


def purses_of(cards: list[Card]) -> list[int]:
    """Return the money among cards by currency (see `money`), and a bit for each of the exchange cards, by order."""
    found = [0, 0, 0, 0, 0]
    for card in cards:
        entry: i64 = _purse_of(card)
        purse: i64 = found[entry]
        found[entry] = purse + _UNIT[card.order]
    return found
