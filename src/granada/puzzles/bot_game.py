"""A game between bots that can be played again: everything follows from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.bots import make_bot
from granada.records.notation import action_text
from granada.records.playout import MAX_TURNS
from granada.records.shuffle import SET_UP, luck_at
from granada.rules.options import Options
from granada.rules.setup import new_game


class BotGame:
    """A game between bots, action by action."""

    def __init__(self, options: Options, bots: Sequence[str], seed: str) -> None:
        self.seed: Final = seed
        self.state: Final = new_game(options, luck_at(seed, SET_UP))
        #: The actions so far.
        self.actions: Final[list[str]] = []
        self._bots: Final = [make_bot(name, f"{seed}/{seat}") for seat, name in enumerate(bots)]

    @property
    def goes_on(self) -> bool:
        """3.7: whether the game has not ended and has not become too long."""
        return not self.state.is_over and self.state.turns <= MAX_TURNS

    def step(self) -> None:
        """Play the next action."""
        state = self.state
        offers = state.offers()
        action = offers[0]
        if len(offers) > 1:
            action = self._bots[state.seat].choose(state.view(state.seat, remembers=True), offers)
        self.actions.append(action_text(action))
        state.play(action, luck_at(self.seed, state.n))
