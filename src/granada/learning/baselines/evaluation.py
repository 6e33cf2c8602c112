"""How good a policy is: games in which it plays every deal from every seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, Unpack

from granada.arena.intervals import interval_of_mean
from granada.learning import arrays
from granada.learning.bot_opponents import Player, opponents_of
from granada.learning.missing import missing
from granada.learning.seat_game import SeatGame
from granada.learning.terms import Arguments, terms_of

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None

#: Returns a token for each row of observations and masks.
Chooser: TypeAlias = Callable[[NDArray[np.uint8], NDArray[np.int8]], NDArray[np.int64]]


def results(
    choose: Chooser,
    edition: str = "alhambra",
    *,
    opponents: Player | Sequence[Player] = "random",
    deals: int = 50,
    seed: int = 0,
    **given: Unpack[Arguments],
) -> list[list[float]]:
    """Return the reward of each game by deal: each deal is played from every seat.

    The luck of the games of a deal has the same source; it differs as soon as different numbers are drawn.
    """
    terms = terms_of(edition, **given)
    numbers = np.random.default_rng(seed).integers(2**63, size=deals).tolist()
    games = [
        SeatGame(terms, number, opponents_of(opponents, terms.seats - 1), seat)
        for number in numbers
        for seat in range(terms.seats)
    ]
    rewards = np.zeros(len(games))
    active = list(range(len(games)))
    while active:
        playing = [games[index].game for index in active]
        observations = np.stack([arrays.observation(game, game.seat) for game in playing])
        masks = np.stack([arrays.mask(game) for game in playing])
        tokens = choose(observations, masks).tolist()
        for index, token in zip(active, tokens, strict=True):
            rewards[index] += games[index].choose(token)
        active = [index for index in active if not games[index].game.is_done]
    by_deal: list[list[float]] = rewards.reshape(deals, terms.seats).tolist()
    return by_deal


def mean_and_interval(rewards: Sequence[Sequence[float]]) -> tuple[float, float, float]:
    """Return the mean of rewards by deal, and the ends of its 95 % interval."""
    mean = float(np.mean([reward for deal in rewards for reward in deal]))
    low, high = interval_of_mean(rewards) or (mean, mean)
    return mean, low, high
