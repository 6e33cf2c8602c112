"""Wire format of the score pad for games with the real box: its entries and its results."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from granada.tables.messages import PointsRow

#: Larger numbers can only be typing errors.
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

#: msgspec's schemas don't list the possible keys of a dictionary, so add them.
Numbers = Annotated[
    dict[TypeName, Number], Meta(extra_json_schema={"propertyNames": {"enum": list(get_args(TypeName))}})
]


class PadEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player, or Dirk, has in one scoring; omitted numbers are 0."""

    #: Lengths of the longest wall and moat and, in the combined game (10.7), run.
    wall: Length = 0
    moat: Length = 0
    run: Length | None = None
    #: By type: the number of tiles in the city, without bonus cards and huts.
    counts: Numbers = {}
    #: 7.4: by Granada type: the highest price of these tiles; only needed to break ties.
    highest: Numbers = {}
    #: 13.2: by type: the number of revealed bonus cards.
    bonus: Numbers = {}
    #: 14.5: by type: the number of tiles that all huts of the type count as.
    huts: Numbers = {}


Scorings = Annotated[
    dict[ScoringName, Annotated[list[PadEntry], Meta(max_length=7)]],
    Meta(extra_json_schema={"propertyNames": {"enum": list(get_args(ScoringName))}}),
]


class ScorePad(Struct, frozen=True, forbid_unknown_fields=True):
    """A game with the real box and its scorings so far."""

    edition: Literal["alhambra", "granada", "combined"] = "alhambra"
    modules: Annotated[list[Literal["vizier", "exchange", "bonus", "huts"]], Meta(max_length=4)] = []
    scoring: Literal["regular", "simplified"] = "regular"
    players: Annotated[int, Meta(ge=2, le=6)] = 2
    #: 9.4: by letter of the scoring: an entry for each seat and, with two players, a last one for Dirk.
    scorings: Scorings = {}


class PadProblem(Struct):
    """An impossible entry."""

    scoring: str
    #: 0 is Dirk; null if the entries of all players together are impossible.
    seat: int | None
    #: `wall`, `moat`, `run` or a type; null if the problem concerns several.
    item: str | None
    #: A stable word.
    code: str
    rule: str
    detail: str


class PadResult(Struct):
    """The points of a score pad; impossible entries are scored as given."""

    rows: list[PointsRow]
    #: The total of all scorings by seat; Dirk comes last.
    totals: list[int]
    #: Points by seat for each scoring.
    by_scoring: dict[str, list[int]]
    problems: list[PadProblem]
