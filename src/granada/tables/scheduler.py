"""The scheduler of tables: lets bots play, clocks expire, and bots take over for those who are away."""

from __future__ import annotations

import asyncio
import contextlib
import random
from dataclasses import dataclass
from typing import Final, Literal

from granada.bots import RandomBot
from granada.records.notation import action_text
from granada.rules.bonus import REVEALING
from granada.tables.cleanup import Cleanup
from granada.tables.clock import clock
from granada.tables.commands import Proposal, expire, play
from granada.tables.entries import Resumed
from granada.tables.errors import TableError
from granada.tables.fair_queue import Owner
from granada.tables.live_table import LiveTable
from granada.tables.lobby import hand_over
from granada.tables.log import fail, shortened, warn
from granada.tables.ports import BotFailed, BotRunner, Notifier, Unavailable
from granada.tables.presence import Presence
from granada.tables.registry import TableRegistry
from granada.tables.table import Table

#: A bot that plays when another fails.
SUBSTITUTE: Final = "greedy"
#: Seconds between two looks at all tables, and before something that failed is tried again.
ROUND: Final = 5.0
AGAIN: Final = 1.0
#: Milliseconds after which a table that nobody uses is put out of memory.
IDLE: Final = 5 * 60_000
#: The rounds between two announcements to other processes of who is here.
ANNOUNCING: Final = 3


@dataclass(frozen=True)
class ScheduledTask:
    """What is to be done at a table next, and when (milliseconds)."""

    what: Literal["bot", "expire", "hand_over"]
    seat: int
    #: How many actions were played: another position is another duty, another name at the table is not.
    n: int
    at: int
    level: str | None = None


def next_task(live: LiveTable) -> ScheduledTask | None:
    """What a table waits for that no person brings."""
    table = live.table
    seat = table.deciding()
    if seat is None or table.game is None:
        return None
    n = table.game.state.n
    if table.bot_for(seat) is not None:
        return ScheduledTask("bot", seat, n, 0, table.bot_for(seat))
    tasks: list[ScheduledTask] = []
    takeover_at = live.takeover_at(seat)
    if takeover_at is not None:
        tasks.append(ScheduledTask("hand_over", seat, n, takeover_at))
    expires_at = table.clocks.expires_at()
    if expires_at is not None:
        tasks.append(ScheduledTask("expire", seat, n, expires_at))
    return min(tasks, key=lambda duty: duty.at, default=None)


def _count(table: Table) -> int:
    return 0 if table.game is None else table.game.state.n


