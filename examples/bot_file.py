"""Bots in a file: `granada simulate --bot-file examples/bot_file.py --players thrifty,first,greedy`."""

from __future__ import annotations

from collections.abc import Sequence

from granada import Action, Buy, Place, Take, View
from granada.bots import Bot


class ThriftyBot(Bot):
    """Buys what it can pay for exactly, builds where its wall becomes longest, otherwise takes the most money."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        """Return the action with the highest value; the view shows what the seat may see."""
        values = [self._value(view, action) for action in actions]
        return self.pick([action for action, value in zip(actions, values, strict=True) if value == max(values)])

    def _value(self, view: View, action: Action) -> float:
        if isinstance(action, Buy):
            return 30.0 if sum([card.value for card in action.cards]) == action.tile.price else 0.0
        if isinstance(action, Place):
            city = view.table.players[view.seat].city.build(action.face, action.cell)
            return 1.0 + sum([len(stretch) for stretch in city.stretches()])
        return sum([card.value for card in action.cards]) if isinstance(action, Take) else 0.0


def first(view: View, actions: Sequence[Action]) -> Action:
    """Return the first action; the simplest bot is a function."""
    return actions[0]


BOTS = {"thrifty": ThriftyBot, "first": first}
