"""The bots that can play at a table: levels, personalities and third-party bots."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from msgspec import Struct

from granada.bots import BOTS, LEVELS, PERSONALITIES
from granada.rules.errors import BadOptions

#: Ratings by name, written by the arena's ladder; optional.
_RATINGS: Final = "ratings.json"


class Level(Struct, frozen=True):
    """A bot, by its name in BOTS."""

    id: str
    #: Its rating on the scale of the arena's ladder; null if it was not measured.
    rating: int | None
    #: `level`: a level of strength; `personality`: a bot with its own style; `other`: a third-party bot.
    kind: Literal["level", "personality", "other"]


def levels() -> list[Level]:
    """Return all bots: levels from weak to strong, then personalities, then third-party bots."""
    ours = (*LEVELS, *PERSONALITIES)
    others = [name for name in BOTS if name not in ours]
    return [Level(name, ratings().get(name), _kind(name)) for name in (*ours, *others) if is_level(name)]


def strongest() -> str:
    """Return the strongest level, which gives hints and analyses finished games."""
    return [name for name in LEVELS if is_level(name)][-1]


def is_level(word: str) -> bool:
    """Return whether a bot exists and can run here."""
    if word not in BOTS:
        return False
    try:
        BOTS[word].check_needs()
    except BadOptions:
        return False
    return True


def spec_of(level: str, seconds: float, nodes: int = 0) -> str:
    """Return the spec of a level with limits of seconds and (unless 0) nodes per decision."""
    time = f"{seconds:.3f}".rstrip("0").rstrip(".")
    return f"{level}:{time}s:{nodes}n" if nodes else f"{level}:{time}s"


@cache
def ratings() -> dict[str, int]:
    """Return the measured ratings; empty if there is no file."""
    path = files("granada.bots") / _RATINGS
    if not path.is_file():
        return {}
    return {name: round(rating) for name, rating in json.loads(path.read_text("utf-8")).items()}


def _kind(name: str) -> Literal["level", "personality", "other"]:
    if name in LEVELS:
        return "level"
    return "personality" if name in PERSONALITIES else "other"
