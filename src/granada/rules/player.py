"""Players (city, reserve, hand and points) and Dirk (9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar, final

from granada.rules.city import City
from granada.rules.money import EXCHANGE, MONEY, UNIT, Card, by_order, cards_of, number_of_cards, worth
from granada.rules.tiles import Tile

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `codes`

Piece = TypeVar("Piece")


def without(pieces: tuple[Piece, ...], gone: Piece) -> tuple[Piece, ...]:
    """Return a tuple without the first occurrence of a piece, compared by identity; it must be there."""
    index = 0
    while pieces[index] is not gone:
        index += 1
    return pieces[:index] + pieces[index + 1 :]


@final
class Player:
    """A player: city, reserve, hand, vizier, bonus cards and points."""

    __slots__ = ("bonus", "city", "exchange", "purses", "reserve", "revealed", "score", "seen_bonus", "vizier")

    def __init__(
        self,
        city: City,
        purses: list[int],
        exchange: tuple[Card, ...],
        reserve: tuple[Tile, ...],
        vizier: bool | None,
        bonus: tuple[Tile | None, ...],
        seen_bonus: tuple[Tile, ...],
        revealed: tuple[Tile, ...],
        score: int,
    ) -> None:
        self.city = city
        #: The money in hand, by currency (see `granada.rules.money`).
        self.purses: Final = purses
        #: The exchange cards in hand, sorted.
        self.exchange = exchange
        #: The tiles in the reserve, sorted.
        self.reserve = reserve
        #: 11.1: whether the vizier is active; None if the module is not used.
        self.vizier = vizier
        #: 13: the bonus cards in hand; None is a card that is hidden (16.2).
        self.bonus = bonus
        #: 13.3: the bonus cards in hand that everybody knows, because they have been revealed before.
        self.seen_bonus = seen_bonus
        #: 13.2: the revealed bonus cards.
        self.revealed = revealed
        self.score = score

    def copy(self) -> Player:
        """Return a copy; the city is shared until one of them builds, everything else but the purses is immutable."""
        self.city.is_shared = True
        return Player(
            self.city,
            self.purses.copy(),
            self.exchange,
            self.reserve,
            self.vizier,
            self.bonus,
            self.seen_bonus,
            self.revealed,
            self.score,
        )

    def __copy__(self) -> Player:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Player:
        return self.copy()

    def __reduce__(self) -> tuple[type[Player], tuple[object, ...]]:
        return Player, (
            self.city,
            self.purses.copy(),
            self.exchange,
            self.reserve,
            self.vizier,
            self.bonus,
            self.seen_bonus,
            self.revealed,
            self.score,
        )

    def own_city(self) -> City:
        """Return the city for changes, as a copy if other states share it."""
        if self.city.is_shared:
            self.city = self.city.copy()
        return self.city

    def hand(self) -> tuple[Card, ...]:
        """Return the cards in hand, sorted."""
        cards = list(self.exchange)
        for currency in range(4):
            cards += cards_of(currency, self.purses[currency])
        return tuple(cards)

    def hand_size(self) -> int:
        """Return the number of cards in hand."""
        count: i64 = len(self.exchange)
        purse: i64
        for purse in self.purses:
            count += number_of_cards(purse)
        return count

    def money(self, currency: int) -> int:
        """Return the sum of the values of a currency in hand."""
        return worth(self.purses[currency])

    def holds(self, cards: tuple[Card, ...]) -> bool:
        """Return whether all these cards are in hand."""
        left = self.purses.copy()
        for i, card in enumerate(cards):
            if card.sort == EXCHANGE:
                if card not in self.exchange or card in cards[:i]:
                    return False
            elif card.sort == MONEY and left[card.currency] & 3 * UNIT[card.value]:
                left[card.currency] -= UNIT[card.value]
            else:
                return False
        return True

    def receive(self, card: Card) -> None:
        """Add a card to the hand."""
        if card.sort == EXCHANGE:
            self.exchange = tuple(sorted((*self.exchange, card), key=by_order))
        else:
            self.purses[card.currency] += UNIT[card.value]

    def give_up(self, cards: tuple[Card, ...]) -> None:
        """Remove cards from the hand."""
        for card in cards:
            if card.sort == EXCHANGE:
                self.exchange = tuple([other for other in self.exchange if other is not card])
            else:
                self.purses[card.currency] -= UNIT[card.value]

    def store(self, tile: Tile) -> None:
        """Put a tile in the reserve, which stays sorted."""
        reserve = list(self.reserve)
        index = len(reserve)
        while index and reserve[index - 1].order > tile.order:
            index -= 1
        reserve.insert(index, tile)
        self.reserve = tuple(reserve)

    def unstore(self, tile: Tile) -> None:
        """Remove a tile from the reserve."""
        self.reserve = without(self.reserve, tile)

    def key(self) -> tuple[object, ...]:
        """Return everything that must be equal in equal players."""
        return (
            self.city.key(),
            self.city.starts,
            tuple(self.purses),
            self.exchange,
            self.reserve,
            self.vizier,
            self.bonus,
            self.seen_bonus,
            self.revealed,
            self.score,
        )


@final
class Dirk:
    """9.2: the imaginary third player: his tiles and his points."""

    __slots__ = ("score", "tiles")

    def __init__(self, tiles: tuple[Tile, ...], score: int) -> None:
        self.tiles = tiles
        self.score = score

    def __reduce__(self) -> tuple[type[Dirk], tuple[object, ...]]:
        return Dirk, (self.tiles, self.score)

    def copy(self) -> Dirk:
        """Return a copy."""
        return Dirk(self.tiles, self.score)
