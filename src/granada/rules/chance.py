"""The only way for randomness to enter a game.

Nothing is shuffled in advance: the state contains what is left in the deck, bags and piles, and a card or tile is drawn
when it is turned up, by a random generator (`granada.records.luck`), a record (`granada.records.replay`) or a fixed
choice.
"""

from __future__ import annotations

from typing import final

from granada.rules.compiling import mypyc_attr
from granada.rules.deck import Deck
from granada.rules.money import Card
from granada.rules.tiles import Tile


@mypyc_attr(allow_interpreted_subclasses=True)
class Chance:
    """Everything that is drawn at random; a subclass needs to implement only `below`."""

    def below(self, count: int) -> int:
        """Return a whole number from 0 to `count` - 1."""
        raise NotImplementedError

    def dealt_card(self, deck: Deck, seat: int) -> Card:
        """2.3: draw the next card of a seat's starting money."""
        return self._card(deck)

    def start(self, seats: list[int]) -> int:
        """2.4: return the start player, one of these seats."""
        return seats[self.below(len(seats))] if len(seats) > 1 else seats[0]

    def display_card(self, deck: Deck) -> Card:
        """2.5, 6.1: draw the next card for the display."""
        return self._card(deck)

    def reshuffle(self) -> None:
        """6.1: shuffle the discards into a new deck."""

    def yard_tile(self, bag: list[Tile], marker: int, space: int) -> Tile:
        """2.2, 6.2: draw a tile for a space of the yard; a Granada tile will show the parity of the marker."""
        return bag.pop(self.below(len(bag)))

    def dirk_tiles(self, bags: list[list[Tile]], counts: list[int], marker: int) -> list[Tile]:
        """9.3, 9.5: draw this number of tiles from each bag; Granada tiles will show the parity of the marker."""
        drawn: list[Tile] = []
        for bag, count in zip(bags, counts, strict=True):
            left = bag.copy()
            for _ in range(count):
                drawn.append(left.pop(self.below(len(left))))
        return drawn

    def bonus_cards(self, left: list[Tile], seat: int, count: int) -> list[Tile | None]:
        """13.1: draw this number of bonus cards for a seat; None is a card that is hidden (16.2)."""
        rest = left.copy()
        drawn: list[Tile | None] = []
        for _ in range(count):
            drawn.append(rest.pop(self.below(len(rest))))
        return drawn

    def hut(self, pile: tuple[Tile, ...]) -> Tile:
        """14.1, 14.2: draw the next hut of a pile."""
        return pile[self.below(len(pile))]

    def _card(self, deck: Deck) -> Card:
        if deck.piles:
            top = deck.piles[0]
            index = deck.drawn + self.below(top.size - deck.drawn)
            if index >= top.plain():
                if top.score is not None and index == top.size - 1:
                    return deck.draw_special(top.score)
                return deck.draw_special(deck.exchange[self.below(len(deck.exchange))])
        return deck.draw_plain(self.below(len(deck.pool)))


@final
class First(Chance):
    """Chance that always draws the first possibility, for counting positions (perft) and for tests."""

    def below(self, count: int) -> int:
        return 0
