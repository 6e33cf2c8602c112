"""Roll-outs: play some actions on a copy, continue with the quick policy for some turns, and evaluate the result."""

from __future__ import annotations

from typing import Final, final

from granada.engine.evaluation import Outlook, chance_of, lead_of
from granada.engine.features import features
from granada.engine.policy import Policy
from granada.engine.quick_luck import QuickLuck
from granada.engine.standing import Standing
from granada.engine.weights import Weights
from granada.rules.chance import Chance
from granada.rules.leftovers import victory
from granada.rules.state import Action, State


@final
class RolloutResult:
    """The evaluation of a roll-out for a seat: its lead, its win chance, and the features for the model."""

    __slots__ = ("chance", "features", "lead")

    def __init__(self, lead: float, chance: float, found: list[float]) -> None:
        self.lead: Final = lead
        self.chance: Final = chance
        #: Empty if they were not asked for, or the game is over.
        self.features: Final = found


def roll_out(
    root: State, action: Action, seat: int, seed: int, turns: int, weights: Weights, with_features: bool
) -> RolloutResult:
    """Play an action and this many turns on a copy, with chance from a seed, and evaluate the result."""
    return roll_out_turn(root, (action,), seat, seed, turns, weights, with_features)


def roll_out_turn(
    root: State, turn: tuple[Action, ...], seat: int, seed: int, turns: int, weights: Weights, with_features: bool
) -> RolloutResult:
    """Do the same after all actions of a turn."""
    state = root.copy()
    luck = QuickLuck(seed)
    for action in turn:
        state.play(action, luck)
    last = root.turns + turns
    if state.agenda is None or state.turns >= last:
        return evaluate(state, seat, weights, with_features)
    policy = Policy(state, weights)
    policy.play_until(last, luck)
    return evaluate(state, seat, weights, with_features, policy.standing)


def evaluate(
    state: State, seat: int, weights: Weights, with_features: bool, standing: Standing | None = None
) -> RolloutResult:
    """Evaluate a state for a seat; a standing that has followed the game saves time."""
    if state.agenda is None:
        totals = [float(player.score) for player in state.players]
        return RolloutResult(lead_of(totals, seat), victory(state)[seat], [])
    if standing is None:
        standing = Standing(state, weights)
    else:
        standing.look_at_scorings()
    outlook = Outlook(standing)
    lead = lead_of(outlook.totals, seat)
    chance = chance_of(lead, outlook.stage, len(state.options.kinds))
    return RolloutResult(lead, chance, features(outlook, seat) if with_features else [])


def play_quickly(state: State, weights: Weights, chance: Chance, turns: int) -> int:
    """Play by the quick policy until this many turns have begun or the game ends; returns the number of decisions."""
    before = state.n
    if state.turns >= turns:
        return 0
    Policy(state, weights).play_until(turns, chance)
    return state.n - before
