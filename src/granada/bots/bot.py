"""What every bot is."""

from __future__ import annotations

import random
from collections.abc import Sequence

from granada.rules.state import Action
from granada.rules.view import View


class Bot:
    """A player that sees a view and the offered actions; with the same seed it chooses the same."""

    def __init__(self, seed: int | str) -> None:
        # Text seeds are hashed by a fixed algorithm, so they give the same numbers on every machine and version.
        self.rng = random.Random(str(seed))

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        """One of the offered actions; the view remembers the hands (16.1)."""
        raise NotImplementedError

    def pick(self, actions: Sequence[Action]) -> Action:
        """Any of some actions, each as likely as the others."""
        return actions[int(self.rng.random() * len(actions))]
