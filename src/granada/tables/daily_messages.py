"""Wire format of the daily deal: its facts, and the list of its results."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from granada.tables.requests import Name


class DailyStart(Struct, frozen=True, forbid_unknown_fields=True):
    """Open your table of a daily deal; without a name, one is chosen."""

    name: Name | None = None


class DailyResult(Struct, frozen=True):
    """The result of your first finished attempt."""

    points: int
    #: The lead over the best other player; negative after a loss.
    margin: int
    #: Whether you won, alone or with others.
    won: bool
    #: Where you were after scorings A, B and C, compared with the best other player.
    course: list[Literal["behind", "level", "ahead"]]
    #: How often you paid a tile exactly.
    exact: int
    #: The length of your longest wall; in Granada of your longest moat.
    wall: int


class DailyRow(Struct):
    """A result in the list of a day."""

    #: Equal results share a place.
    place: int
    name: str
    points: int
    margin: int
    is_yours: bool


class DailyList(Struct):
    """The best results of a day, and those around your own."""

    date: str
    players: int
    rows: list[DailyRow]


class DailyDay(Struct):
    """The deal of an edition and a day (docs/daily.md), and what is known of its results."""

    edition: Literal["alhambra", "granada", "combined"]
    #: Its day, and today; both UTC.
    date: str
    today: str
    #: Milliseconds until the day is over; 0 if it is.
    ends_in: int
    #: The levels of the bots, on the seats after yours.
    bots: list[str]
    #: For each space, the tile of each kind.
    yard: list[list[str | None]]
    display: list[str]
    commitment: str
    #: The seed of the shuffle; null until the day is over.
    seed: str | None
    #: The table of your first attempt; null if there is none.
    table: str | None
    #: The result of your first finished attempt, and its place; null if there is none.
    mine: DailyResult | None
    place: int | None
    #: The number of results.
    players: int
    #: The list of the day; null until you have a result or the day is over.
    results: DailyList | None
    #: Instead of it, the list of the day before.
    yesterday: DailyList | None
