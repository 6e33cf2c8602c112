"""What every bot is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from granada.bots.budget import Budget
from granada.rules.state import Action
from granada.rules.view import View


@dataclass(frozen=True)
class Advice:
    """An action and what a bot expects of it."""

    action: Action
    #: By how many points the seat would be ahead of the best other at the end (behind, if negative); None: no idea.
    lead: float | None = None
    #: The chance to win, from 0 to 1; None: no idea.
    win: float | None = None
    #: What the bot would play after it in the same turn, as far as it has thought of that.
    then: tuple[Action, ...] = ()


def by_chance(advice: Advice) -> float:
    """Sort key: the most likely to win first."""
    return -(advice.win or 0.0)


class Bot:
    """A player that sees a view and the offered actions; with the same seed it chooses the same."""

    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        # Text seeds are hashed by a fixed algorithm, so they give the same numbers on every machine and version.
        self.rng = random.Random(str(seed))
        #: What it may use for a decision, and how it is called off; bots that decide at once need no budget.
        self.budget = budget or Budget()

    @classmethod
    def check_needs(cls) -> None:
        """Raise BadOptions if something is not installed that the bot needs."""

    def get_ready(self) -> None:
        """Do what takes long before the first decision: here nobody counts the time."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        """One of the offered actions; the view remembers the hands (16.1)."""
        raise NotImplementedError

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        """The best actions, the best first, with what is expected of them; a bot that only chooses gives its choice."""
        return [Advice(self.choose(view, actions))]

    def compare(self, view: View, turns: Sequence[tuple[Action, ...]]) -> list[Advice]:
        """Return what is expected of the first actions of some turns; a bot that looks ahead tries the whole turns."""
        actions = list(dict.fromkeys([turn[0] for turn in turns]))
        return self.advise(view, actions, len(actions))

    def cancel(self) -> None:
        """Stop thinking and choose what looks best so far; called from another thread."""
        self.budget.cancel()

    def pick(self, actions: Sequence[Action]) -> Action:
        """Any of some actions, each as likely as the others."""
        return actions[int(self.rng.random() * len(actions))]
