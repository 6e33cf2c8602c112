"""Which seat learns in a Gymnasium environment."""

from __future__ import annotations

from typing import TypeAlias

from granada.learning.seat_game import EVERY_SEAT
from granada.rules.errors import BadOptions

#: The number of a seat, `rotate` (the next seat in each game) or `every` (self-play: all seats in turn).
Seat: TypeAlias = int | str


def first_seat(seat: Seat) -> int:
    """Return the seat of the first game."""
    if isinstance(seat, int):
        return seat
    if seat not in ("rotate", "every"):
        raise BadOptions(f"the seat '{seat}' is none of rotate, every, or a number from 0 on (2.1)")
    return EVERY_SEAT if seat == "every" else 0
