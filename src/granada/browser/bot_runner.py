"""The bots of a page: quick ones think in this interpreter, the others in a second worker that can be killed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final, TypeVar

import msgspec

from granada.bots import BOTS
from granada.bots.search import SearchBot
from granada.browser.bridge import BotWorker
from granada.tables import bot_work
from granada.tables.bot_jobs import Answer, Job, Progress, Work
from granada.tables.fair_queue import FairTurns, Owner
from granada.tables.job_runner import JobRunner
from granada.tables.ports import BotFailed

T = TypeVar("T")
#: The worker may take this multiple of the time limit to start; on a slow device that is not the bot's fault.
START_FACTOR: Final = 3.0
#: A job waits for its turn up to this multiple of the time limit, so that slow bots cannot block a table forever.
MAX_WAIT_FACTOR: Final = 2.0

_encoder: Final = msgspec.json.Encoder()
_decoder: Final[msgspec.json.Decoder[Answer]] = msgspec.json.Decoder(Answer)


def is_quick(level: str) -> bool:
    """Return whether a bot decides within milliseconds, so that it need not leave this interpreter."""
    return level in BOTS and not issubclass(BOTS[level], SearchBot)


class BrowserBots(JobRunner):
    """Runs quick bots here and all other jobs in a worker, one at a time; the worker is started for the first of them.

    The time limit, in seconds, applies to one answer. Bots with a time budget get `think` seconds and `nodes` nodes (0:
    no limit). If `keeps_worker` is False, the worker is ended after each job, to free its memory.
    """

    def __init__(
        self,
        worker: BotWorker,
        time_limit: float,
        think: float | None = None,
        nodes: int = 0,
        keeps_worker: bool = True,
    ) -> None:
        super().__init__(think, nodes)
        self._worker: Final = worker
        self._time_limit: Final = time_limit
        self._keeps_worker: Final = keeps_worker
        self._turns: Final = FairTurns(1)

    async def _run_here(self, work: Work) -> Answer:
        await asyncio.sleep(0)  # messages of the page that have arrived come first
        return bot_work.answer(work, lambda _: None)

    async def _run(self, work: Work, owner: Owner, report: Callable[[float], None] | None) -> Answer:
        if type(work) is Job and is_quick(work.spec.partition(":")[0]):
            return await self._run_here(work)
        async with self._turn(owner):
            try:
                answer = await self._ask(work, report)
            except BaseException:
                self._worker.kill()
                raise
            if not self._keeps_worker:
                self._worker.kill()
        return answer

    @asynccontextmanager
    async def _turn(self, owner: Owner) -> AsyncIterator[None]:
        """Wait for the owner's turn to use the worker."""
        async with AsyncExitStack() as stack:
            try:
                await stack.enter_async_context(self._turns.turn(owner, MAX_WAIT_FACTOR * self._time_limit))
            except TimeoutError:
                raise BotFailed("the worker was not free in time") from None
            yield

    async def _ask(self, work: Work, report: Callable[[float], None] | None) -> Answer:
        """Return the answer to a job; the time limit starts again after each progress report."""
        await _within(START_FACTOR * self._time_limit, self._worker.start())
        self._worker.send(_encoder.encode(work).decode())
        while isinstance(answer := _decoder.decode(await self._receive()), Progress):
            if report is not None:
                report(answer.part)
        return answer

    async def _receive(self) -> str:
        return await _within(self._time_limit, self._worker.receive())


async def _within(limit: float, waiting: Awaitable[T]) -> T:
    """Return the result of a Promise of the worker; BotFailed if it is rejected or does not come within the limit."""
    try:
        async with asyncio.timeout(limit):
            return await waiting
    except TimeoutError:
        raise BotFailed(f"no answer came within {limit:g} s") from None
    except Exception as error:
        raise BotFailed(f"its worker ended: {error}") from None
