"""What happens at a table, entry by entry: the table is the sum of its entries, and they are all that is stored."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from granada.tables.messages import TableOptions


class SeatPlan(Struct, frozen=True):
    """Who is to sit on a seat; the holder is the hash of a secret."""

    kind: Literal["open", "person", "bot"] = "open"
    name: str = ""
    level: str | None = None
    holder: str | None = None
    #: Who stood up from an open seat during the game, and may sit down on it again.
    left_by: str | None = None
    #: Whether the holder is a program: it has no device that people pass on.
    is_program: bool = False


class Created(Struct, tag="created", frozen=True):
    """A table was opened, perhaps with a position to play on from or a deal to play again."""

    options: TableOptions
    seats: tuple[SeatPlan, ...]
    is_public: bool
    host: str
    #: The record that is played on from, with its header.
    opening: str | None = None
    #: The seed of a deal that is played again.
    seed: str | None = None
    previous: str | None = None


class Seated(Struct, tag="seated", frozen=True):
    """A seat was taken, left, renamed or given to a bot."""

    seat: int
    plan: SeatPlan
    #: The holder whose command it was.
    by: str | None = None


class Started(Struct, tag="started", frozen=True):
    """The game began: the seed of its luck, and the lines of its set-up."""

    seed: str
    lines: tuple[str, ...]


class Played(Struct, tag="played", frozen=True):
    """A seat played an action: its line and those of what followed."""

    seat: int
    lines: tuple[str, ...]
    by: Literal["person", "program", "bot"]


class Undone(Struct, tag="undone", frozen=True):
    """Actions were taken back, to this number of actions played."""

    n: int


class Held(Struct, tag="held", frozen=True):
    """The last action of a turn waits to be confirmed; None: it was taken back."""

    seat: int
    action: str | None


class HandedOver(Struct, tag="handed_over", frozen=True):
    """A bot plays for a seat: for this turn after the clock expired, otherwise until the person is back."""

    seat: int
    reason: Literal["absent", "expired", "left"]


class Returned(Struct, tag="returned", frozen=True):
    """A person plays again on the own seat."""

    seat: int


class Arrived(Struct, tag="arrived", frozen=True):
    """The player of a seat has the device that several seats share: the clock of the seat starts."""

    seat: int


class Resumed(Struct, tag="resumed", frozen=True):
    """The server is back: the time of its absence is nobody's."""


class Followed(Struct, tag="followed", frozen=True):
    """There is a rematch."""

    table: str


Body = Created | Seated | Started | Played | Undone | Held | HandedOver | Returned | Arrived | Resumed | Followed


class Entry(Struct, frozen=True):
    """Something that happened at a table: the how manieth, when (milliseconds), by which command."""

    table: str
    version: int
    at: int
    body: Body
    #: The holder and the id of the command, so that the same one is never obeyed twice.
    command: str | None = None


_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Body] = msgspec.json.Decoder(Body)


def encode_body(body: Body) -> str:
    """The text that is stored."""
    return _encoder.encode(body).decode()


def decode_body(text: str) -> Body:
    """What was stored."""
    return _decoder.decode(text)


_entry_decoder: msgspec.json.Decoder[Entry] = msgspec.json.Decoder(Entry)


def encode_entry(entry: Entry) -> bytes:
    """An entry as processes send it to each other."""
    return _encoder.encode(entry)


def decode_entry(text: str) -> Entry:
    """An entry that another process sent."""
    return _entry_decoder.decode(text)
