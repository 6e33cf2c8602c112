"""The interface of all bots."""

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
    #: The expected final lead over the best other player in points, negative if behind; None if unknown.
    lead: float | None = None
    #: The win chance, from 0 to 1; None if unknown.
    win: float | None = None
    #: The further actions that the bot plans for the same turn.
    then: tuple[Action, ...] = ()


def by_chance(advice: Advice) -> float:
    """Sort key: highest win chance first."""
    return -(advice.win or 0.0)


class Bot:
    """A player that chooses from a view and the offered actions; the same seed gives the same choices."""

    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        # Text seeds are hashed by a fixed algorithm, so they give the same numbers on every machine and version.
        self.rng = random.Random(str(seed))
        #: The limits for a decision, and how to cancel it; bots that decide at once ignore it.
        self.budget = budget or Budget()

    @classmethod
    def check_needs(cls) -> None:
        """Raise BadOptions if something that the bot needs is missing; must be quick."""

    def get_ready(self) -> None:
        """Do slow preparations before the first decision; this time is not measured."""

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        """Return one of the offered actions; the view remembers the hands (16.1)."""
        raise NotImplementedError

    def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
        """Return the best actions with their expected results: first the bot's choice, which by default is all."""
        return [Advice(self.choose(view, actions))]

    def compare(self, view: View, turns: Sequence[tuple[Action, ...]]) -> list[Advice]:
        """Return the expected results of some turns by their first actions; searching bots try the whole turns."""
        actions = list(dict.fromkeys([turn[0] for turn in turns]))
        return self.advise(view, actions, len(actions))

    def cancel(self) -> None:
        """Stop thinking and choose the best action so far; called from another thread."""
        self.budget.cancel()

    def pick(self, actions: Sequence[Action]) -> Action:
        """Return a random action; all are equally likely."""
        return actions[int(self.rng.random() * len(actions))]
