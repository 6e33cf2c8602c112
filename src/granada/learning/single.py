"""The Gymnasium environment: one seat, or every seat in turn, against any mix of opponents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Unpack

from granada.drawing import draw_table, svg_table
from granada.learning import arrays
from granada.learning.batch import ILLEGAL_REWARD, illegal_rewards
from granada.learning.bot_opponents import Player, opponents_of
from granada.learning.illegal import reason
from granada.learning.missing import missing
from granada.learning.partial_word import IllegalToken
from granada.learning.raster import picture
from granada.learning.seat_game import EVERY_SEAT, SeatGame
from granada.learning.seats import Seat, first_seat
from granada.learning.terms import Arguments, terms_of
from granada.learning.tokens import TOKENS

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")


class SeatEnv(gymnasium.Env[NDArray[np.uint8], int]):
    """A game as one seat plays it; an action is a token, and opponents play until the seat has to choose again."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [*RENDER_MODES], "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        edition: str = "alhambra",
        *,
        seat: Seat = 0,
        opponents: Player | Sequence[Player] = "random",
        render_mode: str | None = None,
        **given: Unpack[Arguments],
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"the render mode '{render_mode}' is none of {', '.join(RENDER_MODES)}")
        self.terms = terms_of(edition, **given)
        self.render_mode = render_mode
        self._first = first_seat(seat)
        others = [] if self._first == EVERY_SEAT else opponents_of(opponents, self.terms.seats - 1)
        self._game = SeatGame(self.terms, 0, others, self._first, seat == "rotate")
        self.observation_space = spaces.Box(0, 255, (self._game.game.size,), np.uint8)
        self.action_space = spaces.Discrete(TOKENS)  # type: ignore[assignment]
        self._is_new = True

    @property
    def game(self) -> SeatGame:
        """The game that is played."""
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin the next game; a seed begins the first game of a sequence that is always the same."""
        super().reset(seed=None if seed is None else int(seed))
        if seed is not None or self._is_new:
            self._game.restart(int(self.np_random.integers(2**63)), self._first)
            self._is_new = False
        else:
            self._game.restart()
        self._print()
        return self._observe(self._game.seat), self._info()

    def step(self, action: int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Choose a token; an illegal one ends the game, with the rule in the info."""
        seat_game = self._game
        seat = seat_game.seat
        try:
            reward = seat_game.choose(int(action))
        except IllegalToken:
            info = self._last_info(seat, illegal_rewards(self.terms.seats, seat))
            info["illegal"] = reason(seat_game.game.partial_word, int(action))
            return self._observe(seat), ILLEGAL_REWARD, True, False, info
        self._print()
        game = seat_game.game
        if game.is_done:
            return self._observe(seat), reward, game.is_over, game.is_truncated, self._last_info(seat, game.earned)
        return self._observe(seat_game.seat), reward, False, False, self._info()

    def _observe(self, seat: int) -> NDArray[np.uint8]:
        return arrays.observation(self._game.game, seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "seat": self._game.seat}

    def _last_info(self, seat: int, rewards: list[float]) -> dict[str, Any]:
        """Return the info after the end, with the points and what the last step was worth to every seat."""
        points = [player.score for player in self._game.game.state.players]
        return {"action_mask": np.zeros(TOKENS, np.int8), "seat": seat, "points": points, "rewards": rewards}

    def action_masks(self) -> NDArray[np.int8]:
        """Return 1 for each token that can come next (sb3-contrib calls this)."""
        return arrays.mask(self._game.game)

    def render(self) -> Any:
        """Return what the seat may see as text, as SVG or as pixels; or print it (`human`)."""
        view = self._game.game.state.view(self._game.seat, self.terms.memory)
        if self.render_mode == "svg":
            return svg_table(view)
        if self.render_mode == "rgb_array":
            return picture(view)
        text = draw_table(view)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def _print(self) -> None:
        if self.render_mode == "human":
            self.render()
