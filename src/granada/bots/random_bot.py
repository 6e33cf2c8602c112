"""A bot that plays at random."""

from __future__ import annotations

from collections.abc import Sequence

from granada.bots.bot import Bot
from granada.rules.state import Action
from granada.rules.view import View


class RandomBot(Bot):
    """Picks a random action and never reads the view."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        return self.pick(actions)
