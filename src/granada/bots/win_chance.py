"""Win chances without a search, fast enough to draw a curve for a whole game."""

from __future__ import annotations

import math
from typing import Final

from granada.engine.model import chances
from granada.rules.errors import BadOptions
from granada.rules.scoring import score_rows
from granada.rules.state import State

#: A lead of this many points makes a win e times as likely, at the beginning and at the end of the game.
_EARLY: Final = 40.0
_LATE: Final = 8.0
_SCORINGS: Final = ("A", "B", "C")


def quick_chances(state: State) -> list[float]:
    """Return the win chance of each seat; the sum is 1."""
    try:
        return chances(state)
    except BadOptions:  # nothing here can compute the model
        return plain_chances(state)


def plain_chances(state: State) -> list[float]:
    """Return the same from points alone: the current ones, and those of the next scoring if it took place now."""
    done = len({row.scoring for row in state.rows})
    scale = _EARLY + (_LATE - _EARLY) * done / len(_SCORINGS)
    points = [float(player.score) for player in state.players]
    if not state.is_over:
        for row in score_rows(state, _SCORINGS[min(done, 2)]):
            if row.seat >= 0:
                points[row.seat] += row.points
    weights = [math.exp((one - max(points)) / scale) for one in points]
    return [weight / sum(weights) for weight in weights]
