"""A friendly bot: it plays like a person on the second evening."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.bots.bot import Bot
from granada.bots.candidates import harmless
from granada.judgement.policy import Policy
from granada.judgement.temper import Temper
from granada.rules.state import Action
from granada.rules.view import View

#: Sees the next scoring alone, no others, and no money plans; exact payments please it less than they should.
_TEMPER: Final = Temper(
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
        offered = set(actions)
        best: Action | None = None
        most = 0.0
        for weighed in Policy(view.table, _TEMPER).weigh():
            worth = weighed.worth + self.rng.gauss(0.0, _BLUR)
            if weighed.action in offered and (best is None or worth > most):
                best, most = weighed.action, worth
        return best if best is not None else self.pick(harmless(actions))
