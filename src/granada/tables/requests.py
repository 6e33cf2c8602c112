"""Bodies of requests and responses other than the table message: opening tables, seats, hints, analyses."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from granada.bots.analysis import Decision
from granada.rules.options import PLAYERS
from granada.tables.levels import Level
from granada.tables.messages import Change, Count, Offer, Preview, Seat, TableOptions
from granada.tables.messages import Level as LevelName

LONGEST_NAME: Final = 40
#: Records separate names by commas; databases may reject control characters.
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=r"^[^,\x00-\x1f\x7f-\x9f]*$")]


class SeatRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What to put on a seat: nobody, a person at this browser, or a bot; without a name, one is chosen."""

    kind: Literal["open", "person", "bot"] = "open"
    name: Name | None = None
    level: LevelName | None = None


Seats = Annotated[list[SeatRequest], Meta(min_length=PLAYERS[0], max_length=PLAYERS[-1])]


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """Open a table."""

    seats: Seats
    options: TableOptions = TableOptions()
    is_public: bool = False


class SitDown(Struct, frozen=True, forbid_unknown_fields=True):
    """Take an open seat, or change the name on your seat."""

    name: Name | None = None


class Rematch(Struct, frozen=True, forbid_unknown_fields=True):
    """Play again: with a new deal, or with the same deal and everybody one seat further."""

    same_deal: bool = False


class Fork(Struct, frozen=True, forbid_unknown_fields=True):
    """Continue from a position; without `seats`, bots and you keep their seats and the others are open."""

    n: Count
    seats: Seats | None = None


class NewProgram(Struct, frozen=True, forbid_unknown_fields=True):
    """Register a program that plays."""

    name: Name


#: The most characters of a profile that is taken to another browser, and of tables that a browser brings along.
LONGEST_PROFILE: Final = 256 * 1024
MAX_BROUGHT: Final = 50


class NewIdentityCode(Struct, frozen=True, forbid_unknown_fields=True):
    """Take this browser's identity to another browser."""

    #: What the page keeps of the person, at most 262,144 characters; the server does not read it.
    profile: str = ""


