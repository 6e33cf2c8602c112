"""The outcome of a finished game for the person: what a list shows, and what can be shared without giving away play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from granada.daily.deal import SEAT
from granada.rules.leftovers import winners
from granada.rules.scoring import SCORINGS
from granada.rules.state import State
from granada.rules.stretches import MOAT, WALL
from granada.rules.tiles import GRANADA

#: Where the person was after a scoring, compared with the best other player.
Standing = Literal["behind", "level", "ahead"]


@dataclass(frozen=True)
class Outcome:
    """The result of a daily deal."""

    name: str
    points: int
    #: The lead over the best other player; negative after a loss.
    margin: int
    #: Whether the person won, alone or with others.
    won: bool
    #: After scorings A, B and C.
    course: tuple[Standing, ...]
    #: How often the person paid a tile exactly.
    exact: int
    #: The length of the longest wall; in Granada of the longest moat.
    wall: int


def outcome_of(state: State, name: str, exact: int) -> Outcome:
    """Return the outcome of a finished game."""
    scores = [player.score for player in state.players]
    stretch: Final = MOAT if state.options.kinds == (GRANADA,) else WALL
    return Outcome(
        name=name,
        points=scores[SEAT],
        margin=_lead(scores),
        won=SEAT in winners(state),
        course=tuple([_standing(_lead(_scores_after(state, scoring))) for scoring in SCORINGS]),
        exact=exact,
        wall=state.players[SEAT].city.stretch(stretch),
    )


def _lead(scores: list[int]) -> int:
    return scores[SEAT] - max([score for seat, score in enumerate(scores) if seat != SEAT])


def _scores_after(state: State, scoring: str) -> list[int]:
    """Return the points of all seats after a scoring."""
    counted = SCORINGS[: SCORINGS.index(scoring) + 1]
    scores = [0] * len(state.players)
    for row in state.rows:
        if row.scoring in counted and row.seat >= 0:
            scores[row.seat] += row.points
    return scores


def _standing(lead: int) -> Standing:
    if lead == 0:
        return "level"
    return "ahead" if lead > 0 else "behind"
