"""Opponents that are bots, or functions of an observation and a mask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from granada.bots import check_bot, make_bot
from granada.learning import arrays
from granada.learning.missing import missing
from granada.learning.opponents import Opponent, RandomOpponent
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

    def __reduce__(self) -> tuple[type[BotOpponent], tuple[str]]:
        return BotOpponent, (self.spec,)


class PolicyOpponent(Opponent):
    """Plays a seat with a function that chooses tokens."""

    def __init__(self, policy: Policy) -> None:
        self.policy: Final = policy

    def act(self, game: TokenGame) -> None:
        """Choose tokens up to the end of the word."""
        n = game.state.n
        while game.state.n == n:
            game.choose(int(self.policy(arrays.observation(game, game.seat), arrays.mask(game))))


def opponents_of(given: Player | Sequence[Player], count: int) -> list[Opponent]:
    """Return the opponents of a seat, clockwise; a single player is meant for all seats."""
    players = [given] * count if isinstance(given, str | Opponent) or callable(given) else list(given)
    if len(players) != count:
        raise BadOptions(f"{len(players)} opponents are given for {count} other seats (2.1)")
    return [_opponent(player) for player in players]


def _opponent(player: Player) -> Opponent:
    if isinstance(player, Opponent):
        return player
    if isinstance(player, str):
        return RandomOpponent() if player == "random" else BotOpponent(player)
    return PolicyOpponent(player)
