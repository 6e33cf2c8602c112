"""The weights of the quick policy: how it values points, money and options against each other."""

from __future__ import annotations

from typing import Final, final


@final
class Weights:
    """Weights in points."""

    __slots__ = (
        "another_action",
        "card",
        "coin",
        "exchange_card",
        "hut",
        "later",
        "majority",
        "others",
        "payable",
        "payable_exactly",
        "reserve",
        "room",
        "tile",
        "vizier",
        "wall",
    )

    def __init__(
        self,
        majority: float = 0.62,
        wall: float = 0.76,
        later: float = 0.6,
        others: float = 0.28,
        tile: float = 3.0,
        room: float = 0.4,
        coin: float = 0.45,
        card: float = 1.5,
        another_action: float = 8.9,
        payable: float = 0.1,
        payable_exactly: float = 0.67,
        exchange_card: float = 2.0,
        vizier: float = 2.0,
        reserve: float = 0.3,
        hut: float = 0.94,
    ) -> None:
        #: The weight of points for majorities and for walls.
        self.majority: Final = majority
        self.wall: Final = wall
        #: The weight of a scoring relative to the one before it.
        self.later: Final = later
        #: The weight of the points of the others.
        self.others: Final = others
        #: A tile in the city, besides its points now: it is a step towards a majority.
        self.tile: Final = tile
        #: An open side, where the city can grow.
        self.room: Final = room
        #: A unit of money, and a money card.
        self.coin: Final = coin
        self.card: Final = card
        #: 3.4: another action after an exact payment.
        self.another_action: Final = another_action
        #: The part of a tile's worth that counts if the player could pay for it, or pay exactly, next time.
        self.payable: Final = payable
        self.payable_exactly: Final = payable_exactly
        self.exchange_card: Final = exchange_card
        self.vizier: Final = vizier
        #: The part of a tile's worth that counts in the reserve.
        self.reserve: Final = reserve
        #: The part of a hut's worth that counts.
        self.hut: Final = hut

    def as_dict(self) -> dict[str, float]:
        """Return all weights by name, for making similar ones."""
        return {
            "majority": self.majority,
            "wall": self.wall,
            "later": self.later,
            "others": self.others,
            "tile": self.tile,
            "room": self.room,
            "coin": self.coin,
            "card": self.card,
            "another_action": self.another_action,
            "payable": self.payable,
            "payable_exactly": self.payable_exactly,
            "exchange_card": self.exchange_card,
            "vizier": self.vizier,
            "reserve": self.reserve,
            "hut": self.hut,
        }
