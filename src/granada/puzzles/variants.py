"""Turns that differ from a turn in one decision: another place, another payment, other money."""

from __future__ import annotations

from typing import Final

from granada.bots.turns import goes_on
from granada.engine.policy import Policy
from granada.engine.rollout import roll_out_turn
from granada.engine.weights import Weights
from granada.puzzles.explorer import Turn
from granada.puzzles.turns import outcome
from granada.rules.acting import Purchase, Take
from granada.rules.chance import First
from granada.rules.placing import Give, Place, Reserve
from granada.rules.state import Action, State

#: The most variants of a turn, by the evaluation at its end.
MOST_VARIANTS: Final = 10
_PLACING: Final = (Place, Reserve, Give)


class Variant:
    """A turn, and whether it does the same as the original: it buys and takes the same things."""

    def __init__(self, turn: Turn, is_same: bool, worth: float) -> None:
        self.turn: Final = turn
        self.is_same: Final = is_same
        self.worth: Final = worth


def variants(state: State, turn: Turn) -> list[Variant]:
    """Return the best variants of a turn that lead to other results, best first by the evaluation at their end."""
    seen = {outcome(state, turn)}
    found: list[Variant] = []
    after, seat = state.copy(), state.seat
    for i, action in enumerate(turn):
        for other in after.offers():
            kind = _likeness(action, other)
            if other == action or kind is None:
                continue
            whole = _completed(state, after, turn[:i], other, turn[i + 1 :])
            result = outcome(state, whole)
            if result not in seen:
                seen.add(result)
                end = roll_out_turn(state, whole, seat, 1, 1, Weights(), with_features=False)
                found.append(Variant(whole, kind, end.lead))
        after.play(action, First())
    found.sort(key=lambda one: -one.worth)
    return found[:MOST_VARIANTS]


def _likeness(action: Action, other: Action) -> bool | None:
    """Return whether an action does the same in another way; None if it is something else altogether."""
    if isinstance(action, Purchase) and type(other) is type(action) and isinstance(other, Purchase):
        return True if other.tile is action.tile else None
    if isinstance(action, _PLACING) and isinstance(other, _PLACING):
        return other.tile is action.tile or None
    if isinstance(action, Take) and isinstance(other, Take):
        return False
    return None


def _completed(state: State, after: State, before: Turn, action: Action, rest: Turn) -> Turn:
    """Return a turn with another action: the rest follows as far as it is legal, then the quick policy decides."""
    now, seat, turns = after.copy(), state.seat, state.turns
    actions = [*before]
    waiting = list(rest)
    while True:
        step = now.step
        actions.append(action)
        now.play(action, First())
        if not goes_on(now, seat, turns, step):
            return tuple(actions)
        following = next((one for one in waiting if now.is_legal(one)), None)
        if following is None:
            following = Policy(now, Weights()).choose()
        else:
            waiting.remove(following)
        action = following
