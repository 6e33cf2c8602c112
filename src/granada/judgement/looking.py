"""Looking ahead: an action is played, then everybody by quick judgement for some turns, and the outcome is judged."""

from __future__ import annotations

from typing import Final, final

from granada.judgement.evaluation import chance_of, lead_of, promises, stage
from granada.judgement.features import features
from granada.judgement.playing import play_ahead
from granada.judgement.quick import QuickLuck
from granada.judgement.standing import Standing
from granada.judgement.temper import Temper
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
    root: State, action: Action, seat: int, seed: int, turns: int, temper: Temper, with_features: bool
) -> Outcome:
    """Play an action and so many turns after this one on a copy, with the luck of a seed; judge what comes of it."""
    state = root.copy()
    luck = QuickLuck(seed)
    state.play(action, luck)
    play_ahead(state, temper, luck, root.turns + turns)
    return judge(state, seat, temper, with_features)


def judge(state: State, seat: int, temper: Temper, with_features: bool) -> Outcome:
    """How it stands for a seat."""
    if state.agenda is None:
        totals = [float(player.score) for player in state.players]
        lead = lead_of(totals, seat)
        return Outcome(lead, 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0, [])
    standing = Standing(state, temper)
    lead = lead_of(promises(standing), seat)
    chance = chance_of(lead, stage(standing), len(state.options.kinds))
    return Outcome(lead, chance, features(standing, seat) if with_features else [])
