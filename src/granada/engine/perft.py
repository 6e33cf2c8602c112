"""Perft: counts of positions after some actions, which pin down the offers of every decision."""

from __future__ import annotations

from granada.rules.chance import First
from granada.rules.state import Action, State

_FIRST = First()


def perft(state: State, depth: int) -> int:
    """Return the number of sequences of `depth` offered actions; chance events always have their first result."""
    if depth == 0:
        return 1
    actions = state.offers()
    if depth == 1:
        return len(actions)
    return sum([perft(_after(state, action), depth - 1) for action in actions])


def divide(state: State, depth: int) -> list[tuple[Action, int]]:
    """Return the same for each first action."""
    return [(action, perft(_after(state, action), depth - 1)) for action in state.offers()]


def _after(state: State, action: Action) -> State:
    after = state.copy()
    after.play(action, _FIRST)
    return after
