"""Writes what the model predicts in games of every set-up, as JSON; run in CPython and in the interpreter of the page.

Imports only what the page has. The games are the same in both: two of three actions by the quick policy, one at random.
"""

from __future__ import annotations

import json
import sys

from granada import Options, new_game
from granada.engine.evaluation import Outlook
from granada.engine.features import features
from granada.engine.model import load_model
from granada.engine.policy import Policy
from granada.engine.quick_luck import QuickLuck
from granada.engine.standing import Standing
from granada.engine.weights import Weights
from granada.rules.options import EDITIONS, MODULES

#: Decisions between two positions.
EVERY = 13


def set_ups() -> list[Options]:
    """15: return every edition with two, three and six players, plain and with all modules."""
    return [
        Options(edition, players, modules)
        for edition in EDITIONS
        for players in (2, 3, 6)
        for modules in ((), tuple([m for m in MODULES if edition != "granada" or m in ("vizier", "exchange")]))
    ]


def positions(options: Options) -> list[list[float]]:
    """Return the features of all seats in some positions of a game."""
    found: list[list[float]] = []
    luck, weights = QuickLuck(options.players), Weights()
    state = new_game(options, luck)
    while not state.is_over and state.turns <= 150:
        if state.n % EVERY == 0:
            outlook = Outlook(Standing(state, weights))
            found += [features(outlook, seat) for seat in range(options.players)]
        offers = state.offers()
        action = Policy(state, weights).choose() if luck.below(3) else offers[luck.below(len(offers))]
        state.play(action, luck)
    return found


if __name__ == "__main__":
    model = load_model()
    chances: list[float] = []
    leads: list[float] = []
    for options in set_ups():
        some = model.predict(positions(options))
        chances += some[0]
        leads += some[1]
    json.dump({"model": type(model).__name__, "chances": chances, "leads": leads}, sys.stdout)
    print()
