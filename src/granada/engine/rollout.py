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
class Outcome:
    """How it stands for a seat after looking ahead: its lead, its chance to win, and the features for a model."""

    __slots__ = ("chance", "features", "lead")

    def __init__(self, lead: float, chance: float, found: list[float]) -> None:
        self.lead: Final = lead
        self.chance: Final = chance
        #: Nothing if nobody asked for them, or the game is over.
        self.features: Final = found


def look_ahead(
    root: State, action: Action, seat: int, seed: int, turns: int, temper: Weights, with_features: bool
) -> Outcome:
    """Play an action and so many turns after this one on a copy, with the luck of a seed; judge what comes of it."""
    return look_past(root, (action,), seat, seed, turns, temper, with_features)


def look_past(
    root: State, turn: tuple[Action, ...], seat: int, seed: int, turns: int, temper: Weights, with_features: bool
) -> Outcome:
    """Play the actions of a whole turn, then as `look_ahead` does."""
    state = root.copy()
    luck = QuickLuck(seed)
    for action in turn:
        state.play(action, luck)
    last = root.turns + turns
    if state.agenda is None or state.turns >= last:
        return judge(state, seat, temper, with_features)
    policy = Policy(state, temper)
    policy.play_until(last, luck)
    return judge(state, seat, temper, with_features, policy.standing)


def judge(state: State, seat: int, temper: Weights, with_features: bool, standing: Standing | None = None) -> Outcome:
    """How it stands for a seat; a standing that has followed the game spares counting everything again."""
    if state.agenda is None:
        totals = [float(player.score) for player in state.players]
        return Outcome(lead_of(totals, seat), victory(state)[seat], [])
    if standing is None:
        standing = Standing(state, temper)
    else:
        standing.look_at_scorings()
    outlook = Outlook(standing)
    lead = lead_of(outlook.totals, seat)
    chance = chance_of(lead, outlook.stage, len(state.options.kinds))
    return Outcome(lead, chance, features(outlook, seat) if with_features else [])


def play_ahead(state: State, temper: Weights, chance: Chance, turns: int) -> int:
    """Play by quick judgement until so many turns have begun, or the game ends; returns the number of decisions."""
    before = state.n
    if state.turns >= turns:
        return 0
    Policy(state, temper).play_until(turns, chance)
    return state.n - before