class Scheduler:
    """Does the tasks of all tables that this process keeps."""

    def __init__(
        self,
        registry: TableRegistry,
        presence: Presence,
        runner: BotRunner,
        notifier: Notifier,
        pause: float,
        keep_days: int,
    ) -> None:
        self._registry: Final = registry
        self._presence: Final = presence
        self._runner: Final = runner
        self._notifier: Final = notifier
        self._pause: Final = pause
        self._cleaner: Final = Cleanup(registry.store, keep_days)
        self._is_open = True
        #: The tables that were adopted after this process started, or another died.
        self._adopted: Final[set[str]] = set()
        self._soon: Final = asyncio.Event()
        registry.changed = self.look

    def look(self, live: LiveTable) -> None:
        """See whether a table has another duty now."""
        duty = next_task(live) if self._is_open else None
        if duty == live.scheduled:
            return  # also if the last viewer has left: a bot that is thinking plays its action, and the next one waits
        if duty is not None and duty.what == "bot" and live.watching(clock()) == "nobody":
            duty = None  # the first visitor makes the scheduler look again
        if live.task is not None:
            live.task.cancel()
        live.scheduled = duty
        live.task = asyncio.create_task(self._do(live, duty)) if duty is not None else None

    async def _do(self, live: LiveTable, duty: ScheduledTask) -> None:
        try:
            if not await self._notifier.claim(live.table.id):
                live.scheduled = None  # whoever keeps it does it; if nobody does any more, the next round will see
                return
            if duty.what == "bot":
                await self._let_bot_play(live, duty)
            else:
                await asyncio.sleep(max(0.0, (duty.at - clock()) / 1000))
                await self._registry.change(live.table.id, lambda table: self._due(table, duty))
        except (TableError, Unavailable):
            await asyncio.sleep(AGAIN)
            self._look_again(live, duty)
        except Exception as error:  # one table must never stop the others
            fail("duty failed", error, table=shortened(live.table.id), duty=duty.what)
            await asyncio.sleep(AGAIN)
            self._look_again(live, duty)

    def _look_again(self, live: LiveTable, duty: ScheduledTask) -> None:
        if live.scheduled == duty:
            live.scheduled = live.task = None
            self.look(live)

    def _due(self, table: Table, duty: ScheduledTask) -> Proposal:
        if table.waits_for_person() != duty.seat or _count(table) != duty.n:
            raise TableError("stale", "somebody was quicker")
        if duty.what == "expire":
            expires_at = table.clocks.expires_at()
            if expires_at is None or expires_at > clock():
                raise TableError("stale", "there is time again")
            return expire(table, duty.seat)
        return hand_over(table, duty.seat)

    # Bots

    async def _let_bot_play(self, live: LiveTable, duty: ScheduledTask) -> None:
        table, level = live.table, duty.level
        assert level is not None
        if self._pause and live.watching(clock()) == "person":
            await asyncio.sleep(self._pause)
        text = await self._choice(table, level, live.owner())

        def decide(now: Table) -> Proposal:
            if now.deciding() != duty.seat or now.bot_for(duty.seat) != duty.level or _count(now) != duty.n:
                raise TableError("stale", "somebody was quicker")
            return play(now, duty.seat, text, "bot")

        await self._registry.change(table.id, decide)

    async def _choice(self, table: Table, level: str, owner: Owner) -> str:
        """What a bot plays; if it fails a simpler one plays, and if that fails any offered action is."""
        game = table.game
        assert game is not None
        seed = table.bot_seed()
        offers = game.state.offers()
        # Before a scoring the answer takes its time: how soon it came would tell what a bot can reveal (16.2).
        if len(offers) == 1 and game.state.step is not REVEALING:
            return action_text(offers[0])
        record = str(table.record())
        for one in (level, SUBSTITUTE):
            try:
                with self._registry.metrics.time_bot(one):
                    return await self._runner.choose(record, one, seed, owner)
            except BotFailed as failure:
                self._registry.metrics.bot_failed(one)
                warn("bot failed", table=shortened(table.id), bot=one, reason=failure.loggable)
        return action_text(RandomBot(seed).pick(offers))

    # Rounds

    async def run(self) -> None:
        """Look after all tables until cancelled."""
        count = 0
        while True:
            self._soon.clear()
            try:
                await self._round(count)
            except (Unavailable, TableError):
                self._registry.metrics.database_failed()
            except Exception as error:
                fail("round failed", error)
            count += 1
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._soon.wait(), ROUND * (0.75 + random.random() / 2))

    async def _round(self, count: int) -> None:
        playing = await self._registry.store.playing()
        self._adopted.intersection_update(playing)
        for table_id in playing:
            if table_id not in self._adopted and await self._notifier.claim(table_id):
                await self._adopt(table_id)
                self._adopted.add(table_id)
            await asyncio.sleep(0)
        for live in list(self._registry.tables.values()):
            self.look(live)
        self._presence.forget_silent()
        self._registry.forget_idle(clock() - IDLE)
        # Whoever has a table in memory can take over what this process has put out of its own.
        await self._notifier.release_all_but(
            {live.table.id for live in self._registry.tables.values() if live.table.phase != "over"}
        )
        if count % ANNOUNCING == 0:
            for live in list(self._registry.tables.values()):
                if live.watching_here(clock()) != "nobody":
                    self._presence.announce(live)
        await self._cleaner.look(self._registry.tables)

    async def _adopt(self, table_id: str) -> None:
        """Begin to keep a table; the time in which nobody kept it is nobody's."""
        try:
            live = await self._registry.table(table_id)
            if live.table.clocks.running is not None and live.loaded_at > live.table.changed_at + 1000:
                await self._registry.change(table_id, lambda _: Proposal(Resumed()))
            self.look(live)
        except TableError as error:
            if error.code == "unavailable":  # the next round tries again
                raise
        except Exception as error:  # one table must never stop the others
            fail("adopting failed", error, table=shortened(table_id))

    def forget(self) -> None:
        """Another process may keep everything now; see soon what this one can."""
        self._adopted.clear()
        self._soon.set()

    def close(self) -> None:
        """Do nothing more."""
        self._is_open = False
        for live in self._registry.tables.values():
            self.look(live)
