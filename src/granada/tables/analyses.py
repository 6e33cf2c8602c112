"""Analyses of finished games by the strongest bot: one at a time, in a separate low-priority process."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from dataclasses import replace
from typing import Final
from weakref import WeakKeyDictionary

from granada.bots import analysis
from granada.records.record import Record
from granada.tables.bot_jobs import AnalysisJob
from granada.tables.clock import clock
from granada.tables.errors import TableError
from granada.tables.fair_queue import FairTurns, Owner
from granada.tables.levels import strongest
from granada.tables.log import shortened, warn
from granada.tables.ports import BotFailed, BotRunner, Metrics
from granada.tables.requests import Analysis
from granada.tables.table import Table

#: Thinking time per game in seconds; the number of results kept in memory; the limit of the queue.
SECONDS: Final = 45.0
KEPT: Final = 200
MAX_WAITING: Final = 20
#: The limit of games of one address that are analysed or queued.
MAX_OF_ADDRESS: Final = 2
#: An analysis is cancelled after this many milliseconds without a request for it.
FORGOTTEN: Final = 30_000
#: Seconds between two checks whether the analysis is still wanted.
_ROUND: Final = 2.0
#: A fixed seed, so that analysing a game again gives the same result as far as timing allows.
_SEED: Final = "analysis"


class _Job:
    """An analysis and its progress."""

    def __init__(self, now: int, address: str) -> None:
        self.asked_at = now
        #: The address of the first request.
        self.address: Final = address
        self.part: float | None = None
        self.found: Analysis | None = None
        self.has_failed = False
        self.task: asyncio.Task[None] | None = None


class Analyses:
    """Analyses finished games while a client polls for the result, and caches the results in memory.

    The cache key is the content of the game, so several uploads of one record share its analysis.
    """

    def __init__(self, runner: BotRunner, metrics: Metrics | None = None, seconds: float = SECONDS) -> None:
        self._runner: Final = runner
        self._metrics: Final = Metrics() if metrics is None else metrics
        self._seconds: Final = seconds
        #: By a hash of the content of the game.
        self._known: Final[OrderedDict[str, _Job]] = OrderedDict()
        self._keys: Final[WeakKeyDictionary[Table, str]] = WeakKeyDictionary()
        self._turns: Final = FairTurns(1)

    def analysis(self, table: Table, address: str = "") -> Analysis:
        """Return the analysis of a finished game, or its progress; the first call starts it. Raises TableError."""
        key = self._key(table)
        job = self._known.get(key)
        if job is not None and job.has_failed:
            del self._known[key]  # the next request starts it again
            raise TableError("unavailable", "The analysis failed. Try again in a moment.")
        if job is None:
            under_way = [one.address for one in self._known.values() if one.task is not None]
            if under_way.count(address) >= MAX_OF_ADDRESS:
                raise TableError("too_many", "Two of your games are being analysed. Try again when one is done.")
            if len(under_way) > MAX_WAITING:
                raise TableError("too_many", "Too many games are waiting to be analysed. Try again later.")
            job = self._known[key] = _Job(clock(), address)
            job.task = asyncio.create_task(self._run(job, key, table))
            self._forget()
        job.asked_at = clock()
        self._known.move_to_end(key)
        if job.found is not None:
            return job.found
        if job.part is None:
            return Analysis("waiting", 0.0, strongest(), [], [], [])
        return Analysis("thinking", round(job.part, 3), strongest(), [], [], [])

    async def close(self) -> None:
        """Cancel all analyses."""
        tasks = [job.task for job in self._known.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self) -> None:
        """Drop the results that were requested least recently."""
        done = [key for key, job in self._known.items() if job.task is None]
        for key in done[: max(0, len(self._known) - KEPT)]:
            del self._known[key]

    def _key(self, table: Table) -> str:
        """Return a key for the content of the game, without its players and its table."""
        key = self._keys.get(table)
        if key is None:
            content = Record(table.rules_options())
            content.lines = table.record().lines
            key = self._keys[table] = hashlib.sha256(f"{table.options.open_money} {content}".encode()).hexdigest()
        return key

    async def _run(self, job: _Job, key: str, table: Table) -> None:
        """Analyse a game when its turn comes; stop if no client has asked for it lately."""
        work = asyncio.create_task(self._review(job, table))
        try:
            while not work.done() and clock() - job.asked_at < FORGOTTEN:
                await asyncio.wait({work}, timeout=_ROUND)
            if work.done():
                job.found = work.result()
            elif self._known.get(key) is job:
                del self._known[key]
        except BotFailed as failure:
            self._metrics.bot_failed(_SEED)
            warn("analysis failed", table=shortened(table.id), reason=failure.loggable)
            job.has_failed = True
        except Exception as error:  # a bug of ours: clients must not wait forever
            warn("analysis failed", table=shortened(table.id), reason=type(error).__name__)
            job.has_failed = True
        finally:
            work.cancel()
            job.task = None

    async def _review(self, job: _Job, table: Table) -> Analysis:
        async with self._turns.turn(Owner(job.address)):
            job.part = 0.0

            def report(part: float) -> None:
                job.part = part

            level, has_open_money = strongest(), table.options.open_money
            work = AnalysisJob(str(table.record()), level, _SEED, self._seconds, has_open_money)
            return _message(await self._runner.review(work, report), level)


def _message(found: analysis.GameAnalysis, level: str) -> Analysis:
    """Return the message of an analysis, with seats from 1."""
    decisions = [replace(decision, seat=decision.seat + 1) for decision in found.decisions]
    return Analysis("done", 1.0, level, found.chances, decisions, found.costly)
