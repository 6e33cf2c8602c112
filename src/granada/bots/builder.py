"""The best level without a search: it evaluates the position at the end of its own turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from granada.bots.advice import with_expectations
from granada.bots.bot import Advice, Bot
from granada.bots.candidates import candidates, free_reveal, reveal_first
from granada.engine.rollout import roll_out
from granada.engine.weights import Weights
from granada.rules.state import Action
from granada.rules.view import View

#: The number of actions that are played to the end of the turn.
_WIDTH: Final = 6
#: The weight of the quick policy's worth besides the lead after the turn, because money pays off in later turns.
_PLANS: Final = 2.0
#: Random noise in points, so that equal positions are not always played in the same way.
_MOOD: Final = 0.5


class BuilderBot(Bot):
    """Plays its own turn to the end for each candidate, with chained exact purchases and the best places for tiles."""

    weights: ClassVar[Weights] = Weights()

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        return free_reveal(actions) or self._ranked(view, actions)[0]

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        ranked = self._ranked(view, actions)
        return reveal_first(actions, with_expectations(view, ranked[:count], self.rng))[:count]

    def _ranked(self, view: View, actions: Sequence[Action]) -> list[Action]:
        """Return the candidate actions, best first."""
        table = view.sample(self.rng)
        # All candidates get the same chance events at the end of the turn.
        seed = int(self.rng.random() * 1_000_000_000)
        weighed: list[tuple[float, Action]] = []
        for one in candidates(table, actions, self.weights, _WIDTH):
            after = roll_out(table, one.action, view.seat, seed, 1, self.weights, with_features=False)
            worth = after.lead + _PLANS * one.worth + _MOOD * self.rng.random()
            weighed.append((worth, one.action))
        weighed.sort(key=lambda pair: -pair[0])
        return [action for _, action in weighed]
