"""What is written on a score pad, and what it comes to: for those who play with the box on a real table."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from granada.tables.messages import PointsRow

#: Larger numbers are slips of the finger, not entries to be judged.
Length = Annotated[int, Meta(ge=0, le=999)]
Number = Annotated[int, Meta(ge=0, le=99)]
TypeName = Literal[
    "pavilion",
    "seraglio",
    "arcades",
    "chambers",
    "garden",
    "tower",
    "arena",
    "bath_house",
    "library",
    "hostel",
    "hospital",
    "market",
    "park",
    "school",
    "district",
]
ScoringName = Literal["A", "B", "C"]

#: Which keys there can be is told by no schema that msgspec makes.
Numbers = Annotated[
    dict[TypeName, Number], Meta(extra_json_schema={"propertyNames": {"enum": list(get_args(TypeName))}})
]


class PadEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player, or Dirk, has in one scoring; what is left out is nothing."""

    #: The longest wall, moat and (in the combined game, 10.7) run.
    wall: Length = 0
    moat: Length = 0
    run: Length | None = None
    #: By type: the tiles built in the city, without bonus cards and huts.
    counts: Numbers = {}
    #: By Granada type: the highest price among them; only needed where players have equally many (7.4).
    highest: Numbers = {}
    #: By type: the revealed bonus cards (13.2).
    bonus: Numbers = {}
    #: By type: for how many tiles all huts of the type count together (14.5).
    huts: Numbers = {}


Scorings = Annotated[
    dict[ScoringName, Annotated[list[PadEntry], Meta(max_length=7)]],
    Meta(extra_json_schema={"propertyNames": {"enum": list(get_args(ScoringName))}}),
]


class ScorePad(Struct, frozen=True, forbid_unknown_fields=True):
    """A game on a real table, as far as it was scored."""

    edition: Literal["alhambra", "granada", "combined"] = "alhambra"
    modules: Annotated[list[Literal["vizier", "exchange", "bonus", "huts"]], Meta(max_length=4)] = []
    scoring: Literal["regular", "simplified"] = "regular"
    players: Annotated[int, Meta(ge=2, le=6)] = 2
    #: By the letter of the scoring: an entry for each seat and, with two players, one for Dirk at the end (9.4).
    scorings: Scorings = {}


class PadProblem(Struct):
    """An entry that cannot be right."""

    scoring: str
    #: 0 is Dirk; null: what all have together is impossible.
    seat: int | None
    #: `wall`, `moat`, `run`, a type, or null if it is about several.
    item: str | None
    #: What clients rely on.
    code: str
    rule: str
    detail: str


class PadResult(Struct):
    """What the pad comes to; points are counted as if problems were none."""

    rows: list[PointsRow]
    #: By seat, then Dirk: all scorings together.
    totals: list[int]
    #: The same for each scoring.
    by_scoring: dict[str, list[int]]
    problems: list[PadProblem]
