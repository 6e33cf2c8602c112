"""What goes over the wire: the one message to a client, the commands from it, questions and answers.

Cards, tiles, cells, actions and record lines are texts as in docs/notation.md; seats are counted from 1, as there. The
schemas of the API and the types of the web client are made from these classes.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

Seat = Annotated[int, Meta(ge=1, le=6)]
Level = Annotated[str, Meta(min_length=1, max_length=40)]
ActionText = Annotated[str, Meta(min_length=1, max_length=200)]
#: Made by a client for each command; the same one again is the same command.
CommandId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$(?!\n)")]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]


# The table, seen by everybody


class PlayerView(Struct):
    """What lies before a player; the hand only where the table plays with open money (16.1)."""

    seat: int
    score: int
    hand_size: int
    hand: list[str] | None
    #: Cell to tile; the start tiles are among them.
    city: dict[str, str]
    reserve: list[str]
    #: 4.1, 8.3: tiles acquired and not yet placed; left-over tiles wait here until their owner is next to place.
    to_place: list[str]
    #: 11.1: whether the vizier is active; null without that module.
    vizier: bool | None
    #: 16.2: the bonus cards in hand, null for each that not everybody has seen.
    bonus: list[str | None]
    revealed: list[str]
    #: The longest wall, moat and run: how long, and which edges ("1,0 N").
    lengths: dict[str, int]
    traces: dict[str, list[str]]


class DirkView(Struct):
    """9: the imaginary third player."""

    score: int
    tiles: list[str]


class PointsRow(Struct):
    """7: points with their reason; seat 0 is Dirk."""

    seat: int
    scoring: str
    item: str
    place: int
    points: int


class Majority(Struct):
    """7.1: a type with the number of tiles, the highest price and the rank of each seat, and then of Dirk."""

    type: str
    counts: list[int]
    highest: list[int]
    ranks: list[int]


class Unseen(Struct):
    """16: what a spectator cannot see: tiles by type, money by currency, and where score cards can lie."""

    tiles: dict[str, int]
    money: dict[str, int]
    exchange: int
    #: For each score card that is to come: the fewest and the most cards that can be drawn before it.
    scores: dict[str, tuple[int, int]]


class Aids(Struct):
    """What helps to read the table; null for the whole table in purist mode."""

    majorities: list[Majority]
    #: The points of the next scoring, if it took place now.
    next_scoring: str | None
    points: list[PointsRow]
    unseen: Unseen


class View(Struct):
    """16: the table as everybody may see it."""

    turn: int
    turns: int
    #: The seat that has to decide, and what (a stable word); null when the game is over.
    deciding: int | None
    step: str | None
    #: 1.9, 10.2: space by space, in each the tile of each kind.
    yard: list[list[str | None]]
    display: list[str]
    deck: int
    discards: int
    #: How many tiles are left in the bag of each kind.
    bags: list[int]
    #: 1.10: which face of Granada tiles is dealt next.
    marker: Literal["even", "odd"]
    #: 14.1: the face-up hut of each type, and how many lie below.
    huts: list[str | None]
    hut_piles: list[int]
    #: 4.1: tiles acquired and not yet placed.
    tray: list[str]
    announced: list[str]
    players: list[PlayerView]
    dirk: DirkView | None
    #: All points so far.
    rows: list[PointsRow]
    winners: list[int]
    aids: Aids | None


# What one seat sees in addition


class Offer(Struct):
    """3.3: a tile of the yard and the seat's money: exact, over by the least that can be overpaid, or short."""

    tile: str
    fit: Literal["exact", "over", "short"]
    by: int
    #: The best payment, empty if it is short.
    payment: list[str]


class UnseenMoney(Struct):
    """16: the money that a seat cannot see: in the deck and in hidden hands, by currency, and exchange cards."""

    money: dict[str, int]
    exchange: int


class Own(Struct):
    """What only the holder of a seat may see."""

    seat: int
    hand: list[str]
    bonus: list[str]
    #: What the seat may play now; empty while another seat decides.
    actions: list[str]
    #: The last action of the turn, held until it is confirmed.
    held: str | None
    may_undo: bool
    #: None in purist mode.
    offers: list[Offer] | None
    #: As `aids.unseen`, without the reader's hand; None in purist mode.
    unseen: UnseenMoney | None


# The table around the game


class Clock(Struct, frozen=True):
    """No clock, so many seconds a turn, or a bank with an increment a turn."""

    mode: Literal["none", "turn", "bank"] = "none"
    seconds: Annotated[int, Meta(ge=5, le=86_400)] = 60
    increment: Annotated[int, Meta(ge=0, le=3_600)] = 0


class TableOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What is played, and how the table plays it."""

    edition: Literal["alhambra", "granada", "combined"] = "alhambra"
    modules: Annotated[list[Literal["vizier", "exchange", "bonus", "huts"]], Meta(max_length=4)] = []
    scoring: Literal["regular", "simplified"] = "regular"
    ages: Annotated[list[Annotated[int, Meta(ge=0, le=150)]], Meta(max_length=6)] = []
    open_money: bool = False
    aids: Literal["all", "purist"] = "all"
    clock: Clock = Clock()
    undo: bool = True
    spectators: bool = True
    #: Whether a bot plays for a person who is away, after so many seconds, and which.
    takeover: bool = True
    grace: Annotated[int, Meta(ge=5, le=86_400)] = 60
    takeover_level: Level = "greedy"


class SeatInfo(Struct):
    """Who sits on a seat."""

    seat: int
    kind: Literal["open", "person", "bot"]
    name: str
    #: The bot on the seat, or the one that plays for a person who is away.
    level: str | None
    is_played_by_bot: bool
    is_connected: bool
    #: Whether the reader of the message holds it.
    is_yours: bool
    #: Whether the reader may sit down on it: it is open, and they have seen no other hand of this game (16).
    may_sit: bool
    #: Milliseconds left when the message was made; null without a clock.
    clock: int | None
    #: Milliseconds until a bot takes over for a person who is away and has to decide; null if none will.
    takeover_in: int | None


class PassingInfo(Struct):
    """Hot seat: a device is being passed to the seat that decides, whose clock waits until its player is there."""

    seat: int
    #: Milliseconds after which the clock starts in any case; null: it waits for as long as it takes.
    left: int | None


class TableInfo(Struct):
    """The table around the game."""

    id: str
    is_public: bool
    phase: Literal["lobby", "playing", "over"]
    options: TableOptions
    seats: list[SeatInfo]
    is_host: bool
    spectators: int
    #: The proof of the shuffle: published at the start, and at the end.
    commitment: str | None
    seed: str | None
    #: The table of the rematch, once there is one; and the one that this table came from.
    next: str | None
    previous: str | None
    #: How many actions were taken over from another record.
    opening: int
    #: Whether the luck is that of another game, which those who played it know.
    is_same_deal: bool
    #: At tables with clocks: where a device is being passed to; null if none is.
    passing: PassingInfo | None = None


class Message(Struct, tag="table", tag_field="type"):
    """The one message, always whole: load, reload, reconnect, watch and replay are the same."""

    #: Grows with everything that happens at the table.
    version: int
    #: How many actions were played.
    n: int
    table: TableInfo
    view: View | None
    own: Own | None
    #: Record lines of what happened since the version before, as the reader may see them.
    events: list[str]
    #: The command that this answers, for its sender.
    answers: str | None = None


class Reason(Struct, frozen=True):
    """Why an action or a record is refused, for sentences in any language."""

    #: A stable word: `illegal`, or what is wrong with a record.
    code: str
    #: What the record should say there; of what the rules forbid, the code of the verdict.
    expected: str = ""
    #: The line of the record.
    line: int | None = None


class Problem(Struct, tag="problem", tag_field="type"):
    """An error with a stable code (RFC 9457 over HTTP); over the socket the current message follows."""

    code: str
    detail: str
    #: The rule that forbids an illegal action.
    rule: str | None = None
    answers: str | None = None
    reason: Reason | None = None


class Farewell(Struct, tag="reconnect", tag_field="type"):
    """The server goes down and comes back: connect again after so many milliseconds."""

    after: int


# Commands


class Act(Struct, tag="act", tag_field="type", forbid_unknown_fields=True):
    """Play an action; if `hold`, one that cannot be undone waits until it is confirmed."""

    id: CommandId
    n: Count
    action: ActionText
    hold: bool = False
    seat: Seat | None = None


class Confirm(Struct, tag="confirm", tag_field="type", forbid_unknown_fields=True):
    """Play the action that is held."""

    id: CommandId
    n: Count
    seat: Seat | None = None


class Undo(Struct, tag="undo", tag_field="type", forbid_unknown_fields=True):
    """Take back the action that is held, or the last one of the own turn."""

    id: CommandId
    n: Count
    seat: Seat | None = None


class Restart(Struct, tag="restart", tag_field="type", forbid_unknown_fields=True):
    """Take back all that can be taken back of the own turn."""

    id: CommandId
    n: Count
    seat: Seat | None = None


class Back(Struct, tag="back", tag_field="type", forbid_unknown_fields=True):
    """Take the own seat back from the bot that plays for it."""

    id: CommandId
    seat: Seat | None = None


class Here(Struct, tag="here", tag_field="type", forbid_unknown_fields=True):
    """Hot seat: the player of the seat that decides has the device now, so the clock of that seat starts."""

    id: CommandId
    seat: Seat | None = None


class Look(Struct, tag="look", tag_field="type", forbid_unknown_fields=True):
    """Ask for the current message, seen from another of the own seats or (null) from the one that decides."""

    id: CommandId
    seat: Seat | None = None


class Ask(Struct, tag="ask", tag_field="type", forbid_unknown_fields=True):
    """Ask the rules about the own city: without a cell about all cells."""

    id: CommandId
    how: Literal["place", "add", "swap", "remove"]
    tile: Annotated[str, Meta(max_length=40)] | None = None
    cell: Annotated[str, Meta(max_length=12)] | None = None
    seat: Seat | None = None


Command = Act | Confirm | Undo | Restart | Back | Here | Look | Ask


# Answers of the rules


class CellAnswer(Struct):
    """Whether a tile may be built on a cell, taken from it or swapped there, and why not."""

    cell: str
    is_legal: bool
    rule: str | None = None
    code: str | None = None
    reason: str | None = None


class Change(Struct):
    """Something that a placement would change: `wall`, a type, a rank, the points of a seat."""

    before: int
    after: int


class Preview(Struct):
    """What a placement would change in the own city, and for everybody if the next scoring came now."""

    lengths: dict[str, Change]
    #: By type: the own number, the own rank (0: none) and the number in all cities.
    counts: dict[str, Change]
    ranks: dict[str, Change]
    in_all: dict[str, Change]
    #: By seat; "dirk" for Dirk.
    points: dict[str, Change]


class Answer(Struct, tag="answer", tag_field="type"):
    """The answer to a question; the preview is null on illegal cells, without a cell and in purist mode."""

    answers: str
    seat: int
    tile: str | None
    cells: list[CellAnswer]
    preview: Preview | None


encoder = msgspec.json.Encoder()
command_decoder: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
