"""Hints by the strongest bot, computed by the bot runner outside the event loop."""

from __future__ import annotations

import asyncio
from typing import Final
from weakref import WeakKeyDictionary

from granada.bots import Advice
from granada.rules.state import State
from granada.tables.asking import OneAtATime
from granada.tables.commands import deciding_seat, running
from granada.tables.errors import TableError
from granada.tables.fair_queue import Owner
from granada.tables.holders import Holder
from granada.tables.levels import strongest
from granada.tables.live_table import LiveTable
from granada.tables.log import shortened, warn
from granada.tables.ports import BotFailed, BotRunner, Metrics
from granada.tables.reasons import idea_of
from granada.tables.requests import Hint
from granada.tables.table import Table

#: The limit of recommended actions.
IDEAS: Final = 3


class _Thinking:
    """A hint for a position, computed or being computed, and the number of requests waiting for it."""

    def __init__(self, state: State, task: asyncio.Task[Hint]) -> None:
        self.state: Final = state
        self.task: Final = task
        self.waiting = 0
        self.is_given_up = False

    @property
    def has_failed(self) -> bool:
        """Return whether there will be no hint."""
        task = self.task
        return self.is_given_up or (task.done() and (task.cancelled() or task.exception() is not None))


class Hints:
    """Computes hints, once for each position; repeated requests get the same hint."""

    def __init__(self, runner: BotRunner, metrics: Metrics | None = None, asking: OneAtATime | None = None) -> None:
        self._runner: Final = runner
        self._metrics: Final = Metrics() if metrics is None else metrics
        #: The last hint of each table.
        self._asked: Final[WeakKeyDictionary[LiveTable, _Thinking]] = WeakKeyDictionary()
        self._asking: Final = OneAtATime() if asking is None else asking

    async def hint(self, live: LiveTable, holder: Holder, wanted: int | None, address: str = "") -> Hint:
        """Return a hint for a seat of the holder (from 1; None: the one that decides); raises TableError.

        Only one hint of a holder is computed at a time, and its time is charged to the address. The computation is
        cancelled when the last request for it is.
        """
        table = live.table
        if table.options.aids == "purist":
            raise TableError("purist", "Aids are turned off at this table.")
        if table.created.daily is not None and table.created.daily.counts:
            raise TableError("daily_hints", "There are no hints while a daily deal counts. Practice has them.")
        if table.created.puzzle is not None:
            raise TableError("puzzle", "There are no hints at a puzzle.")
        game = running(table)
        state, seat = game.state, deciding_seat(table, holder, wanted)
        asked = self._asked.get(live)
        if asked is None or asked.state is not state or asked.has_failed:
            asked = _Thinking(state, asyncio.create_task(self._think(table, state, seat, Owner(address, holder.hash))))
            asked.task.add_done_callback(_retrieve_exception)  # all requests for it may have been cancelled
            self._asked[live] = asked
        try:
            found = await _shared(asked)
        except BotFailed:
            raise TableError("unavailable", "The bot could not find a hint. Try again in a moment.") from None
        if game.state is not state:
            raise TableError("stale", "The table changed while the bot was thinking. Ask again if you need to.")
        return found

    async def _think(self, table: Table, state: State, seat: int, owner: Owner) -> Hint:
        level, offers = strongest(), state.offers()
        if len(offers) == 1:
            return Hint(level, [idea_of(state, seat, Advice(offers[0]))])
        record, seed = str(table.record()), table.bot_seed()  # read now, because the table may change meanwhile
        try:
            async with self._asking.turn(owner.table):
                with self._metrics.time_bot(level):
                    return Hint(level, await self._runner.advise(record, level, seed, IDEAS, owner))
        except BotFailed as failure:
            self._metrics.bot_failed(level)
            warn("bot failed", table=shortened(table.id), bot=level, reason=failure.loggable)
            raise


async def _shared(asked: _Thinking) -> Hint:
    """Wait for a hint that several requests share; cancel its computation with the last of them."""
    asked.waiting += 1
    try:
        return await asyncio.shield(asked.task)
    finally:
        asked.waiting -= 1
        if not asked.waiting and not asked.task.done():
            asked.is_given_up = True  # new requests must not share a task that is being cancelled
            asked.task.cancel()


def _retrieve_exception(task: asyncio.Task[Hint]) -> None:
    """Retrieve the exception of a task, so that asyncio does not log it as unretrieved."""
    if not task.cancelled():
        task.exception()
