"""Games that are over, looked at by the strongest bot: one at a time, in a process of its own, behind all others."""

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
from granada.tables.ports import BotFailed, BotRunner, Metrics, NoMetrics
from granada.tables.requests import Analysis
from granada.tables.table import Table

#: So many seconds of thinking a game gets; how many of the last games are kept, and how many may wait for their turn.
SECONDS: Final = 45.0
KEPT: Final = 200
MOST_WAITING: Final = 20
#: The most games of one address that are analysed or wait.
MOST_OF_ADDRESS: Final = 2
#: What nobody has asked about for so many milliseconds is given up.
FORGOTTEN: Final = 30_000
#: Seconds between two looks whether anybody still wants it.
_ROUND: Final = 2.0
#: The same look at the same game, as far as the time allows.
_SEED: Final = "analysis"


class _Looking:
    """How far the look at a game has come."""

    def __init__(self, now: int, address: str) -> None:
        self.asked_at = now
        #: The address of the first request.
        self.address: Final = address
        self.part: float | None = None
        self.found: Analysis | None = None
        self.has_failed = False
        self.task: asyncio.Task[None] | None = None


class Analyses:
    """Looks at games that are over as long as somebody waits for it; what was found is kept in memory.

    A game is identified by its content: another upload of the record, or another table with it, shares the analysis.
    """

    def __init__(self, runner: BotRunner, metrics: Metrics | None = None, seconds: float = SECONDS) -> None:
        self._runner: Final = runner
        self._metrics: Final[Metrics] = NoMetrics() if metrics is None else metrics
        self._seconds: Final = seconds
        #: By the content of the game.
        self._known: Final[OrderedDict[str, _Looking]] = OrderedDict()
        self._keys: Final[WeakKeyDictionary[Table, str]] = WeakKeyDictionary()
        self._turns: Final = FairTurns(1)

    def analysis(self, table: Table, address: str = "") -> Analysis:
        """What is known of a game that is over; who asks for the first time sets it going. TableError says why not."""
        key = self._key(table)
        looking = self._known.get(key)
        if looking is not None and looking.has_failed:
            del self._known[key]  # the next request begins again
            raise TableError("unavailable", "the bot could not look at this game: ask again in a moment")
        if looking is None:
            under_way = [one.address for one in self._known.values() if one.task is not None]
            if under_way.count(address) >= MOST_OF_ADDRESS:
                raise TableError("too_many", "two of your games are being analysed already: ask again when one is done")
            if len(under_way) > MOST_WAITING:
                raise TableError("too_many", "so many games wait to be looked at that no other can: ask again later")
            looking = self._known[key] = _Looking(clock(), address)
            looking.task = asyncio.create_task(self._look(looking, key, table))
            self._forget()
        looking.asked_at = clock()
        self._known.move_to_end(key)
        if looking.found is not None:
            return looking.found
        if looking.part is None:
            return Analysis("waiting", 0.0, strongest(), [], [], [])
        return Analysis("thinking", round(looking.part, 3), strongest(), [], [], [])

    async def close(self) -> None:
        """Give everything up."""
        tasks = [looking.task for looking in self._known.values() if looking.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self) -> None:
        """Keep the games that were asked about last."""
        done = [key for key, looking in self._known.items() if looking.task is None]
        for key in done[: max(0, len(self._known) - KEPT)]:
            del self._known[key]

    def _key(self, table: Table) -> str:
        """Return a key that is the same for the same game, regardless of its players and its table."""
        key = self._keys.get(table)
        if key is None:
            content = Record(table.rules_options())
            content.lines = table.record().lines
            key = self._keys[table] = hashlib.sha256(f"{table.options.open_money} {content}".encode()).hexdigest()
        return key

    async def _look(self, looking: _Looking, key: str, table: Table) -> None:
        """Look at a game once it is its turn, unless everybody who asked is gone."""
        work = asyncio.create_task(self._review(looking, table))
        try:
            while not work.done() and clock() - looking.asked_at < FORGOTTEN:
                await asyncio.wait({work}, timeout=_ROUND)
            if work.done():
                looking.found = work.result()
            elif self._known.get(key) is looking:
                del self._known[key]
        except BotFailed as failure:
            self._metrics.bot_failed(_SEED)
            warn("analysis failed", table=shortened(table.id), reason=failure.loggable)
            looking.has_failed = True
        except Exception as error:  # a fault of ours: whoever asked must not wait for ever
            warn("analysis failed", table=shortened(table.id), reason=type(error).__name__)
            looking.has_failed = True
        finally:
            work.cancel()
            looking.task = None

    async def _review(self, looking: _Looking, table: Table) -> Analysis:
        async with self._turns.turn(Owner(looking.address)):
            looking.part = 0.0

            def report(part: float) -> None:
                looking.part = part

            level, has_open_money = strongest(), table.options.open_money
            work = AnalysisJob(str(table.record()), level, _SEED, self._seconds, has_open_money)
            return _message(await self._runner.review(work, report), level)


def _message(found: analysis.Analysis, level: str) -> Analysis:
    """The message of an analysis: seats are counted from 1."""
    decisions = [replace(decision, seat=decision.seat + 1) for decision in found.decisions]
    return Analysis("done", 1.0, level, found.chances, decisions, found.costly)
