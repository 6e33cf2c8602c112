"""A bot runner that turns its calls into jobs, for processes or workers that run them elsewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final

from granada.bots.analysis import GameAnalysis
from granada.tables.bot_jobs import (
    AdviceJob,
    Analysed,
    AnalysisJob,
    Answer,
    Choice,
    Compared,
    CompareJob,
    Failure,
    Ideas,
    Job,
    Work,
)
from granada.tables.fair_queue import Owner
from granada.tables.levels import spec_of
from granada.tables.ports import BotFailed
from granada.tables.requests import Idea

#: The owner of jobs that belong to no address.
NO_OWNER: Final = Owner("")


class JobRunner(ABC):
    """Implements `granada.tables.ports.BotRunner`; a subclass runs the jobs.

    Bots with a time budget get `think` seconds and `nodes` nodes (0: no limit). Cancelling a call removes its job from
    the queue, or stops it.
    """

    def __init__(self, think: float | None, nodes: int) -> None:
        self._think: Final = think
        self._nodes: Final = nodes

    async def choose(self, record: str, level: str, seed: str, owner: Owner = NO_OWNER) -> str:
        """Return a bot's action for the position at the end of a record; BotFailed if there is none in time."""
        answer = await self._answer(Job(record, self._spec(level), seed), owner)
        assert isinstance(answer, Choice)
        return answer.action

    async def advise(self, record: str, level: str, seed: str, count: int, owner: Owner = NO_OWNER) -> list[Idea]:
        """Return up to `count` actions that a bot advises, the best first; BotFailed if there are none."""
        answer = await self._answer(AdviceJob(record, self._spec(level), seed, count), owner)
        assert isinstance(answer, Ideas)
        return answer.ideas

    async def compare(
        self, record: str, level: str, seed: str, better: Sequence[str], worse: Sequence[str], owner: Owner = NO_OWNER
    ) -> Compared:
        """Return by how much a turn at the end of a record is better than another; BotFailed if it is unknown."""
        answer = await self._answer(CompareJob(record, self._spec(level), seed, list(better), list(worse)), owner)
        assert isinstance(answer, Compared)
        return answer

    async def review(self, work: AnalysisJob, report: Callable[[float], None]) -> GameAnalysis:
        """Return a bot's analysis of a finished game; `report` is called with the fraction done."""
        answer = await self._answer(work, NO_OWNER, report)
        assert isinstance(answer, Analysed)
        return answer.analysis

    def _spec(self, level: str) -> str:
        return level if self._think is None else spec_of(level, self._think, self._nodes)

    async def _answer(self, work: Work, owner: Owner, report: Callable[[float], None] | None = None) -> Answer:
        answer = await self._run(work, owner, report)
        if isinstance(answer, Failure):
            raise BotFailed(answer.reason)
        return answer

    @abstractmethod
    async def _run(self, work: Work, owner: Owner, report: Callable[[float], None] | None) -> Answer:
        """Return the answer to a job, after its owner's turn has come; BotFailed if there is none in time."""
