"""The strongest bot: the same search, guided by an evaluation that was learned by self-play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from granada.bots.budget import Budget
from granada.bots.halving import Candidate
from granada.bots.search import SearchBot
from granada.judgement.model import load_model

#: How much the model counts beside the points as they stand: each errs in its own way.
TRUST: Final = 0.5


class StrongestBot(SearchBot):
    """Looks ahead as plain search does, but farther; how it would end from there is told by the model, too."""

    #: A round and a half farther than plain search at 0.1 s, where still farther leaves too few looks; about as far at
    #: 1 s, for the model knows of what comes later.
    rounds: ClassVar[float] = 5.5
    farther: ClassVar[float] = 0.75
    needs_features: ClassVar[bool] = True

    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        super().__init__(seed, budget)
        self._model = load_model()

    def _try(self, tried: Sequence[Candidate], lucks: Sequence[int]) -> None:
        tries = list(self._look(tried, lucks))
        # A game that is over has no features: nothing is left to guess.
        positions = [outcome.features for _, outcome in tries if outcome.features]
        judged = zip(*self._model.judge(positions), strict=True) if positions else iter(())
        for one, outcome in tries:
            if outcome.features:
                chance, lead = next(judged)
                one.add(_blend(chance, outcome.chance), _blend(lead, outcome.lead))
            else:
                one.add(outcome.chance, outcome.lead)


def _blend(judged: float, plain: float) -> float:
    return TRUST * judged + (1.0 - TRUST) * plain
