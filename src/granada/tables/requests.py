"""What is asked for around the game, and what is answered: opening tables, sitting down, playing again."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from granada.bots.analysis import Decision
from granada.rules.options import PLAYERS
from granada.tables.levels import Level
from granada.tables.messages import Change, Count, Offer, Preview, Seat, TableOptions
from granada.tables.messages import Level as LevelName

LONGEST_NAME: Final = 40
#: What can stand in a record and in every database: no comma, no control characters.
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=r"^[^,\x00-\x1f\x7f-\x9f]*$")]


class SeatRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to sit on a seat: nobody yet, a person at this browser, or a bot of a level; names are suggested."""

    kind: Literal["open", "person", "bot"] = "open"
    name: Name | None = None
    level: LevelName | None = None


Seats = Annotated[list[SeatRequest], Meta(min_length=PLAYERS[0], max_length=PLAYERS[-1])]


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to open."""

    seats: Seats
    options: TableOptions = TableOptions()
    is_public: bool = False


class SitDown(Struct, frozen=True, forbid_unknown_fields=True):
    """Take an open seat, or write another name on the own one."""

    name: Name | None = None


class Rematch(Struct, frozen=True, forbid_unknown_fields=True):
    """Play again: with new luck, or with the same luck on other seats."""

    same_deal: bool = False


class Fork(Struct, frozen=True, forbid_unknown_fields=True):
    """Play on from a position; without seats the bots stay, you sit where you sat, and other seats are open."""

    n: Count
    seats: Seats | None = None


class NewProgram(Struct, frozen=True, forbid_unknown_fields=True):
    """A program that plays."""

    name: Name


class AskHint(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask what a bot would do for one of the own seats, or (null) for the one that decides."""

    seat: Seat | None = None


class Idea(Struct):
    """An action that a bot would play, what it expects of it, and what the action changes at once."""

    action: str
    #: The own points of the next scoring, if it took place before and after the action; null if it changes nothing.
    points: Change | None = None
    #: By how many points the bot expects to be ahead of the best other at the end (behind: negative); null: no idea.
    lead: float | None = None
    #: The chance to win, from 0 to 1; null: no idea.
    win: float | None = None
    #: 3.4: whether a tile is paid exactly, so that another action follows.
    acts_again: bool = False
    #: What is different afterwards; for a tile that is bought, where it brings most. Null for money and the like.
    changes: Preview | None = None
    #: 3.3: the tiles of the yard that fit the seat's money better afterwards, the best fit first.
    fits: list[Offer] = []
    #: What the bot would play after it in the same turn, in order: another action, where the tiles are placed.
    then: list[str] = []


class Hint(Struct):
    """What the strongest bot would do, seeing what the seat may see; at most three ideas, the best first."""

    #: The bot that was asked.
    level: str
    ideas: list[Idea]


class Analysis(Struct):
    """How far a bot has come with looking at a game that is over, and what it has found once it is done."""

    status: Literal["waiting", "thinking", "done"]
    #: From 0 to 1.
    progress: float
    #: The bot that looks.
    level: str
    #: By the number of actions played, from the set-up to the end: the chance to win of each seat.
    chances: list[list[float]]
    #: All decisions of which the bot can say what they brought, in the order of the game.
    decisions: list[Decision]
    #: By seat: the decisions that cost most, by their n, the most costly first.
    costly: list[list[int]]


class LogLine(Struct):
    """A line of the record."""

    #: The number of the message that brought it first: how many actions were played with it.
    n: int
    #: The turn in which it happened; 0 is the set-up.
    turn: int
    line: str


class Log(Struct):
    """All that has happened in the game, as the reader may see it (16); nothing that was taken back."""

    lines: list[LogLine]


class ProgramToken(Struct):
    """The token of a program, shown once: send it as `Authorization: Bearer TOKEN`."""

    name: str
    token: str


class ListedTable(Struct):
    """A public table in the list."""

    id: str
    phase: str
    edition: str
    modules: list[str]
    names: list[str]
    open: int


class TableList(Struct):
    """The public tables: those with open seats first."""

    tables: list[ListedTable]


class NameSuggestions(Struct):
    """Names for those who do not want to think of one."""

    names: list[str]


class TileFacts(Struct):
    """What is printed on a tile."""

    kind: Literal["alhambra", "granada"]
    type: str
    price: int
    #: The sides with a wall or moat, of N, E, S, W.
    walls: str
    is_hut: bool
    #: The other side of a Granada tile.
    back: str | None


class Combinations(Struct):
    """What can be combined with an edition (15): any set of the modules, one of the scorings."""

    #: The kinds of tile that it is played with.
    kinds: list[Literal["alhambra", "granada"]]
    modules: list[str]
    scorings: list[str]
    #: The possible numbers of players, ascending.
    players: list[int]


class StepFacts(Struct):
    """A step of the game at which a player chooses."""

    #: Whether it is part of a turn, if `View.deciding` is `View.turn`: the tile of a vizier is placed between turns.
    is_of_turn: bool
    #: The first words of the actions among which the player chooses.
    verbs: list[str]


class Components(Struct):
    """What is in the box: all a client has to know to draw it."""

    tiles: dict[str, TileFacts]
    types: list[str]
    currencies: list[str]
    editions: list[str]
    modules: list[str]
    scorings: list[str]
    #: What goes with each edition.
    combinations: dict[str, Combinations]
    #: The highest age that can be given.
    oldest: int
    #: The steps at which a player chooses, by the word in `View.step`.
    steps: dict[str, StepFacts]
    levels: list[Level]


class Health(Struct):
    """Whether the server works: whether its database can be written to."""

    status: Literal["ok", "unavailable"]
    version: str
    tables: int
    #: What is wrong, in a sentence; null if nothing is.
    detail: str | None = None
