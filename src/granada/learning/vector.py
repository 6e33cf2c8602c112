"""The Gymnasium vector environment: many games in one call, in compiled code, on one core or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Unpack

from granada.learning.bot_opponents import Player
from granada.learning.missing import missing
from granada.learning.seats import Seat, first_seat
from granada.learning.terms import Arguments, terms_of
from granada.learning.tokens import TOKENS
from granada.learning.workers import ManyProcesses, OneProcess, Plan
from granada.rules.errors import BadOptions

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None


class GamesEnv(VectorEnv[NDArray[np.uint8], NDArray[np.int64], NDArray[Any]]):
    """Many games, each as `SeatEnv` plays one; a game that ends is replaced in the same step.

    The arrays are written in place, and copied for the caller unless `copy` is False; then they must only be read. With
    `processes`, the games are divided among as many processes.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # type: ignore[misc]

    def __init__(
        self,
        num_envs: int = 1,
        edition: str = "alhambra",
        *,
        seat: Seat = 0,
        opponents: Player | Sequence[Player] = "random",
        processes: int = 1,
        copy: bool = True,
        render_mode: None = None,
        **given: Unpack[Arguments],
    ) -> None:
        if not 1 <= processes <= num_envs:
            raise BadOptions(f"{num_envs} games cannot be divided among {processes} processes (2.1)")
        self.terms = terms_of(edition, **given)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._copies = copy
        plan = Plan(self.terms, first_seat(seat), seat == "rotate", opponents, num_envs)
        self._workers = OneProcess(plan) if processes == 1 else ManyProcesses(plan, processes)
        size = plan.size
        self._observations = np.frombuffer(self._workers.observations, np.uint8).reshape(num_envs, size)
        self._masks = np.frombuffer(self._workers.masks, np.int8).reshape(num_envs, TOKENS)
        self.single_observation_space = spaces.Box(0, 255, (size,), np.uint8)
        self.single_action_space = spaces.Discrete(TOKENS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin new games; a seed gives the first game its seed, and the others the following ones."""
        if seed is None:
            seeds = [int(number) for number in self.np_random.integers(2**63, size=self.num_envs)]
        elif isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            seeds = [int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = [int(number) for number in seed]
            if len(seeds) != self.num_envs:
                raise ValueError(f"{len(seeds)} seeds are given for {self.num_envs} games")
        self._workers.restart(seeds)
        return self._observed(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.uint8], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Choose a token in each game."""
        workers = self._workers
        tokens = np.asarray(actions)
        if tokens.shape != (self.num_envs,):
            raise ValueError(f"actions of the shape {tokens.shape} are given for {self.num_envs} games")
        workers.step(tokens.tolist())
        infos = self._infos()
        if not workers.endings and not self.terms.shaping:  # as after most steps
            nothing = np.zeros(self.num_envs, np.bool_)
            return self._observed(), np.zeros(self.num_envs), nothing, nothing.copy(), infos
        self._add_endings(infos)
        return (
            self._observed(),
            np.array(workers.rewards),
            np.array(workers.terminated),
            np.array(workers.truncated),
            infos,
        )

    def action_masks(self) -> NDArray[np.int8]:
        """Return for each game 1 for each token that can come next."""
        return self._masks.copy() if self._copies else self._masks

    def _observed(self) -> NDArray[np.uint8]:
        return self._observations.copy() if self._copies else self._observations

    def _infos(self) -> dict[str, Any]:
        """Return the masks, the seats that choose next, and what the last step was worth to every seat."""
        workers = self._workers
        # Without shaping, only the end of a game is worth something.
        is_rewarded = workers.endings or self.terms.shaping
        return {
            "action_mask": self.action_masks(),
            "seat": np.array(workers.seats),
            "rewards": np.array(workers.all_rewards) if is_rewarded else np.zeros((self.num_envs, self.terms.seats)),
        }

    def _add_endings(self, infos: dict[str, Any]) -> None:
        """Add the last observations and infos of games that ended, as Gymnasium's own do, and illegal tokens."""
        if not self._workers.endings:
            return
        count, seats = self.num_envs, self.terms.seats
        has_ended, is_illegal = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        observations, reasons = np.full(count, None, object), np.full(count, None, object)
        last_seats, points, rewards = np.zeros(count, np.int64), np.zeros((count, seats), np.int64), infos["rewards"]
        for index, last, illegal, seat, scores in self._workers.endings:
            has_ended[index] = True
            observations[index] = np.frombuffer(last, np.uint8)
            last_seats[index], points[index] = seat, scores
            if illegal:
                is_illegal[index] = True
                reasons[index] = illegal
        final = {
            "action_mask": np.zeros((count, TOKENS), np.int8),
            "seat": last_seats,
            "points": points,
            "rewards": np.where(has_ended[:, None], rewards, 0.0),
        }
        infos["final_info"] = final | {f"_{key}": has_ended.copy() for key in final}
        infos["final_info"] |= {"illegal": reasons.copy(), "_illegal": is_illegal.copy()}
        infos |= {"final_obs": observations, "_final_obs": has_ended, "_final_info": has_ended.copy()}
        infos |= {"illegal": reasons, "_illegal": is_illegal}

    def close_extras(self, **kwargs: Any) -> None:
        """End the processes."""
        self._workers.close()
