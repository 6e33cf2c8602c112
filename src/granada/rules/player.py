"""Players: their city, reserve, hand and points; and Dirk (9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar, final

from granada.rules.city import City
from granada.rules.money import EXCHANGE, MONEY, UNIT, Card, by_order, cards_of, number_of_cards, worth
from granada.rules.tiles import Tile

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `codes`

Piece = TypeVar("Piece")


def without(pieces: tuple[Piece, ...], gone: Piece) -> tuple[Piece, ...]:
    """Return pieces without the first one that is this very piece, which must be among them."""
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
        #: The money in hand by currency (see `granada.rules.money`).
        self.purses: Final = purses
        #: The exchange cards in hand, sorted.
        self.exchange = exchange
        #: The tiles of the reserve, in fixed order.
        self.reserve = reserve
        #: 11.1: whether the vizier is active; None without that module.
        self.vizier = vizier
        #: 13: the bonus cards in hand; None stands for one that the reader may not see (16.2).
        self.bonus = bonus
        #: 13.3: those of them that everybody has seen, because they lay revealed before.
        self.seen_bonus = seen_bonus
        #: 13.2: the bonus cards that lie revealed.
        self.revealed = revealed
        self.score = score

    def copy(self) -> Player:
        """All but the purses is immutable and shared; the city is shared until one of them builds."""
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
        """The city, to be changed: if other states have it too, a copy takes its place."""
        if self.city.is_shared:
            self.city = self.city.copy()
        return self.city

    def hand(self) -> tuple[Card, ...]:
        """The cards in hand, sorted."""
        cards = list(self.exchange)
        for currency in range(4):
            cards += cards_of(currency, self.purses[currency])
        return tuple(cards)

    def hand_size(self) -> int:
        """How many cards are in hand."""
        count: i64 = len(self.exchange)
        purse: i64
        for purse in self.purses:
            count += number_of_cards(purse)
        return count

    def money(self, currency: int) -> int:
        """The sum of the values of a currency in hand."""
        return worth(self.purses[currency])

    def holds(self, cards: tuple[Card, ...]) -> bool:
        """Whether all these cards are in hand."""
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
        """Take a card into the hand."""
        if card.sort == EXCHANGE:
            self.exchange = tuple(sorted((*self.exchange, card), key=by_order))
        else:
            self.purses[card.currency] += UNIT[card.value]

    def give_up(self, cards: tuple[Card, ...]) -> None:
        """Take cards out of the hand."""
        for card in cards:
            if card.sort == EXCHANGE:
                self.exchange = tuple([other for other in self.exchange if other is not card])
            else:
                self.purses[card.currency] -= UNIT[card.value]

    def store(self, tile: Tile) -> None:
        """Put a tile into the reserve, which is kept in fixed order."""
        reserve = list(self.reserve)
        index = len(reserve)
        while index and reserve[index - 1].order > tile.order:
            index -= 1
        reserve.insert(index, tile)
        self.reserve = tuple(reserve)

    def unstore(self, tile: Tile) -> None:
        """Take a tile out of the reserve."""
        self.reserve = without(self.reserve, tile)

    def key(self) -> tuple[object, ...]:
        """Everything, for comparison."""
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
        """Everything inside is immutable and shared."""
        return Dirk(self.tiles, self.score)
