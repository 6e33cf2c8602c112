"""Games of quick play against itself, from which the model learns: positions in numbers, and how they ended."""

from __future__ import annotations

from typing import Final, final

from granada.engine.evaluation import Outlook, lead_of
from granada.engine.features import features
from granada.engine.policy import Policy
from granada.engine.standing import Standing
from granada.engine.weights import Weights
from granada.rules.chance import Chance
from granada.rules.leftovers import victory
from granada.rules.options import Options
from granada.rules.setup import new_game

#: 3.7: no game of quick play lasts longer.
_MAX_TURNS: Final = 400


@final
class Lesson:
    """A position from a seat, and what came of it: its lead at the end, and its share of the victory."""

    __slots__ = ("features", "lead", "seat", "win")

    def __init__(self, found: list[float], seat: int) -> None:
        self.features: Final = found
        self.seat: Final = seat
        self.lead = 0.0
        self.win = 0.0


def play_lessons(options: Options, tempers: list[Weights], chance: Chance, every: int) -> list[Lesson]:
    """Play a game in which each seat has a temper of its own; every so many turns all seats look at the position."""
    state = new_game(options, chance)
    policies = [Policy(state, temper) for temper in tempers]
    neutral = Weights()
    lessons: list[Lesson] = []
    seen = chance.below(every)
    while not state.is_over and state.turns < _MAX_TURNS:
        if state.turns >= seen:
            seen = state.turns + 1 + chance.below(2 * every)
            outlook = Outlook(Standing(state, neutral))
            for seat in range(len(state.players)):
                lessons.append(Lesson(features(outlook, seat), seat))
        seat = state.seat
        action = policies[seat].choose()
        state.play(action, chance)
        for policy in policies:
            policy.follow(seat, action)
    totals = [float(player.score) for player in state.players]
    wins = victory(state)
    for lesson in lessons:
        lesson.lead = lead_of(totals, lesson.seat)
        lesson.win = wins[lesson.seat]
    return lessons
