"""A friendly bot: it plays like a person on the second evening."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.bots.bot import Advice, Bot
from granada.bots.candidates import harmless
from granada.bots.explaining import explained
from granada.engine.policy import Policy, Weighed, by_worth
from granada.engine.weights import Weights
from granada.rules.state import Action
from granada.rules.view import View

#: Sees the next scoring alone, no others, and no money plans; exact payments please it less than they should.
_TEMPER: Final = Weights(
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
#: How wrong it may be about what an action is worth, in points.
_BLUR: Final = 3.0


class NoviceBot(Bot):
    """Sees the obvious purchase, looks no further than this turn, ignores the others, and is sometimes wrong."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        ranked = self._ranked(view, actions)
        return ranked[0] if ranked else self.pick(harmless(actions))

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        ranked = self._ranked(view, actions) or [self.pick(harmless(actions))]
        return explained(view, ranked[:count], self.rng)

    def _ranked(self, view: View, actions: Sequence[Action]) -> list[Action]:
        """What it thinks of, the best first as it seems this time."""
        seen = [
            Weighed(one.action, one.worth + self.rng.gauss(0.0, _BLUR)) for one in Policy(view.table, _TEMPER).weigh()
        ]
        offered = set(actions)
        return [one.action for one in sorted(seen, key=by_worth) if one.action in offered]
