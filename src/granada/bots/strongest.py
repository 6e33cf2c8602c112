"""The strongest bot: the same search, guided by an evaluation that was learned by self-play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from granada.bots.budget import Budget
from granada.bots.halving import Candidate
from granada.bots.search import SearchBot
from granada.engine.model import load_model

#: How much the model counts beside the points as they stand: each errs in its own way.
TRUST: Final = 0.5


class StrongestBot(SearchBot):
    """Looks ahead as plain search does, but farther; how it would end from there is told by the model, too."""

    #: A round and a half farther than plain search at 0.1 s, where still farther leaves too few looks; about as far at
    #: 1 s, for the model knows of what comes later.
    rounds: ClassVar[float] = 5.5
    farther: ClassVar[float] = 0.75
    needs_features: ClassVar[bool] = True

    @classmethod
    def check_needs(cls) -> None:
        load_model()

    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        super().__init__(seed, budget)
        self._model = load_model()

    def _try(self, tried: Sequence[Candidate], lucks: Sequence[int]) -> None:
        tries = list(self._look(tried, lucks))
        expected = self._model.expect([outcome for _, outcome in tries])
        for (one, outcome), (chance, lead) in zip(tries, expected, strict=True):
            one.add(_blend(chance, outcome.chance), _blend(lead, outcome.lead))


def _blend(judged: float, plain: float) -> float:
    return TRUST * judged + (1.0 - TRUST) * plain
