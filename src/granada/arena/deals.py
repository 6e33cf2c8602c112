"""Deals that can be replayed by other players, as in duplicate bridge."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from granada.rules.chance import Chance
from granada.rules.deck import Deck
from granada.rules.money import Card
from granada.rules.tiles import Tile


class Deal(Chance):
    """Chance with a separate stream of random numbers for each kind of draw.

    Cards, tiles and huts come in the same order whatever the players do, so comparing two players on the same deal
    needs fewer games than on different deals. The exception: Dirk's tiles (9.5) depend on what is left in the bag, and
    so do the tiles after them.
    """

    def __init__(self, seed: str) -> None:
        self._seed: Final = seed
        self._streams: Final[dict[str, Callable[[], float]]] = {}
        self._random = self._stream("start")

    def below(self, count: int) -> int:
        return int(self._random() * count)

    def dealt_card(self, deck: Deck, seat: int) -> Card:
        self._random = self._stream("cards")
        return super().dealt_card(deck, seat)

    def start(self, seats: list[int]) -> int:
        self._random = self._stream("start")
        return super().start(seats)

    def display_card(self, deck: Deck) -> Card:
        self._random = self._stream("cards")
        return super().display_card(deck)

    def yard_tile(self, bag: list[Tile], marker: int, space: int) -> Tile:
        self._random = self._stream(f"tiles {bag[0].kind}")
        return super().yard_tile(bag, marker, space)

    def dirk_tiles(self, bags: list[list[Tile]], counts: list[int], marker: int) -> list[Tile]:
        self._random = self._stream("Dirk")
        return super().dirk_tiles(bags, counts, marker)

    def bonus_cards(self, left: list[Tile], seat: int, count: int) -> list[Tile | None]:
        self._random = self._stream("bonus")
        return super().bonus_cards(left, seat, count)

    def hut(self, pile: tuple[Tile, ...]) -> Tile:
        self._random = self._stream(f"huts {pile[0].type}")
        return super().hut(pile)

    def _stream(self, what: str) -> Callable[[], float]:
        stream = self._streams.get(what)
        if stream is None:
            stream = self._streams[what] = random.Random(f"{self._seed}/{what}").random
        return stream
