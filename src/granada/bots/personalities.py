"""Bots with their own style, for variety."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from granada.bots.advice import with_expectations
from granada.bots.bot import Advice, Bot
from granada.bots.candidates import candidates, free_reveal, reveal_first
from granada.engine.weights import Weights
from granada.rules.state import Action
from granada.rules.view import View

#: The number of actions that are evaluated closely.
_WIDTH: Final = 12
#: Actions within this many points of the best are chosen at random.
_WHIM: Final = 0.5


class WeightedBot(Bot):
    """Plays the action with the highest immediate value by its weights."""

    weights: ClassVar[Weights] = Weights()

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        revealed = free_reveal(actions)
        if revealed is not None:
            return revealed
        weighed = candidates(view.table, actions, self.weights, _WIDTH)
        return self.pick([one.action for one in weighed if one.worth >= weighed[0].worth - _WHIM])

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        weighed = candidates(view.table, actions, self.weights, count)
        return reveal_first(actions, with_expectations(view, [one.action for one in weighed], self.rng))[:count]


class MasonBot(WeightedBot):
    """A wall builder: values long walls most."""

    weights: ClassVar[Weights] = Weights(wall=2.0, majority=0.4, room=0.3)


class CourtierBot(WeightedBot):
    """A majority hunter: fights for every first place and ignores walls."""

    weights: ClassVar[Weights] = Weights(wall=0.25, majority=1.1, others=0.9)
