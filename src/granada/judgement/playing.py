"""Playing ahead by quick judgement."""

from __future__ import annotations

from granada.judgement.policy import Policy
from granada.judgement.temper import Temper
from granada.rules.chance import Chance
from granada.rules.state import State


def play_ahead(state: State, temper: Temper, chance: Chance, turns: int) -> int:
    """Play by quick judgement until so many turns have begun, or the game ends; returns the number of decisions."""
    before = state.n
    if state.turns >= turns:
        return 0
    Policy(state, temper).play_until(turns, chance)
    return state.n - before