class EnterIdentityCode(Struct, frozen=True, forbid_unknown_fields=True):
    """Become the person whose code it is."""

    code: Annotated[str, Meta(max_length=200)]
    #: Tables at which this browser has a seat: these become seats of the same person.
    tables: Annotated[list[Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{16}$")]], Meta(max_length=MAX_BROUGHT)] = []


class AskHint(Struct, frozen=True, forbid_unknown_fields=True):
    """Ask for a hint for one of your seats; null: the one that decides."""

    seat: Seat | None = None


class Idea(Struct):
    """A recommended action, the result the bot expects from it, and its immediate effects."""

    action: str
    #: Your points if the next scoring took place before and after the action; null if they are equal.
    points: Change | None = None
    #: Expected lead over the best opponent at the end of the game, in points; null if the bot has no estimate.
    lead: float | None = None
    #: Probability of winning, from 0 to 1; null if the bot has no estimate.
    win: float | None = None
    #: 3.4: whether a tile is paid exactly, which gives another action.
    acts_again: bool = False
    #: The effects of the action; for a bought tile, on the cell where it scores most. Null for other actions.
    changes: Preview | None = None
    #: 3.3: tiles of the yard that you can pay better after taking money, best fit first.
    fits: list[Offer] = []
    #: The following actions of the same turn, in order: another action, and where to place the tiles.
    then: list[str] = []


class Hint(Struct):
    """Up to three recommended actions, best first; the bot knows only what the seat may see."""

    #: The bot that gave the hint.
    level: str
    ideas: list[Idea]


class Analysis(Struct):
    """The progress of the analysis of a finished game, and its result once it is done."""

    status: Literal["waiting", "thinking", "done"]
    #: From 0 to 1.
    progress: float
    #: The bot that analyses the game.
    level: str
    #: Each seat's probability of winning after n actions, from the set-up to the end.
    chances: list[list[float]]
    #: All decisions that the bot could evaluate, in the order of the game.
    decisions: list[Decision]
    #: By seat: the n of its most costly decisions, the most costly first.
    costly: list[list[int]]


class BestTurn(Struct):
    """The turn after which a seat had gained the most points if the next scoring had taken place at once."""

    #: The number of actions played before and after the turn.
    n: int
    end: int
    turn: int
    #: The points of the seat in this scoring after the turn, minus those before; points of others are not counted.
    gain: int
    scoring: str
    #: The tiles that came into the city in the turn, and the number of exact payments (3.4).
    tiles: list[str]
    exact: int


class SeatFacts(Struct):
    """The facts of a seat in a finished game."""

    seat: int
    score: int
    #: 8.4: by points among the players, without Dirk; equal points share a rank.
    rank: int
    #: 7: points over all scorings by item; items without points are left out.
    points: dict[str, int]
    #: 3.4: exact payments that gave another action; a purchase with the vizier (11.2) does not.
    exact: int
    #: All purchases, including those with the vizier.
    purchases: int
    #: 3.3: the sum of what was paid above the prices.
    overpaid: int
    #: 7.2, 10.7: the length of the longest wall, moat and run at the end.
    longest: dict[str, int]
    #: The tiles in the city at the end, without the start tiles.
    tiles: int
    #: Null if no turn gained a point.
    best_turn: BestTurn | None


class SourceFact(Struct, tag="source", tag_field="kind"):
    """An item that gave a seat more points over all scorings than another one: its rival, or the other way round.

    The rival of the winner is the second, that of all others is the winner.
    """

    item: str
    rival: int
    own_points: int
    rival_points: int


class TileFact(Struct, tag="tile", tag_field="kind"):
    """A near chance: with this tile in its city at scoring C, the seat would have won.

    The tile was in the city of another seat, or (null) on the yard or in the seat's own reserve; walls don't count.
    """

    item: str
    tile: str
    holder: int | None


class LengthFact(Struct, tag="length", tag_field="kind"):
    """A near chance: with a wall (or moat) that is this many edges longer at scoring C, the seat would have won."""

    item: str
    more: int
    length: int


class PaymentFact(Struct, tag="payment", tag_field="kind"):
    """The number of exact payments (3.4), or the sum of what was overpaid (3.3), of all seats."""

    sort: Literal["exact", "overpaid"]
    counts: list[int]


class BestTurnFact(Struct, tag="best_turn", tag_field="kind"):
    """The best turn of the seat."""

    best_turn: BestTurn


Fact = SourceFact | TileFact | LengthFact | PaymentFact | BestTurnFact


class GameFacts(Struct):
    """The facts of a finished game, and what decided it."""

    turns: int
    #: Minutes between the start and the end of the game, and the time of its end in milliseconds since 1970; null if
    #: it was not played at this table.
    minutes: int | None
    ended_at: int | None
    seats: list[SeatFacts]
    #: For each seat up to three facts, the most important first; a seat that did not win starts with its near chance.
    deciding: list[list[Fact]]


class LogLine(Struct):
    """A line of the record."""

    #: The number of actions played, including this one.
    n: int
    #: The number of the turn; 0 is the set-up.
    turn: int
    line: str


class Log(Struct):
    """16: the record of the game so far, as the caller may see it, without undone actions."""

    lines: list[LogLine]


class IdentityCode(Struct):
    """A code that takes an identity to another browser, once."""

    code: str
    #: Seconds for which it is valid.
    seconds: int


class Identity(Struct):
    """The identity that this browser has from now on."""

    #: The profile as the other browser has sent it.
    profile: str
    #: The tables of this browser that became the person's.
    tables: list[str]


class ProgramToken(Struct):
    """The token of a program, shown once: send it as `Authorization: Bearer TOKEN`."""

    name: str
    token: str


class OwnTable(Struct):
    """A table at which the caller has a seat, or which they opened."""

    id: str
    phase: str
    edition: str
    modules: list[str]
    #: The names and kinds (`open`, `person`, `bot`) of all seats.
    names: list[str]
    kinds: list[str]
    #: The caller's seats, counted from 1.
    seats: list[int]
    #: The number of turns played, and the seat that decides; null if the game is not running.
    turn: int
    deciding: int | None
    is_your_turn: bool
    #: Correspondence: the days for a turn, and the milliseconds that the seat that decides has left; otherwise null.
    days: int | None
    left: int | None
    #: Milliseconds since the decision passed to that seat, or something else here changed.
    since: int


class OwnTables(Struct):
    """The caller's tables: those that are not over first, then the newest."""

    tables: list[OwnTable]


class ListedTable(Struct):
    """A public table in the list."""

    id: str
    phase: str
    edition: str
    modules: list[str]
    names: list[str]
    open: int
    #: The number of turns played, and the seat that decides; null if they are not known.
    turn: int | None = None
    deciding: int | None = None
    #: The days for a turn of a correspondence game; null for others.
    days: int | None = None
    #: Whether people without a seat may watch.
    spectators: bool = True


class TableList(Struct):
    """The public tables, those with open seats first."""

    tables: list[ListedTable]


class NameSuggestions(Struct):
    """Suggested names for players."""

    names: list[str]


class TileFacts(Struct):
    """What is printed on a tile."""

    kind: Literal["alhambra", "granada"]
    type: str
    price: int
    #: The sides with a wall or moat, of N, E, S, W.
    walls: str
    is_hut: bool
    #: The other side of a Granada tile; null for other tiles.
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


class ComponentFacts(Struct):
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
    """The status of the server; it is `ok` if its database can be written to."""

    status: Literal["ok", "unavailable"]
    version: str
    tables: int
    #: What is wrong; null if the status is `ok`.
    detail: str | None = None
