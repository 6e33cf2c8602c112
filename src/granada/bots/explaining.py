"""What bots that decide at once expect of their actions: the model looks at where the own turn leads."""

from __future__ import annotations

import random
from collections.abc import Sequence

from granada.bots.bot import Advice, by_chance
from granada.engine.model import load_model
from granada.engine.rollout import look_ahead
from granada.engine.weights import Weights
from granada.rules.errors import BadOptions
from granada.rules.state import Action
from granada.rules.view import View


def explained(view: View, ranked: Sequence[Action], rng: random.Random) -> list[Advice]:
    """Actions with what is expected of them: first the one that a bot prefers, then the others, by their chances.

    Nothing is expected where the model is missing, which needs NumPy.
    """
    try:
        model = load_model()
    except BadOptions:
        return [Advice(action) for action in ranked]
    table, seed = view.sample(rng), int(rng.random() * 1_000_000_000)
    ends = [look_ahead(table, action, view.seat, seed, 1, Weights(), with_features=True) for action in ranked]
    first, *others = [
        Advice(action, lead, chance) for action, (chance, lead) in zip(ranked, model.expect(ends), strict=True)
    ]
    return [first, *sorted(others, key=by_chance)]
