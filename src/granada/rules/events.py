"""The events of a game, in the order of docs/notation.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, final

from granada.rules.compiling import mypyc_attr
from granada.rules.money import Card
from granada.rules.tiles import Tile

if TYPE_CHECKING:
    from granada.rules.state import Action

#: The seat numbers of Dirk (9.2) and of nobody.
DIRK: Final = -1
NOBODY: Final = -2


class Event:
    """Something that happened at the table."""

    #: Whether it follows from earlier events, so that a reader of the record can check it.
    is_result: ClassVar[bool] = False
    #: The names of the attributes, in the order of the arguments.
    fields: ClassVar[tuple[str, ...]] = ()

    def seen_by(self, seat: int) -> bool:
        """Return whether a seat (NOBODY: a spectator) may see all of it (16)."""
        return True

    def shown_to(self, seat: int) -> Event:
        """16.2: return the event as a seat may see it."""
        return self

    def __copy__(self) -> Event:
        return self

    def __deepcopy__(self, memo: object) -> Event:
        return self

    def __reduce__(self) -> tuple[type[Event], tuple[object, ...]]:
        return type(self), tuple([getattr(self, name) for name in self.fields])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([repr(getattr(self, name)) for name in self.fields])})"


@mypyc_attr(free_list_len=1)
@final
class YardFilled(Event):
    """2.2, 6.2: a tile was put on a space."""

    fields: ClassVar[tuple[str, ...]] = ("space", "tile")

    def __init__(self, space: int, tile: Tile) -> None:
        self.space: Final = space
        self.tile: Final = tile


@final
class DirkDrew(Event):
    """9.3, 9.5: Dirk got tiles from the bag."""

    fields: ClassVar[tuple[str, ...]] = ("tiles",)

    def __init__(self, tiles: tuple[Tile, ...]) -> None:
        self.tiles: Final = tiles


@final
class Dealt(Event):
    """2.3: a seat got its starting money."""

    fields: ClassVar[tuple[str, ...]] = ("seat", "cards")

    def __init__(self, seat: int, cards: tuple[Card, ...]) -> None:
        self.seat: Final = seat
        self.cards: Final = cards


@final
class Started(Event):
    """2.4: a seat is the start player."""

    fields: ClassVar[tuple[str, ...]] = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat: Final = seat


@mypyc_attr(free_list_len=1)
@final
class Displayed(Event):
    """2.5, 6.1: cards were turned up, including score cards."""

    fields: ClassVar[tuple[str, ...]] = ("cards",)

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self.cards: Final = cards


@final
class Reshuffled(Event):
    """6.1: the discards became the deck."""


@final
class BonusDealt(Event):
    """13.1: a seat got bonus cards, which nobody else may see."""

    fields: ClassVar[tuple[str, ...]] = ("seat", "cards")

    def __init__(self, seat: int, cards: tuple[Tile | None, ...]) -> None:
        self.seat: Final = seat
        self.cards: Final = cards

    def seen_by(self, seat: int) -> bool:
        return seat == self.seat

    def shown_to(self, seat: int) -> Event:
        return self if seat == self.seat else BonusDealt(self.seat, tuple([None for _ in self.cards]))


@final
class HutTurnedUp(Event):
    """14.1, 14.2: a hut was turned up."""

    fields: ClassVar[tuple[str, ...]] = ("hut",)

    def __init__(self, hut: Tile) -> None:
        self.hut: Final = hut


@mypyc_attr(free_list_len=1)
@final
class Acted(Event):
    """A seat played an action."""

    fields: ClassVar[tuple[str, ...]] = ("seat", "action")

    def __init__(self, seat: int, action: Action) -> None:
        self.seat: Final = seat
        self.action: Final = action


@final
class Row:
    """One reason for points (7): the seat, scoring, item, place (0: not by place) and points."""

    __slots__ = ("item", "place", "points", "scoring", "seat")

    def __init__(self, seat: int, scoring: str, item: str, place: int, points: int) -> None:
        self.seat: Final = seat
        self.scoring: Final = scoring
        self.item: Final = item
        self.place: Final = place
        self.points: Final = points

    def __copy__(self) -> Row:
        return self

    def __deepcopy__(self, memo: object) -> Row:
        return self

    def __reduce__(self) -> tuple[type[Row], tuple[object, ...]]:
        return Row, (self.seat, self.scoring, self.item, self.place, self.points)

    def __repr__(self) -> str:
        return f"Row({self.seat}, {self.scoring!r}, {self.item!r}, {self.place}, {self.points})"


@final
class Scored(Event):
    """7: the points of a seat or Dirk in one scoring."""

    is_result: ClassVar[bool] = True
    fields: ClassVar[tuple[str, ...]] = ("scoring", "seat", "rows", "total")

    def __init__(self, scoring: str, seat: int, rows: tuple[Row, ...], total: int) -> None:
        self.scoring: Final = scoring
        self.seat: Final = seat
        self.rows: Final = rows
        self.total: Final = total


@final
class Awarded(Event):
    """8.2: a left-over tile went to a seat, or to NOBODY."""

    is_result: ClassVar[bool] = True
    fields: ClassVar[tuple[str, ...]] = ("space", "tile", "seat")

    def __init__(self, space: int, tile: Tile, seat: int) -> None:
        self.space: Final = space
        self.tile: Final = tile
        self.seat: Final = seat


@final
class Ended(Event):
    """8.4: the game is over: totals by seat, Dirk's total (-1 without Dirk) and the winning seats."""

    is_result: ClassVar[bool] = True
    fields: ClassVar[tuple[str, ...]] = ("totals", "dirk", "winners")

    def __init__(self, totals: tuple[int, ...], dirk: int, winners: tuple[int, ...]) -> None:
        self.totals: Final = totals
        self.dirk: Final = dirk
        self.winners: Final = winners
