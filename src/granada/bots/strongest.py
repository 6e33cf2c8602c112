"""The strongest bot: the same search with an evaluation learned by self-play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from granada.bots.budget import Budget
from granada.bots.halving import Candidate
from granada.bots.search import SearchBot
from granada.engine.model import check_model, load_model

#: The weight of the model against the static evaluation; their errors differ.
TRUST: Final = 0.5


class StrongestBot(SearchBot):
    """Searches like the plain search bot, but with longer roll-outs, which the model evaluates too."""

    #: At 0.1 s a round and a half longer than plain search, where longer roll-outs would leave too few of them; at 1 s
    #: about as long, because the model knows what comes later.
    rounds: ClassVar[float] = 5.5
    farther: ClassVar[float] = 0.75
    needs_features: ClassVar[bool] = True

    @classmethod
    def check_needs(cls) -> None:
        check_model()

    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        super().__init__(seed, budget)
        self._model = load_model()

    def _try(self, tried: Sequence[Candidate], samples: Sequence[int], turns: int | None = None) -> None:
        tries = list(self._roll_out(tried, samples, turns))
        expected = self._model.expect([outcome for _, outcome in tries])
        for (one, outcome), (chance, lead) in zip(tries, expected, strict=True):
            one.add(_blend(chance, outcome.chance), _blend(lead, outcome.lead))


def _blend(judged: float, plain: float) -> float:
    return TRUST * judged + (1.0 - TRUST) * plain
