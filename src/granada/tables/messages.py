"""Wire format: the table message, the commands of clients, and the answers to their questions.

Cards, tiles, cells, actions and record lines are strings as in docs/notation.md; seats are numbered from 1. The schemas
of the API and the types of the web client are generated from these classes.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

Seat = Annotated[int, Meta(ge=1, le=6)]
Level = Annotated[str, Meta(min_length=1, max_length=40)]
ActionText = Annotated[str, Meta(min_length=1, max_length=200)]
#: Chosen by the client for each command. A command sent again with the same id is executed only once.
CommandId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$(?!\n)")]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]


# The table as everybody sees it


class PlayerView(Struct):
    """16.1: a player's public area; the hand is null unless the table plays with open money."""

    seat: int
    score: int
    hand_size: int
    hand: list[str] | None
    #: Tile by cell, including the start tiles.
    city: dict[str, str]
    reserve: list[str]
    #: 4.1, 8.3: tiles acquired but not yet placed, including left-over tiles awarded at the end.
    to_place: list[str]
    #: 11.1: whether the vizier is active; null without the module.
    vizier: bool | None
    #: 16.2: the bonus cards in hand; null for each one that is hidden.
    bonus: list[str | None]
    revealed: list[str]
    #: Length and edges ("1,0 N") of the longest wall, moat and run.
    lengths: dict[str, int]
    traces: dict[str, list[str]]


class DirkView(Struct):
    """9: the imaginary third player."""

    score: int
    tiles: list[str]


class PointsRow(Struct):
    """7: points and what they were scored for; seat 0 is Dirk."""

    seat: int
    scoring: str
    item: str
    place: int
    points: int


class Majority(Struct):
    """7.1: a type with the number of tiles, the highest price and the rank of each seat; Dirk comes last."""

    type: str
    counts: list[int]
    highest: list[int]
    ranks: list[int]


class Unseen(Struct):
    """16: what a spectator cannot see: tiles by type, money by currency, and possible places of the score cards."""

    tiles: dict[str, int]
    money: dict[str, int]
    exchange: int
    #: For each score card still in the deck: the fewest and the most cards that can be drawn before it.
    scores: dict[str, tuple[int, int]]


class Aids(Struct):
    """Majorities, the next scoring and unseen components, to help players read the table."""

    majorities: list[Majority]
    #: The next scoring, and the points it would give if it took place now.
    next_scoring: str | None
    points: list[PointsRow]
    unseen: Unseen


class TableView(Struct):
    """16: the public part of the table."""

    turn: int
    turns: int
    #: The seat that has to decide and the step it is in (a stable word); null when the game is over.
    deciding: int | None
    step: str | None
    #: 1.9, 10.2: for each space, the tile of each kind.
    yard: list[list[str | None]]
    display: list[str]
    deck: int
    discards: int
    #: The number of tiles left in each bag.
    bags: list[int]
    #: 1.10: which side of Granada tiles is dealt next.
    marker: Literal["even", "odd"]
    #: 14.1: the face-up hut of each type, and the size of each face-down pile.
    huts: list[str | None]
    hut_piles: list[int]
    #: 4.1: tiles acquired this turn and not yet placed.
    tray: list[str]
    announced: list[str]
    players: list[PlayerView]
    dirk: DirkView | None
    #: All points scored so far.
    rows: list[PointsRow]
    winners: list[int]
    #: Null in purist mode.
    aids: Aids | None


# The private part of a seat


class Offer(Struct):
    """3.3: whether the seat can pay a tile of the yard: exactly, by overpaying at least `by`, or short of `by`."""

    tile: str
    fit: Literal["exact", "over", "short"]
    by: int
    #: The best payment; empty if the seat is short of money.
    payment: list[str]


class UnseenMoney(Struct):
    """16: the money that a seat cannot see, in the deck and in hidden hands: by currency, and exchange cards."""

    money: dict[str, int]
    exchange: int


class Own(Struct):
    """16: the private part of a seat, sent only to its holder."""

    seat: int
    hand: list[str]
    bonus: list[str]
    #: The legal actions; empty while another seat decides.
    actions: list[str]
    #: The last action of the turn, waiting to be confirmed.
    held: str | None
    may_undo: bool
    #: Null in purist mode.
    offers: list[Offer] | None
    #: Like `aids.unseen`, but without the money in this seat's hand; null in purist mode.
    unseen: UnseenMoney | None


# The table around the game


