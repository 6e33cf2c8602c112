"""Hints: what the strongest bot would do for a seat. It thinks where all bots do, in the pool, never in the loop."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakKeyDictionary

from granada.bots import Advice
from granada.rules.state import State
from granada.tables.commands import deciding_seat, running
from granada.tables.errors import TableError
from granada.tables.fair_queue import Owner
from granada.tables.holders import Holder
from granada.tables.levels import strongest
from granada.tables.live_table import LiveTable
from granada.tables.log import shortened, warn
from granada.tables.ports import BotFailed, BotRunner, Metrics, NoMetrics
from granada.tables.reasons import idea_of
from granada.tables.requests import Hint
from granada.tables.table import Table

#: So many ideas are given at most.
IDEAS: Final = 3
#: The most hints that a holder can wait for at once, at several tables.
MOST_WAITING: Final = 4


class _Thinking:
    """A position, the bot that thinks about it or has done so, and how many wait for it."""

    def __init__(self, state: State, task: asyncio.Task[Hint]) -> None:
        self.state: Final = state
        self.task: Final = task
        self.waiting = 0
        self.is_given_up = False

    @property
    def has_failed(self) -> bool:
        """Whether it will never come to an answer."""
        task = self.task
        return self.is_given_up or (task.done() and (task.cancelled() or task.exception() is not None))


class Hints:
    """Asks the strongest bot, once a position: whoever asks again gets the same answer."""

    def __init__(self, runner: BotRunner, metrics: Metrics | None = None) -> None:
        self._runner: Final = runner
        self._metrics: Final[Metrics] = NoMetrics() if metrics is None else metrics
        #: What was last asked about at each table.
        self._asked: Final[WeakKeyDictionary[LiveTable, _Thinking]] = WeakKeyDictionary()
        #: By holder: how many hints are under way, of which the bots think about one.
        self._waiting: Final[Counter[str]] = Counter()
        self._locks: Final[dict[str, asyncio.Lock]] = {}

    async def hint(self, live: LiveTable, holder: Holder, wanted: int | None, address: str = "") -> Hint:
        """What a bot would do for a seat of the holder (from 1; None: the one that decides); TableError says why not.

        The bots think about one hint of a holder at a time; the time is charged to the address.

        When the last who waits for it is cancelled, the bot is, too.
        """
        table = live.table
        if table.options.aids == "purist":
            raise TableError("purist", "this table plays without aids")
        game = running(table)
        state, seat = game.state, deciding_seat(table, holder, wanted)
        asked = self._asked.get(live)
        if asked is None or asked.state is not state or asked.has_failed:
            asked = _Thinking(state, asyncio.create_task(self._think(table, state, seat, Owner(address, holder.hash))))
            asked.task.add_done_callback(_look_at)  # whoever waited for it may be gone
            self._asked[live] = asked
        try:
            found = await _shared(asked)
        except BotFailed:
            raise TableError("unavailable", "the bot has no idea now: ask again in a moment") from None
        if game.state is not state:
            raise TableError("stale", "the table has moved on while the bot was thinking")
        return found

    async def _think(self, table: Table, state: State, seat: int, owner: Owner) -> Hint:
        level, offers = strongest(), state.offers()
        if len(offers) == 1:
            return Hint(level, [idea_of(state, seat, Advice(offers[0]))])
        record, seed = str(table.record()), table.bot_seed()  # of this position: the table may go on meanwhile
        try:
            async with self._one_at_a_time(owner.table):
                with self._metrics.time_bot(level):
                    return Hint(level, await self._runner.advise(record, level, seed, IDEAS, owner))
        except BotFailed as failure:
            self._metrics.bot_failed(level)
            warn("bot failed", table=shortened(table.id), bot=level, reason=failure.loggable)
            raise

    @asynccontextmanager
    async def _one_at_a_time(self, holder: str) -> AsyncIterator[None]:
        """Wait until the other hints of a holder are there; TableError if too many of them wait already."""
        if self._waiting[holder] >= MOST_WAITING:
            raise TableError("too_many", "some of your hints are still to come: wait for them first")
        lock = self._locks.setdefault(holder, asyncio.Lock())
        self._waiting[holder] += 1
        try:
            async with lock:
                yield
        finally:
            self._waiting[holder] -= 1
            if not self._waiting[holder]:
                del self._waiting[holder]
                self._locks.pop(holder, None)


async def _shared(asked: _Thinking) -> Hint:
    """The answer that several may wait for; the last who leaves ends the thinking."""
    asked.waiting += 1
    try:
        return await asyncio.shield(asked.task)
    finally:
        asked.waiting -= 1
        if not asked.waiting and not asked.task.done():
            asked.is_given_up = True  # at once: until it has ended nobody else may begin to wait for it
            asked.task.cancel()


def _look_at(task: asyncio.Task[Hint]) -> None:
    """Take notice of how a task ended, so that nobody complains that nobody did."""
    if not task.cancelled():
        task.exception()
