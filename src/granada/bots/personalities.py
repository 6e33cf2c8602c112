"""Bots that see the world in their own way: for variety."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from granada.bots.bot import Advice, Bot
from granada.bots.candidates import candidates, free_reveal, reveal_first
from granada.bots.explaining import explained
from granada.engine.weights import Weights
from granada.rules.state import Action
from granada.rules.view import View

#: So many actions are weighed closely.
_WIDTH: Final = 12
#: What is worse than the best by no more than so many points is as good.
_WHIM: Final = 0.5


class WeightedBot(Bot):
    """Plays what looks best at once to somebody of a temper."""

    temper: ClassVar[Weights] = Weights()

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        revealed = free_reveal(actions)
        if revealed is not None:
            return revealed
        weighed = candidates(view.table, actions, self.temper, _WIDTH)
        return self.pick([one.action for one in weighed if one.worth >= weighed[0].worth - _WHIM])

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        weighed = candidates(view.table, actions, self.temper, count)
        return reveal_first(actions, explained(view, [one.action for one in weighed], self.rng))[:count]


class MasonBot(WeightedBot):
    """A wall builder: what makes the longest wall is best."""

    temper: ClassVar[Weights] = Weights(wall=2.0, majority=0.4, room=0.3)


class CourtierBot(WeightedBot):
    """A majority hunter: it fights for every first place, and leaves the walls to chance."""

    temper: ClassVar[Weights] = Weights(wall=0.25, majority=1.1, others=0.9)