class Clock(Struct, frozen=True):
    """No clock, a fixed time per turn, a time bank with an increment per turn, or days per turn (correspondence)."""

    mode: Literal["none", "turn", "bank", "days"] = "none"
    seconds: Annotated[int, Meta(ge=5, le=86_400)] = 60
    increment: Annotated[int, Meta(ge=0, le=3_600)] = 0
    #: The days for a turn of a correspondence game.
    days: Annotated[int, Meta(ge=1, le=14)] = 3
    #: Correspondence: whether a bot plays the turn when its days are over; otherwise the other players decide.
    bot_when_over: bool = False


class TableOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The game to play, and the settings of the table."""

    edition: Literal["alhambra", "granada", "combined"] = "alhambra"
    modules: Annotated[list[Literal["vizier", "exchange", "bonus", "huts"]], Meta(max_length=4)] = []
    scoring: Literal["regular", "simplified"] = "regular"
    ages: Annotated[list[Annotated[int, Meta(ge=0, le=150)]], Meta(max_length=6)] = []
    open_money: bool = False
    aids: Literal["all", "purist"] = "all"
    clock: Clock = Clock()
    undo: bool = True
    spectators: bool = True
    #: Whether a bot takes over for an absent player, after how many seconds, and which bot; in a correspondence game
    #: only the bot counts, because nobody has to be present.
    takeover: bool = True
    grace: Annotated[int, Meta(ge=5, le=86_400)] = 60
    takeover_level: Level = "greedy"


class SeatInfo(Struct):
    """A seat and its player."""

    seat: int
    kind: Literal["open", "person", "bot"]
    name: str
    #: The bot on the seat, or the one playing for an absent person.
    level: str | None
    is_played_by_bot: bool
    is_connected: bool
    #: Whether the recipient of the message holds the seat.
    is_yours: bool
    #: 16: whether the recipient may take the seat: it is open, and they have not seen another hand of this game.
    may_sit: bool
    #: Milliseconds left when the message was created; null without a clock.
    clock: int | None
    #: Milliseconds until a bot takes over for the absent person who has to decide; null if none will.
    takeover_in: int | None


class PassingInfo(Struct):
    """Hot seat: the shared device is being passed to the seat that decides; its clock has not started yet."""

    seat: int
    #: Milliseconds until the clock starts in any case; null if it waits for the `here` command.
    left: int | None


class DailyInfo(Struct, frozen=True):
    """The daily deal that is played at a table."""

    #: Its day (UTC), as in 2026-11-18.
    date: str
    #: Whether this is the first attempt, which counts if it is finished on that day; otherwise it is practice.
    counts: bool


class RematchInfo(Struct):
    """The rematch of a finished game: whether it repeats the deal, and the seats whose players have joined it."""

    same_deal: bool
    seats: list[int]


class TableInfo(Struct):
    """The table: seats, options and everything else outside the game."""

    id: str
    is_public: bool
    phase: Literal["lobby", "playing", "over"]
    options: TableOptions
    seats: list[SeatInfo]
    is_host: bool
    spectators: int
    #: Proof of a fair shuffle: the commitment is published at the start, the seed at the end.
    commitment: str | None
    seed: str | None
    #: The table of the rematch, once there is one, and the table that this one continues.
    next: str | None
    previous: str | None
    #: Who has joined the rematch; null before somebody asks for one.
    rematch: RematchInfo | None
    #: Whether this game is a rematch, which starts when all people of the previous table have joined it.
    is_rematch: bool
    #: The number of actions that come from the record the game was continued from.
    opening: int
    #: Whether the game repeats the deal of another game, which its players already know.
    is_same_deal: bool
    #: Set while a shared device is being passed on at a table with clocks; null otherwise.
    passing: PassingInfo | None = None
    #: The daily deal that is played here; null at other tables.
    daily: DailyInfo | None = None
    #: The number of the puzzle that is solved here; null at other tables.
    puzzle: int | None = None


class Message(Struct, tag="table", tag_field="type"):
    """The complete state of a table for one recipient; sent on loading, reconnecting and after every change."""

    #: Increases with every entry of the table.
    version: int
    #: The number of actions played.
    n: int
    table: TableInfo
    view: TableView | None
    own: Own | None
    #: 16.2: record lines of what happened since the previous version, as the recipient may see them.
    events: list[str]
    #: The id of the command that this message answers; only sent to its sender.
    answers: str | None = None


class Reason(Struct, frozen=True):
    """Why an action or a record was rejected, in a form that clients can translate."""

    #: A stable word: `illegal`, or the error in a record.
    code: str
    #: What the record should contain there; for an illegal action, the code of the verdict.
    expected: str = ""
    #: The line of the record.
    line: int | None = None


class Problem(Struct, tag="problem", tag_field="type"):
    """An error with a stable code (RFC 9457 over HTTP); on a socket, the current table message follows it."""

    code: str
    detail: str
    #: The rule that forbids an illegal action.
    rule: str | None = None
    answers: str | None = None
    reason: Reason | None = None


class Reconnect(Struct, tag="reconnect", tag_field="type"):
    """The server is restarting: reconnect after the given number of milliseconds."""

    after: int


#: A quick reaction; `well` (well played) is for the end of the game.
Reaction = Literal["exact", "wall", "ouch", "think", "thanks", "luck", "well"]


class Reacted(Struct, tag="reaction", tag_field="type"):
    """A player's quick reaction, sent once to everybody who is connected and never stored."""

    seat: int
    reaction: str
    answers: str | None = None


