"""Expected results for bots that do not search: the model evaluates the position at the end of the turn."""

from __future__ import annotations

import random
from collections.abc import Sequence

from granada.bots.bot import Advice, by_chance
from granada.engine.model import load_model
from granada.engine.rollout import roll_out
from granada.engine.weights import Weights
from granada.rules.errors import BadOptions
from granada.rules.state import Action
from granada.rules.view import View


def with_expectations(view: View, ranked: Sequence[Action], rng: random.Random) -> list[Advice]:
    """Return actions with their expected results: first the bot's choice, then the others by win chance.

    If nothing here can compute the model, the results are unknown.
    """
    try:
        model = load_model()
    except BadOptions:
        return [Advice(action) for action in ranked]
    table, seed = view.sample(rng), int(rng.random() * 1_000_000_000)
    ends = [roll_out(table, action, view.seat, seed, 1, Weights(), with_features=True) for action in ranked]
    first, *others = [
        Advice(action, lead, chance) for action, (chance, lead) in zip(ranked, model.expect(ends), strict=True)
    ]
    return [first, *sorted(others, key=by_chance)]
