"""Whole turns as answers to a puzzle: are they complete, where do they lead, and what would a bot play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.bots import Bot
from granada.bots.turns import goes_on
from granada.rules.chance import First
from granada.rules.state import Action, State
from granada.rules.verdict import Verdict

#: The index of the number of actions in `State.key`.
_N: Final = -1


class WrongTurn(ValueError):
    """Some actions are not one whole turn; the verdict says why one of them is illegal, if that is the reason."""

    def __init__(self, reason: str, verdict: Verdict | None = None) -> None:
        super().__init__(reason)
        self.verdict: Final = verdict


def check_turn(state: State, actions: Sequence[Action]) -> None:
    """Raise WrongTurn unless these actions are exactly one whole turn of the seat that decides."""
    after, seat, turns = state.copy(), state.seat, state.turns
    is_running = True
    for action in actions:
        if not is_running:
            raise WrongTurn(f"'{action}' comes after the end of the turn.")
        verdict = after.is_legal(action)
        if not verdict:
            raise WrongTurn(f"'{action}' breaks {verdict}", verdict)
        step = after.step
        after.play(action, First())
        is_running = goes_on(after, seat, turns, step)
    if is_running:
        raise WrongTurn("The turn is not complete: another action has to follow.")


def is_whole_turn(state: State, actions: Sequence[Action]) -> bool:
    """Return whether these actions are exactly one whole turn of the seat that decides."""
    try:
        check_turn(state, actions)
    except WrongTurn:
        return False
    return True


def outcome(state: State, actions: Sequence[Action]) -> tuple[object, ...]:
    """Return what distinguishes the results of two turns: turns in another order can lead to the same position.

    Chance at the end of the turn always draws the first possibility, so it adds no difference.
    """
    after = state.copy()
    for action in actions:
        after.play(action, First())
    key = list(after.key())
    del key[_N]
    return tuple(key)


def turn_of(bot: Bot, state: State) -> tuple[Action, ...]:
    """Return the whole turn that a bot plays, as far as it does not depend on chance."""
    after, seat, turns = state.copy(), state.seat, state.turns
    actions: list[Action] = []
    while True:
        offers = after.offers()
        action = offers[0] if len(offers) == 1 else bot.choose(after.view(seat, remembers=True), offers)
        step = after.step
        actions.append(action)
        after.play(action, First())
        if not goes_on(after, seat, turns, step):
            return tuple(actions)
