"""Observations and masks as NumPy arrays, and the parts of an observation by name."""

from __future__ import annotations

from granada.learning.layout import PLANE_COUNT, flat_size, offsets, size_of
from granada.learning.missing import missing
from granada.learning.token_game import TokenGame
from granada.learning.tokens import TOKENS, WIDTH

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None


def observation(game: TokenGame, seat: int) -> NDArray[np.uint8]:
    """Return the observation of a seat."""
    found = np.empty(game.size, np.uint8)
    game.observe(seat, found.data)
    return found


def mask(game: TokenGame) -> NDArray[np.int8]:
    """Return the mask of the seat that has to choose: 1 for each token that can come next."""
    found = np.empty(TOKENS, np.int8)
    game.mask(found.data.cast("B"))
    return found


def parts(observations: NDArray[np.uint8], players: int) -> dict[str, NDArray[np.uint8]]:
    """Return the segments of observations (of one, or of many in rows) by name, as views."""
    return {name: observations[..., at : at + size] for name, (at, size) in offsets(players).items()}


def flat(observations: NDArray[np.uint8], players: int) -> NDArray[np.uint8]:
    """Return observations without the planes, as a view."""
    return observations[..., : flat_size(players)]


def planes(observations: NDArray[np.uint8], players: int) -> NDArray[np.uint8]:
    """Return the planes of observations as a view: players, planes, rows, columns, after the shape of the rows."""
    found = observations[..., flat_size(players) : size_of(players)]
    return found.reshape(*observations.shape[:-1], players, PLANE_COUNT, WIDTH, WIDTH)
