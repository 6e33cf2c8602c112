"""The results of a simulation by seat: wins with their uncertainty, points by item and scoring, turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from granada.arena.intervals import wilson
from granada.arena.outcome import FINISHED, GameOutcome
from granada.rules.events import DIRK
from granada.rules.options import Options
from granada.rules.scoring import SCORINGS
from granada.rules.tiles import ALHAMBRA, ALHAMBRA_TYPES, GRANADA, GRANADA_TYPES

#: A win in integer units that any number of winners can share without a remainder.
WHOLE_WIN: Final = 60


def items_of(options: Options) -> list[str]:
    """7.1, 10.7: return everything that can score in a game, in scoring order."""
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


class Tally:
    """Sums over games; wins, points and turns count finished games only."""

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

    def add(self, outcome: GameOutcome) -> None:
        """Count one game."""
        self.games += 1
        self.decisions += outcome.decisions
        if outcome.end != FINISHED:
            return
        self.finished += 1
        self.turns += outcome.turns
        for seat in outcome.winners:
            self._wins[seat] += WHOLE_WIN // len(outcome.winners)
            self._shared[seat] += len(outcome.winners) > 1
        for seat, scoring, item, points in outcome.points:
            self._points[seat, scoring, item] += points

    @property
    def unfinished(self) -> int:
        """3.7: the number of games that were stopped."""
        return self.games - self.finished

    def wins(self, seat: int) -> float:
        """8.4: return the victories of a seat; a victory shared by k players counts 1/k for each."""
        return self._wins[seat] / WHOLE_WIN

    def shared_wins(self, seat: int) -> int:
        """8.4: return the number of games in which a seat shared the victory."""
        return self._shared[seat]

    def win_rate(self, seat: int) -> float:
        """Return the share of finished games that a seat won."""
        return self.mean(self.wins(seat))

    def interval(self, seat: int) -> tuple[float, float]:
        """Return the 95 % interval of the win rate."""
        return wilson(self.wins(seat), self.finished)

    def points(self, seat: int, scorings: Sequence[str] = SCORINGS, items: Sequence[str] = ()) -> float:
        """Return the mean points of a seat in some scorings for some items (default: all)."""
        names = items or self.items
        return self.mean(sum([self._points[seat, scoring, item] for scoring in scorings for item in names]))

    def mean(self, amount: float) -> float:
        """Return an amount divided by the finished games; 0 if there are none."""
        return amount / self.finished if self.finished else 0.0
