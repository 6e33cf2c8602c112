"""Batches of games, in this process or in several that write into shared memory."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import Any, Final

from granada.learning.batch import Batch, Ending
from granada.learning.bot_opponents import Player, opponents_of
from granada.learning.layout import size_of
from granada.learning.seat_game import EVERY_SEAT, SeatGame
from granada.learning.token_game import Terms
from granada.learning.tokens import TOKENS


class Plan:
    """What a vector environment plays: the terms, the seat of the learner in the first game, and the opponents."""

    def __init__(
        self, terms: Terms, first: int, rotates: bool, opponents: Player | Sequence[Player], count: int
    ) -> None:
        self.terms: Final = terms
        self.first: Final = first
        self.rotates: Final = rotates
        self.opponents: Final = opponents
        self.count: Final = count
        self.size: Final = size_of(terms.seats)

    def game(self, index: int) -> SeatGame:
        """Return a game; if the seat rotates, each game begins with the next one."""
        seats = self.terms.seats
        if self.first == EVERY_SEAT:
            return SeatGame(self.terms, index, [], EVERY_SEAT)
        own = (self.first + index) % seats if self.rotates else self.first
        return SeatGame(self.terms, index, opponents_of(self.opponents, seats - 1), own, self.rotates)

    def batch(self, games: range, observations: Any, masks: Any) -> Batch:
        """Return some of the games, which write into their parts of the buffers."""
        first, last = games.start, games.stop
        return Batch(
            [self.game(index) for index in games],
            memoryview(observations).cast("B")[first * self.size : last * self.size],
            memoryview(masks).cast("B")[first * TOKENS : last * TOKENS],
        )


class OneProcess:
    """All games in this process."""

    def __init__(self, plan: Plan) -> None:
        self.observations: Final = bytearray(plan.count * plan.size)
        self.masks: Final = bytearray(plan.count * TOKENS)
        self._batch: Final = plan.batch(range(plan.count), self.observations, self.masks)
        self.rewards: Final = self._batch.rewards
        self.all_rewards: Final = self._batch.all_rewards
        self.terminated: Final = self._batch.terminated
        self.truncated: Final = self._batch.truncated
        self.seats: Final = self._batch.seats
        self.endings: Final = self._batch.endings

    def restart(self, seeds: list[int]) -> None:
        """Begin new games."""
        self._batch.restart(seeds)

    def step(self, tokens: list[int]) -> None:
        """Choose a token in each game."""
        self._batch.step(tokens)

    def close(self) -> None:
        """Release nothing."""


class ManyProcesses:
    """The games divided among processes, which write observations and masks into shared memory."""

    def __init__(self, plan: Plan, processes: int) -> None:
        plan.game(0)  # so that wrong opponents are refused here
        context = multiprocessing.get_context("spawn")
        self.observations: Final = context.RawArray("B", plan.count * plan.size)
        self.masks: Final = context.RawArray("B", plan.count * TOKENS)
        self.rewards: Final = [0.0] * plan.count
        self.all_rewards: Final = [[0.0] * plan.terms.seats] * plan.count
        self.terminated: Final = [False] * plan.count
        self.truncated: Final = [False] * plan.count
        self.seats: Final = [0] * plan.count
        self.endings: Final[list[Ending]] = []
        share, extra = divmod(plan.count, processes)
        self._parts: Final[list[slice]] = []
        self._pipes: Final[list[Connection]] = []
        self._processes: Final = []
        first = 0
        for number in range(processes):
            last = first + share + (number < extra)
            here, there = context.Pipe()
            process = context.Process(
                target=work,
                args=(there, plan, range(first, last), self.observations, self.masks),
                daemon=True,
            )
            process.start()
            there.close()
            self._parts.append(slice(first, last))
            self._pipes.append(here)
            self._processes.append(process)
            first = last

    def restart(self, seeds: list[int]) -> None:
        """Begin new games."""
        self._ask("restart", seeds)

    def step(self, tokens: list[int]) -> None:
        """Choose a token in each game."""
        self._ask("step", tokens)

    def _ask(self, method: str, numbers: list[int]) -> None:
        for pipe, part in zip(self._pipes, self._parts, strict=True):
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the process ended, and its pipe says why
                pipe.send((method, numbers[part]))
        self.endings.clear()
        answers = [_received(pipe) for pipe in self._pipes]
        for part, answer in zip(self._parts, answers, strict=True):
            if isinstance(answer, Exception):
                raise answer
            rewards, all_rewards, terminated, truncated, seats, endings = answer
            self.rewards[part] = rewards
            self.all_rewards[part] = all_rewards
            self.terminated[part] = terminated
            self.truncated[part] = truncated
            self.seats[part] = seats
            self.endings.extend([(part.start + index, *others) for index, *others in endings])

    def close(self) -> None:
        """End the processes."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join()
            process.close()
        self._pipes.clear()
        self._processes.clear()


def _received(pipe: Connection) -> Any:
    """Return what a process answers; an error if it has ended."""
    try:
        return pipe.recv()
    except (EOFError, ConnectionResetError):
        return RuntimeError("a process of the vector environment has ended; make a new environment")


def work(pipe: Connection, plan: Plan, games: range, observations: Any, masks: Any) -> None:
    """Run some games in a process, until the pipe is closed."""
    try:
        batch = plan.batch(games, observations, masks)
        while True:
            method, numbers = pipe.recv()
            getattr(batch, method)(numbers)
            pipe.send((batch.rewards, batch.all_rewards, batch.terminated, batch.truncated, batch.seats, batch.endings))
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        return
    except Exception as error:  # an opponent of the caller may raise anything
        try:
            pipe.send(error)
        except Exception:  # it cannot be pickled
            pipe.send(RuntimeError(f"{type(error).__name__}: {error}"))
