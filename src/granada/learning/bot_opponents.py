"""Opponents that are bots, or functions of an observation and a mask."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from granada.bots import check_bot, make_bot
from granada.learning import arrays
from granada.learning.illegal import reason
from granada.learning.missing import missing
from granada.learning.opponents import BadOpponent, Opponent, RandomOpponent
from granada.learning.partial_word import IllegalToken
from granada.learning.token_game import TokenGame
from granada.rules.errors import BadOptions

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None

#: Returns a token for an observation and a mask.
Policy: TypeAlias = Callable[[NDArray[np.uint8], NDArray[np.int8]], int]
#: The spec of a bot (`builder`, `search:0.2s`), a policy, or an opponent of your own.
Player: TypeAlias = str | Policy | Opponent


class BotOpponent(Opponent):
    """Plays a seat with a bot, which remembers the hands (16.1)."""

    def __init__(self, spec: str) -> None:
        check_bot(spec)
        self.spec: Final = spec
        self._bot = make_bot(spec, 0)
        self._bot.check_needs()
        self._bot.get_ready()

    def restart(self, seed: int) -> None:
        """Take a new bot with this seed."""
        self._bot = make_bot(self.spec, seed)

    def act(self, game: TokenGame) -> None:
        """Play what the bot chooses."""
        game.play(self._bot.choose(game.state.view(game.seat, True), game.offers))


class PolicyOpponent(Opponent):
    """Plays a seat with a function that chooses tokens."""

    def __init__(self, policy: Policy) -> None:
        self.policy: Final = policy

    def act(self, game: TokenGame) -> None:
        """Choose tokens up to the end of the word."""
        n = game.state.n
        while game.state.n == n:
            token = int(self.policy(arrays.observation(game, game.seat), arrays.mask(game)))
            try:
                game.choose(token)
            except IllegalToken:
                name = getattr(self.policy, "__qualname__", type(self.policy).__qualname__)
                why = reason(game.partial_word, token)
                raise BadOpponent(f"the opponent {name} in seat {game.seat} chose token {token}: {why}") from None


def opponents_of(given: Player | Sequence[Player], count: int) -> list[Opponent]:
    """Return the opponents of a seat, clockwise; a single player is meant for all seats, and each has its own copy."""
    players = [given] * count if isinstance(given, str | Opponent) or callable(given) else list(given)
    if len(players) != count:
        raise BadOptions(f"{len(players)} opponents are given for {count} other seats (2.1)")
    return [_opponent(player) for player in players]


def _opponent(player: Player) -> Opponent:
    if isinstance(player, Opponent):
        return copy.deepcopy(player)
    if isinstance(player, str):
        return RandomOpponent() if player == "random" else BotOpponent(player)
    return PolicyOpponent(player)
