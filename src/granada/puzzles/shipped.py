"""The puzzles of this package."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from granada.puzzles.files import read_packed
from granada.puzzles.puzzle import Puzzle

FILE = "puzzles.jsonl.gz"


@cache
def shipped() -> Mapping[int, Puzzle]:
    """Return the puzzles by number, in this order."""
    packed = resources.files("granada.puzzles").joinpath(FILE).read_bytes()
    found = [one for game in read_packed(packed) for one in game.puzzles]
    return MappingProxyType({one.id: one for one in sorted(found, key=lambda one: one.id)})
