"""The entries of a table's event log. Only entries are stored; the state of a table is rebuilt from them."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from granada.tables.messages import DailyInfo, TableOptions


class SeatPlan(Struct, frozen=True):
    """The player of a seat; the holder is the hash of a secret."""

    kind: Literal["open", "person", "bot"] = "open"
    name: str = ""
    level: str | None = None
    holder: str | None = None
    #: The holder who left this open seat during the game, and may take it again.
    left_by: str | None = None
    #: Whether the holder is a program, which has no device to pass on.
    is_program: bool = False


class Created(Struct, tag="created", frozen=True):
    """A table was opened, optionally with a position to continue or a deal to repeat."""

    options: TableOptions
    seats: tuple[SeatPlan, ...]
    is_public: bool
    host: str
    #: The record to continue, with its header.
    opening: str | None = None
    #: The seed of the deal to repeat.
    seed: str | None = None
    previous: str | None = None
    #: Whether cards and tiles come in an order that does not depend on the actions (docs/shuffle.md).
    is_fixed_order: bool = False
    #: The daily deal, whose seats are fixed.
    daily: DailyInfo | None = None
    #: The number of the puzzle that is solved here: bots never move, and the turn does not end.
    puzzle: int | None = None
    #: Whether it is a rematch of the previous table, with the same people.
    is_rematch: bool = False


class Seated(Struct, tag="seated", frozen=True):
    """A seat was taken, left, renamed or given to a bot, by command of the holder `by`."""

    seat: int
    plan: SeatPlan
    by: str | None = None


class GameStarted(Struct, tag="started", frozen=True):
    """The game started, with the seed of its shuffle and the record lines of its set-up."""

    seed: str
    lines: tuple[str, ...]


class Played(Struct, tag="played", frozen=True):
    """A seat played an action; `lines` has the action and the events that followed."""

    seat: int
    lines: tuple[str, ...]
    by: Literal["person", "program", "bot"]


class Undone(Struct, tag="undone", frozen=True):
    """All actions after the first `n` were undone."""

    n: int


class Held(Struct, tag="held", frozen=True):
    """The last action of a turn waits to be confirmed; None: it was undone."""

    seat: int
    action: str | None


class HandedOver(Struct, tag="handed_over", frozen=True):
    """A bot took over a seat: for this turn if the clock expired, otherwise until the person returns."""

    seat: int
    reason: Literal["absent", "expired", "left"]


class Returned(Struct, tag="returned", frozen=True):
    """A person took over again from the bot."""

    seat: int


class Arrived(Struct, tag="arrived", frozen=True):
    """Hot seat: the player of a seat has the shared device, so the clock of the seat starts."""

    seat: int


class Resumed(Struct, tag="resumed", frozen=True):
    """The server is running again; the downtime is not charged to any clock.

    In a correspondence game it is the time from `since` to `until`, otherwise all time since the last entry.
    """

    since: int | None = None
    until: int | None = None


class Adopted(Struct, tag="adopted", frozen=True):
    """Two browsers became one person: what `holder` had at this table belongs to `by` from now on."""

    holder: str
    by: str


class Followed(Struct, tag="followed", frozen=True):
    """A rematch was opened at another table, by a holder, who has joined it."""

    table: str
    by: str | None = None
    same_deal: bool = False


class Joined(Struct, tag="joined", frozen=True):
    """Another player of the game joined the rematch."""

    by: str


Body = (
    Created
    | Seated
    | GameStarted
    | Played
    | Undone
    | Held
    | HandedOver
    | Returned
    | Arrived
    | Resumed
    | Adopted
    | Followed
    | Joined
)


class Entry(Struct, frozen=True):
    """A change of a table: its sequence number, its time in milliseconds, and the command that caused it."""

    table: str
    version: int
    at: int
    body: Body
    #: The key of the command (`registry.command_key`), so that a repeated command is executed only once.
    command: str | None = None


_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Body] = msgspec.json.Decoder(Body)


def encode_body(body: Body) -> str:
    """Encode a body for the store."""
    return _encoder.encode(body).decode()


def decode_body(text: str) -> Body:
    """Decode a stored body."""
    return _decoder.decode(text)


_entry_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def encode_entry(entry: Entry) -> bytes:
    """Encode an entry to send it to another process."""
    return _encoder.encode(entry)


def decode_entry(text: str) -> Entry:
    """Decode an entry that another process sent."""
    return _entry_decoder.decode(text)
