"""Opponents: what plays the seats that the learner does not."""

from __future__ import annotations

from typing import final

from granada.learning.token_game import TokenGame
from granada.rules.compiling import mypyc_attr


@mypyc_attr(allow_interpreted_subclasses=True)
class Opponent:
    """Plays a seat."""

    def restart(self, seed: int) -> None:
        """Prepare for a new game; the same seed gives the same choices."""

    def act(self, game: TokenGame) -> None:
        """Play one decision of the seat that has to choose: an action, or tokens up to the end of the word."""
        raise NotImplementedError


@final
class RandomOpponent(Opponent):
    """Plays a random offered action, as the bot `random` does."""

    def act(self, game: TokenGame) -> None:
        offers = game.offers
        game.play(offers[game.below(len(offers))])
