"""Bodies of requests and responses about puzzles. Nothing that is sent before the answer contains the answer."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from granada.tables.messages import ActionText, Seat
from granada.tables.requests import Name

#: More actions than any turn has (3.4).
LONGEST_TURN = 40


class ListedPuzzle(Struct):
    """A puzzle in the list."""

    id: int
    edition: str
    players: int
    modules: list[str]
    #: What the best turn is about, the main theme first.
    themes: list[str]
    #: The weakest bot that finds the turn.
    grade: str
    rating: int
    #: The city of the seat: tile by cell.
    city: dict[str, str]


class PuzzleList(Struct):
    """All puzzles."""

    puzzles: list[ListedPuzzle]


class PuzzleTask(Struct):
    """What has to be found, from what everybody can see."""

    #: `vizier`: between two turns (11.2); `last`: the game may end with this turn; `scoring`: one may follow it.
    what: Literal["turn", "vizier", "scoring", "last"]
    scoring: str | None = None


class PuzzleRatings(Struct):
    """The ratings of all puzzles: enough to choose the next one."""

    #: The rating of each puzzle, by its id.
    ratings: dict[str, int]


class PuzzleInfo(Struct):
    """A puzzle before its answer; its theme is told afterwards."""

    id: int
    edition: str
    players: int
    modules: list[str]
    #: The seat whose whole turn is asked for.
    seat: Seat
    grade: str
    rating: int
    task: PuzzleTask
    #: The city of the seat: tile by cell.
    city: dict[str, str]


class OpenPuzzle(Struct, frozen=True, forbid_unknown_fields=True):
    """Open a puzzle at a table, with your name on its seat."""

    name: Name | None = None


class PuzzleAttempt(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole turn as the answer to a puzzle."""

    actions: Annotated[list[ActionText], Meta(min_length=1, max_length=LONGEST_TURN)]


class PuzzleTurn(Struct):
    """A whole turn, and the points that it is expected to gain over the obvious turn; null if unknown."""

    actions: list[str]
    gain: float | None


class PuzzleFact(Struct):
    """A reason why the best turn is the best; the code says which fields are used."""

    #: `exact`, `vizier`, `wake`, `add`, `swap`, `remove`, `flip`, `gift`, `stretch`, `majority`, `denied`, `contested`,
    #: `prepared`, `money`, `ends`, `scoring`, or only `later`: it pays off later.
    code: str
    tile: str = ""
    face: str = ""
    cards: list[str] = []
    #: A type, or `wall`, `moat`, `run`; for a tile that others could buy: `exact` or `over`.
    item: str = ""
    #: A length or points, before and after the turn; for what a rival loses only `before`.
    before: int = 0
    after: int = 0
    scoring: str = ""
    #: 0 for Dirk.
    seat: int = 0


class PuzzleVerdict(Struct):
    """Whether a turn solves a puzzle, and why the best turn is the best.

    If the gain of `own` is null, no bot could value the turn: it is neither solved nor failed, and does not count.
    """

    is_solved: bool
    own: PuzzleTurn
    best: PuzzleTurn
    #: The turn that first comes to mind.
    obvious: PuzzleTurn
    facts: list[PuzzleFact]
    themes: list[str]
    #: The record of the whole game, and the number of actions before the puzzle in it.
    record: str
    n: int
