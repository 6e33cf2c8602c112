"""The levels of bots that a table offers."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from granada.bots import BOTS

#: The friendliest levels, in this order; every other bot is stronger, and they follow in the order of BOTS.
_FRIENDLIEST: Final = ("random", "greedy")


class Level(Struct, frozen=True):
    """A level, by the name of its bot in BOTS."""

    id: str


def levels() -> list[Level]:
    """All levels, from friendly to strong."""
    others = [name for name in BOTS if name not in _FRIENDLIEST]
    return [Level(name) for name in (*_FRIENDLIEST, *others)]


def is_level(word: str) -> bool:
    """Whether there is such a level."""
    return word in BOTS
