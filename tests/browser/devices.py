"""Tables as in a page without a server, but over SQLite: the dispatcher with all parts below it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy.engine import make_url

from granada.bots.analysis import GameAnalysis
from granada.browser.dispatcher import Dispatcher
from granada.server.store.notifier import LocalNotifier
from granada.server.store.sql_store import SqlStore
from granada.tables.bot_jobs import (
    AdviceJob,
    Analysed,
    AnalysisJob,
    Choice,
    Compared,
    CompareJob,
    Failure,
    Ideas,
    Job,
    Work,
)
from granada.tables.bot_work import answer
from granada.tables.fair_queue import Owner
from granada.tables.ports import BotFailed
from granada.tables.requests import Idea
from granada.tables.service import TableService

SECRET = "s" * 43
NO_OWNER = Owner("")


class QuickBots:
    """Runs every bot in this process, and hints and analyses by a bot that needs no time."""

    def __init__(self, level: str = "greedy") -> None:
        self.level = level

    async def start(self) -> None:
        """Nothing to start."""

    async def stop(self) -> None:
        """Nothing to stop."""

    async def choose(self, record: str, level: str, seed: str, owner: Owner = NO_OWNER) -> str:
        found = _answer(Job(record, level, seed))
        assert isinstance(found, Choice)
        return found.action

    async def advise(self, record: str, level: str, seed: str, count: int, owner: Owner = NO_OWNER) -> list[Idea]:
        found = _answer(AdviceJob(record, self.level, seed, count))
        assert isinstance(found, Ideas)
        return found.ideas

    async def compare(
        self, record: str, level: str, seed: str, better: Sequence[str], worse: Sequence[str], owner: Owner = NO_OWNER
    ) -> Compared:
        found = _answer(CompareJob(record, f"{self.level}:16n", seed, list(better), list(worse)))
        assert isinstance(found, Compared)
        return found

    async def review(self, work: AnalysisJob, progress: Callable[[float], None]) -> GameAnalysis:
        found = _answer(AnalysisJob(work.record, self.level, work.seed, work.seconds, work.open_money), progress)
        assert isinstance(found, Analysed)
        return found.analysis


def _answer(work: Work, report: Callable[[float], None] = lambda _: None) -> object:
    found = answer(work, report)
    if isinstance(found, Failure):
        raise BotFailed(found.reason)
    return found


@asynccontextmanager
async def device(folder: Path, bots: QuickBots | None = None) -> AsyncIterator[Dispatcher]:
    """Run the tables of a device and yield their dispatcher."""
    store = SqlStore(make_url(f"sqlite+aiosqlite:///{folder / 'device.sqlite'}"), worker="tab")
    await store.open()
    runner = QuickBots() if bots is None else bots
    tables = TableService(store, LocalNotifier(), runner, runner)
    tables.start()
    try:
        yield Dispatcher(tables, SECRET)
    finally:
        await tables.stop()
        await store.close()
        await asyncio.sleep(0)
