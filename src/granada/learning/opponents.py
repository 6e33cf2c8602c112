"""Opponents: what plays the seats that the learner does not."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import final

from granada.learning.token_game import TokenGame
from granada.rules.compiling import mypyc_attr


class BadOpponent(Exception):
    """An opponent chose what is not possible; the learner is not to blame, so its episode does not end."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Opponent:
    """Plays a seat; an environment takes an independent copy for each seat of each game."""

    def restart(self, seed: int) -> None:
        """Prepare for a new game; the same seed gives the same choices."""

    def act(self, game: TokenGame) -> None:
        """Play one decision of the seat that has to choose: an action, or tokens up to the end of the word."""
        raise NotImplementedError

    def __reduce__(self) -> tuple[Callable[..., Opponent], tuple[type[Opponent]], object]:
        """Keep the attributes of interpreted subclasses, which compiled classes do not pickle by themselves."""
        return copyreg.__newobj__, (type(self),), getattr(self, "__dict__", None)  # type: ignore[attr-defined]


@final
class RandomOpponent(Opponent):
    """Plays a random offered action, as the bot `random` does."""

    def act(self, game: TokenGame) -> None:
        offers = game.offers
        game.play(offers[game.below(len(offers))])
