"""The bots of a page: a hanging or crashing worker fails only its own job, as the bot pool of a server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from granada.browser import bot_worker
from granada.browser.bot_runner import BrowserBots, is_quick
from granada.tables.bot_jobs import AdviceJob, AnalysisJob, Job
from granada.tables.bot_work import advise, choose
from granada.tables.ports import BotFailed
from tests.server.test_bot_pool import record, whole

LONG = 60.0


class FakeWorker:
    """A second worker in this process; its faults are chosen by the test."""

    def __init__(self) -> None:
        self.starts = self.kills = 0
        self.is_running = False
        #: What happens to the next jobs: "hang" or "crash"; otherwise they are answered.
        self.faults: list[str] = []
        self._messages: asyncio.Queue[str | None] = asyncio.Queue()

    async def start(self) -> object:
        if not self.is_running:
            self.starts += 1
            self.is_running = True
        return None

    def send(self, job: str) -> None:
        fault = self.faults.pop(0) if self.faults else ""
        if fault == "crash":
            self._messages.put_nowait(None)
        elif not fault:
            self._messages.put_nowait(bot_worker.answer(job, self._messages.put_nowait))

    async def receive(self) -> str:
        message = await self._messages.get()
        if message is None:
            raise RuntimeError("out of memory")
        return message

    def kill(self) -> None:
        self.kills += 1
        self.is_running = False
        self._messages = asyncio.Queue()


def with_bots(
    work: Callable[[BrowserBots, FakeWorker], Awaitable[None]], limit: float = LONG, keeps_worker: bool = True
) -> None:
    async def run() -> None:
        worker = FakeWorker()
        await work(BrowserBots(worker, limit, keeps_worker=keeps_worker), worker)

    asyncio.run(run())


async def check_works(bots: BrowserBots) -> None:
    """Check that the worker still answers."""
    assert await bots.advise(record(), "greedy", "7", 3) == advise(AdviceJob(record(), "greedy", "7", 3))


def test_quick_bots_need_no_worker() -> None:
    async def work(bots: BrowserBots, worker: FakeWorker) -> None:
        for level in ("random", "novice", "greedy", "builder", "mason", "courtier"):
            assert await bots.choose(record(), level, "7") == choose(Job(record(), level, "7"))
        assert worker.starts == 0

    with_bots(work)
    assert not is_quick("search")
    assert not is_quick("strongest")


def test_the_worker_starts_once_for_many_jobs() -> None:
    async def work(bots: BrowserBots, worker: FakeWorker) -> None:
        await asyncio.gather(*[check_works(bots) for _ in range(3)])
        assert (worker.starts, worker.kills) == (1, 0)

    with_bots(work)


def test_a_hanging_worker_is_killed_after_the_time_limit() -> None:
    async def work(bots: BrowserBots, worker: FakeWorker) -> None:
        worker.faults = ["hang"]
        with pytest.raises(BotFailed, match=r"^no answer came within 0.2 s$"):
            await bots.choose(record(), "search:5n", "7")
        assert (worker.kills, worker.is_running) == (1, False)

    with_bots(work, 0.2)


def test_a_crashing_worker_fails_only_its_job() -> None:
    async def work(bots: BrowserBots, worker: FakeWorker) -> None:
        worker.faults = ["crash"]
        with pytest.raises(BotFailed, match="its worker ended") as failed:
            await bots.advise(record(), "greedy", "7", 3)
        assert failed.value.loggable == "its worker ended"
        await check_works(bots)
        assert worker.starts == 2

    with_bots(work)


def test_a_bot_that_fails_keeps_the_worker() -> None:
    async def work(bots: BrowserBots, worker: FakeWorker) -> None:
        with pytest.raises(BotFailed, match="nobody"):
            await bots.advise(record(), "nobody", "7", 3)
        assert worker.kills == 0

    with_bots(work)


def test_a_cancelled_job_kills_the_worker_and_a_waiting_one_is_dropped() -> None:
    async def work(bots: BrowserBots, worker: FakeWorker) -> None:
        worker.faults = ["hang"]
        running = asyncio.create_task(bots.advise(record(), "greedy", "7", 3))
        waiting = asyncio.create_task(bots.advise(record(), "greedy", "7", 3))
        while worker.faults:
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert (waiting.cancelled(), worker.kills) == (True, 0)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert (running.cancelled(), worker.kills) == (True, 1)
        await check_works(bots)

    with_bots(work)


def test_an_analysis_reports_progress_and_frees_its_worker() -> None:
    async def work(bots: BrowserBots, worker: FakeWorker) -> None:
        progress: list[float] = []
        found = await bots.review(AnalysisJob(whole(), "random", "s", 1.0), progress.append)
        assert progress == sorted(progress)
        assert len(progress) > 5
        assert len(found.chances) == len([line for line in whole().split("\n") if line[:1].isdigit()]) + 1
        assert (worker.starts, worker.kills) == (1, 1)

    with_bots(work, keeps_worker=False)
