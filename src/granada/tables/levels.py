"""The bots that a table offers: the levels, the personalities, and those that others have added."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Final, Literal

from msgspec import Struct

from granada.bots import BOTS, LEVELS, PERSONALITIES

#: What the ladder of the arena writes: name to rating. A program without it knows no ratings.
_RATINGS: Final = "ratings.json"
#: What these have learned is used by NumPy, which not everybody has.
_LEARNED: Final = ("strongest",)


class Level(Struct, frozen=True):
    """A bot that can be put on a seat, by its name in BOTS."""

    id: str
    #: How strong it plays, on the scale of the ladder; null where that was not measured.
    rating: int | None
    #: One of the levels, each stronger than the one before; one with a mind of its own; or one that others have made.
    kind: Literal["level", "personality", "other"]


def levels() -> list[Level]:
    """All bots: the levels from friendly to strong, then the personalities, then those of others."""
    ours = (*LEVELS, *PERSONALITIES)
    others = [name for name in BOTS if name not in ours]
    return [Level(name, ratings().get(name), _kind(name)) for name in (*ours, *others) if is_level(name)]


def strongest() -> str:
    """The strongest level: the one that gives hints and looks at games that are over."""
    return [name for name in LEVELS if is_level(name)][-1]


def is_level(word: str) -> bool:
    """Whether there is such a bot, and it can think here."""
    return word in BOTS and (word not in _LEARNED or _has_numpy())


def spec_of(level: str, seconds: float, nodes: int = 0) -> str:
    """A level that thinks so long about a decision, or looks at so many positions (0: as many as it can).

    Those that decide at once do so all the same.
    """
    time = f"{seconds:.3f}".rstrip("0").rstrip(".")
    return f"{level}:{time}s:{nodes}n" if nodes else f"{level}:{time}s"


@cache
def _has_numpy() -> bool:
    """Whether bots can use NumPy; it is not loaded for that, for only the processes of bots need it."""
    return find_spec("numpy") is not None


@cache
def ratings() -> dict[str, int]:
    """The ratings that were measured last; none if there is no such file."""
    path = files("granada.bots") / _RATINGS
    if not path.is_file():
        return {}
    return {name: round(rating) for name, rating in json.loads(path.read_text("utf-8")).items()}


def _kind(name: str) -> Literal["level", "personality", "other"]:
    if name in LEVELS:
        return "level"
    return "personality" if name in PERSONALITIES else "other"
