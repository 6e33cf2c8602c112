"""A weak bot that plays like a person in one of their first games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.bots.advice import with_expectations
from granada.bots.bot import Advice, Bot
from granada.bots.candidates import harmless
from granada.engine.policy import Policy, Weighed, by_worth
from granada.engine.weights import Weights
from granada.rules.state import Action
from granada.rules.view import View

#: Counts only the next scoring, ignores the other players and later purchases, and undervalues exact payments.
_WEIGHTS: Final = Weights(
    majority=0.3,
    wall=0.5,
    later=0.0,
    others=0.0,
    tile=6.0,
    room=0.1,
    coin=0.6,
    card=0.0,
    another_action=1.5,
    payable=0.0,
    payable_exactly=0.0,
)
#: The standard deviation of its errors in the value of an action, in points.
_BLUR: Final = 3.0


class NoviceBot(Bot):
    """Sees obvious purchases, ignores later turns and the other players, and makes mistakes."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        ranked = self._ranked(view, actions)
        return ranked[0] if ranked else self.pick(harmless(actions))

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        ranked = self._ranked(view, actions) or [self.pick(harmless(actions))]
        return with_expectations(view, ranked[:count], self.rng)

    def _ranked(self, view: View, actions: Sequence[Action]) -> list[Action]:
        """Return the actions it considers, best first, with random errors."""
        seen = [
            Weighed(one.action, one.worth + self.rng.gauss(0.0, _BLUR)) for one in Policy(view.table, _WEIGHTS).weigh()
        ]
        offered = set(actions)
        return [one.action for one in sorted(seen, key=by_worth) if one.action in offered]
