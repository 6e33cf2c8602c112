"""The best level that decides at once: it looks ahead over its own turn, to what stands there when the turn is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from granada.bots.bot import Advice, Bot
from granada.bots.candidates import candidates, reveal_first
from granada.judgement.looking import look_ahead
from granada.judgement.temper import Temper
from granada.rules.state import Action
from granada.rules.view import View

#: So many actions are played to the end of the turn.
_WIDTH: Final = 6
#: What quick judgement thinks of an action counts so much beside the lead after the turn: money is for later turns.
_PLANS: Final = 2.0
#: What differs by less than so many points is a matter of mood: the same position is not always played alike.
_MOOD: Final = 0.5


class BuilderBot(Bot):
    """Weighs purchases, majorities, walls and the money for the next tile, and plays its own turn on in its mind.

    Exact purchases are chained, and everything is built where it counts most, before it decides on the first step.
    """

    temper: ClassVar[Temper] = Temper()

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        return self.advise(view, actions)[0].action

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        table = view.sample(self.rng)
        # The luck at the end of the turn is the same for all.
        seed = int(self.rng.random() * 1_000_000_000)
        weighed: list[tuple[float, Advice]] = []
        for one in candidates(table, actions, self.temper, _WIDTH):
            after = look_ahead(table, one.action, view.seat, seed, 1, self.temper, with_features=False)
            worth = after.lead + _PLANS * one.worth + _MOOD * self.rng.random()
            weighed.append((worth, Advice(one.action, after.lead, after.chance)))
        weighed.sort(key=lambda pair: -pair[0])
        return reveal_first(actions, [advice for _, advice in weighed])[:count]
