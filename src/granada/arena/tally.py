"""The figures of many games: wins with their uncertainty, points by item and scoring, turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import Final

from granada.arena.simulation import Result
from granada.rules.events import DIRK
from granada.rules.options import Options
from granada.rules.scoring import SCORINGS
from granada.rules.tiles import ALHAMBRA, ALHAMBRA_TYPES, GRANADA, GRANADA_TYPES

#: Wins are counted in parts of this size: it can be shared by any number of winners without a rest.
WHOLE_WIN: Final = 60
#: How many standard deviations hold 95 % of a normal distribution.
DEVIATIONS: Final = 1.959964


def items_of(options: Options) -> list[str]:
    """7.1, 10.7: everything that can score in a game, in scoring order."""
    items: list[str] = []
    if ALHAMBRA in options.kinds:
        items.append("wall")
    if GRANADA in options.kinds:
        items.append("moat")
    if len(options.kinds) > 1:
        items.append("run")
    if ALHAMBRA in options.kinds:
        items += ALHAMBRA_TYPES
    if GRANADA in options.kinds:
        items += GRANADA_TYPES
    return items


def wilson(wins: float, games: float, deviations: float = DEVIATIONS) -> tuple[float, float]:
    """The 95 % interval of a rate by Wilson's formula, which stays between 0 and 1 also for few games."""
    if not games:
        return (0.0, 1.0)
    rate, z2 = wins / games, deviations**2
    middle = rate + z2 / (2 * games)
    spread = deviations * sqrt(rate * (1 - rate) / games + z2 / (4 * games * games))
    scale = 1 + z2 / games
    return (max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


class Tally:
    """Sums over games; wins, points and turns are those of the finished ones alone."""

    def __init__(self, options: Options) -> None:
        self.items: Final = items_of(options)
        #: The seats, and DIRK if he plays (9.2).
        self.seats: Final = [*range(options.players), *([DIRK] if options.players == 2 else [])]
        self.games = 0
        self.finished = 0
        self.decisions = 0
        self.turns = 0
        self._wins: Final[Counter[int]] = Counter()
        self._shared: Final[Counter[int]] = Counter()
        self._points: Final[Counter[tuple[int, str, str]]] = Counter()

    def add(self, result: Result) -> None:
        """Count one game."""
        self.games += 1
        self.decisions += result.decisions
        if not result.is_finished:
            return
        self.finished += 1
        self.turns += result.turns
        for seat in result.winners:
            self._wins[seat] += WHOLE_WIN // len(result.winners)
            self._shared[seat] += len(result.winners) > 1
        for seat, scoring, item, points in result.points:
            self._points[seat, scoring, item] += points

    @property
    def unfinished(self) -> int:
        """3.7: how many games were stopped."""
        return self.games - self.finished

    def wins(self, seat: int) -> float:
        """8.4: the victories of a seat; one that k players share counts 1/k for each."""
        return self._wins[seat] / WHOLE_WIN

    def shared_wins(self, seat: int) -> int:
        """8.4: in how many games a seat shared the victory."""
        return self._shared[seat]

    def win_rate(self, seat: int) -> float:
        """The part of the finished games that a seat won."""
        return self.mean(self.wins(seat))

    def interval(self, seat: int) -> tuple[float, float]:
        """The 95 % interval of the win rate."""
        return wilson(self.wins(seat), self.finished)

    def points(self, seat: int, scorings: Sequence[str] = SCORINGS, items: Sequence[str] = ()) -> float:
        """The mean points of a seat in some scorings for some items (all, if none is named)."""
        names = items or self.items
        return self.mean(sum([self._points[seat, scoring, item] for scoring in scorings for item in names]))

    def mean(self, amount: float) -> float:
        """An amount divided by the finished games; 0 if there are none."""
        return amount / self.finished if self.finished else 0.0