# Commands


class Act(Struct, tag="act", tag_field="type", forbid_unknown_fields=True):
    """Play an action; with `hold`, an action that cannot be undone waits until it is confirmed."""

    id: CommandId
    n: Count
    action: ActionText
    hold: bool = False
    seat: Seat | None = None


class Confirm(Struct, tag="confirm", tag_field="type", forbid_unknown_fields=True):
    """Play the held action."""

    id: CommandId
    n: Count
    seat: Seat | None = None


class Undo(Struct, tag="undo", tag_field="type", forbid_unknown_fields=True):
    """Undo the held action, or the last action of the turn."""

    id: CommandId
    n: Count
    seat: Seat | None = None


class Restart(Struct, tag="restart", tag_field="type", forbid_unknown_fields=True):
    """Undo every action of the turn that can be undone."""

    id: CommandId
    n: Count
    seat: Seat | None = None


class Back(Struct, tag="back", tag_field="type", forbid_unknown_fields=True):
    """Take over again from the bot that plays for an absent person."""

    id: CommandId
    seat: Seat | None = None


class Here(Struct, tag="here", tag_field="type", forbid_unknown_fields=True):
    """Hot seat: start the clock of the seat that decides, because its player has the device now."""

    id: CommandId
    seat: Seat | None = None


class LetBot(Struct, tag="let_bot", tag_field="type", forbid_unknown_fields=True):
    """Correspondence: let a bot play the turn of another player whose time is over, or who has left."""

    id: CommandId
    n: Count


class Look(Struct, tag="look", tag_field="type", forbid_unknown_fields=True):
    """Request the current message for one of your seats; null: the one that decides."""

    id: CommandId
    seat: Seat | None = None


class Pace(Struct, tag="pace", tag_field="type", forbid_unknown_fields=True):
    """Choose how quickly bots play for you, as long as this socket is open; it is not answered on a socket.

    Bots wait until a turn can be read: `follow` 2.5 to 4 seconds, `quick` 1 second, `instant` not at all. They wait for
    the slowest player who is connected, or for the slowest spectator if no player is.
    """

    id: CommandId
    speed: Literal["follow", "quick", "instant"]
    #: The number of actions that you have read: bots do not wait for these any longer.
    seen: Count | None = None


class Ask(Struct, tag="ask", tag_field="type", forbid_unknown_fields=True):
    """Ask whether a change to your city is legal, on one cell or (null) on all cells."""

    id: CommandId
    how: Literal["place", "add", "swap", "remove"]
    tile: Annotated[str, Meta(max_length=40)] | None = None
    cell: Annotated[str, Meta(max_length=12)] | None = None
    seat: Seat | None = None


class React(Struct, tag="react", tag_field="type", forbid_unknown_fields=True):
    """Show a quick reaction to everybody at the table, at most one every ten seconds; only for holders of a seat."""

    id: CommandId
    reaction: Reaction
    seat: Seat | None = None


Command = Act | Confirm | Undo | Restart | Back | Here | LetBot | Look | Pace | Ask | React


# Answers to questions


class CellAnswer(Struct):
    """Whether the change is legal on a cell, and if not, why."""

    cell: str
    is_legal: bool
    rule: str | None = None
    code: str | None = None
    reason: str | None = None


class Change(Struct):
    """A value before and after."""

    before: int
    after: int


class Preview(Struct):
    """What an action would change in your city, and in everybody's points if the next scoring took place now."""

    lengths: dict[str, Change]
    #: By type: your number of tiles, your rank (0: none), and the number in all cities.
    counts: dict[str, Change]
    ranks: dict[str, Change]
    in_all: dict[str, Change]
    #: By seat number; "dirk" for Dirk.
    points: dict[str, Change]


class Answer(Struct, tag="answer", tag_field="type"):
    """The answer to `ask`; the preview is null for illegal cells, without a cell, and in purist mode."""

    answers: str
    seat: int
    tile: str | None
    cells: list[CellAnswer]
    preview: Preview | None


encoder = msgspec.json.Encoder()
command_decoder: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
