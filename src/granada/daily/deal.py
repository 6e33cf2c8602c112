"""The deal of a day: its seed, its options, its bots and its set-up follow from the edition and the date."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from hashlib import sha256
from typing import Final

from granada.records.shuffle import FixedOrder, commitment
from granada.rules.options import Options
from granada.rules.setup import new_game
from granada.rules.state import State

#: D1: the prefix of the text whose hash is the seed.
_PREFIX: Final = "granada-daily-1"
#: D2: the bots on seats 2 and 3 by weekday, from Monday; they get stronger during the week. None of them searches, so
#: all decide at once and, with the same seed, in the same way on every machine.
BOTS: Final = (
    ("greedy", "mason"),
    ("greedy", "courtier"),
    ("mason", "courtier"),
    ("builder", "greedy"),
    ("builder", "mason"),
    ("builder", "courtier"),
    ("builder", "builder"),
)
#: D2: the seat of the person, from 0.
SEAT: Final = 0
#: Deals kept in memory: three editions for some weeks.
_KEPT: Final = 120


@dataclass(frozen=True)
class DailyDeal:
    """The deal of an edition and a day."""

    edition: str
    day: date

    @property
    def seed(self) -> str:
        """D1: the seed of the shuffle; anyone can compute it."""
        return sha256(f"{_PREFIX}:{self.edition}:{self.day.isoformat()}".encode("ascii")).hexdigest()

    @property
    def commitment(self) -> str:
        """The commitment to the seed."""
        return commitment(self.seed)

    @property
    def bots(self) -> tuple[str, ...]:
        """D2: the levels of the bots, from seat 2 on."""
        return BOTS[self.day.weekday()]

    @property
    def options(self) -> Options:
        """D2: the options of the game."""
        return Options(self.edition, 1 + len(self.bots))

    def opening(self) -> State:
        """Return the game after its set-up, which must not be changed."""
        return _opening(self)

    def __str__(self) -> str:
        return f"{self.edition} of {self.day.isoformat()}"


@lru_cache(_KEPT)
def _opening(deal: DailyDeal) -> State:
    return new_game(deal.options, FixedOrder(deal.seed))
