"""The best level that decides at once: it looks ahead over its own turn, to what stands there when the turn is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from granada.bots.bot import Advice, Bot
from granada.bots.candidates import candidates, free_reveal, reveal_first
from granada.bots.explaining import explained
from granada.engine.rollout import look_ahead
from granada.engine.weights import Weights
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

    temper: ClassVar[Weights] = Weights()

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        return free_reveal(actions) or self._ranked(view, actions)[0]

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        ranked = self._ranked(view, actions)
        return reveal_first(actions, explained(view, ranked[:count], self.rng))[:count]

    def _ranked(self, view: View, actions: Sequence[Action]) -> list[Action]:
        """The actions worth a thought, the best first."""
        table = view.sample(self.rng)
        # The luck at the end of the turn is the same for all.
        seed = int(self.rng.random() * 1_000_000_000)
        weighed: list[tuple[float, Action]] = []
        for one in candidates(table, actions, self.temper, _WIDTH):
            after = look_ahead(table, one.action, view.seat, seed, 1, self.temper, with_features=False)
            worth = after.lead + _PLANS * one.worth + _MOOD * self.rng.random()
            weighed.append((worth, one.action))
        weighed.sort(key=lambda pair: -pair[0])
        return [action for _, action in weighed]
