"""The scheduler: plays bots' actions, expires clocks, and hands the seats of absent players to bots."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from granada.bots import RandomBot
from granada.bots.search import has_secret
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
from granada.tables.outlooks import Outlooks
from granada.tables.ports import BotFailed, BotRunner, Notifier, Unavailable
from granada.tables.presence import Presence
from granada.tables.registry import TableRegistry
from granada.tables.table import Table

#: The bot that plays when another fails.
SUBSTITUTE: Final = "greedy"
#: Seconds between two rounds over all tables, and before a failed task is retried.
ROUND: Final = 5.0
AGAIN: Final = 1.0
#: Milliseconds after which an unused table is removed from memory.
IDLE: Final = 5 * 60_000
#: Correspondence: milliseconds before a clock expires in which the table stays in memory, the most tables that are
#: loaded because they are due, and the most of one address at which bots play unwatched at the same time.
EXPIRES_SOON: Final = 60_000
MAX_WOKEN: Final = 20
MAX_UNWATCHED: Final = 4
#: The number of rounds between two notes that the process runs.
NOTING: Final = 6
#: The number of rounds between two announcements of presence to other processes.
ANNOUNCING: Final = 3


@dataclass(frozen=True)
class ScheduledTask:
    """The next task at a table and its time (milliseconds)."""

    what: Literal["bot", "expire", "hand_over"]
    seat: int
    #: The number of actions played, so that a new position gives a new task, but a new name does not.
    n: int
    at: int
    level: str | None = None


def next_task(live: LiveTable) -> ScheduledTask | None:
    """Return the next task at a table; None if it waits for a person without a clock.

    Nothing moves by itself at the table of a puzzle.
    """
    table = live.table
    seat = table.deciding()
    if seat is None or table.game is None or table.created.puzzle is not None:
        return None
    n = table.game.state.n
    if table.bot_for(seat) is not None:
        return ScheduledTask("bot", seat, n, 0, table.bot_for(seat))
    tasks: list[ScheduledTask] = []
    takeover_at = live.takeover_at(seat)
    if takeover_at is not None:
        tasks.append(ScheduledTask("hand_over", seat, n, takeover_at))
    expires_at = table.clocks.expires_at()
    if expires_at is not None and table.expires_unasked:
        tasks.append(ScheduledTask("expire", seat, n, expires_at))
    return min(tasks, key=lambda task: task.at, default=None)


def _count(table: Table) -> int:
    return 0 if table.game is None else table.game.state.n


class Scheduler:
    """Executes the tasks of all tables that this process runs."""

    def __init__(
        self,
        registry: TableRegistry,
        presence: Presence,
        runner: BotRunner,
        notifier: Notifier,
        pause: float,
        cleanup: Cleanup | None = None,
        adopts_all: bool = True,
        outlooks: Outlooks | None = None,
    ) -> None:
        self._registry: Final = registry
        self._presence: Final = presence
        self._runner: Final = runner
        self._notifier: Final = notifier
        self._pause: Final = pause
        self._cleanup: Final = cleanup
        #: Whether all running games are adopted, or only those that have been opened here.
        self._adopts_all: Final = adopts_all
        self._outlooks: Final = outlooks
        #: By table: the address that is charged for its bots, which play although nobody watches.
        self._unwatched: Final[dict[str, str]] = {}
        #: Tables that were loaded because they were due, and those that cannot be loaded.
        self._woken: Final[set[str]] = set()
        self._unloadable: Final[set[str]] = set()
        self._is_open = True
        #: Running tables that were adopted after this process started or another one stopped.
        self._adopted: Final[set[str]] = set()
        self._soon: Final = asyncio.Event()
        registry.changed = self.reschedule
        if not adopts_all:
            registry.loaded = self._after_loading(registry.loaded)

    def _after_loading(self, announce: Callable[[LiveTable], None]) -> Callable[[LiveTable], None]:
        def adopt_soon(live: LiveTable) -> None:
            announce(live)
            self._soon.set()

        return adopt_soon

    def reschedule(self, live: LiveTable) -> None:
        """Update the scheduled task of a table."""
        task = next_task(live) if self._is_open else None
        if task == live.scheduled:
            return  # even without viewers: a bot that is already thinking plays its action
        self._unwatched.pop(live.table.id, None)
        if task is not None and not self._may_start(live, task):
            task = None  # a later round, or the first visit, reschedules the table
        if live.task is not None:
            live.task.cancel()
        live.scheduled = task
        live.task = asyncio.create_task(self._do(live, task)) if task is not None else None

    def _may_start(self, live: LiveTable, task: ScheduledTask) -> bool:
        """Return whether a task is started now. Bots pause without viewers, except in correspondence games."""
        if task.what == "expire" and live.table.is_correspondence:
            return task.at <= clock() + EXPIRES_SOON
        if task.what != "bot" or live.watching(clock()) != "nobody":
            return True
        address = live.owner().address
        if not live.table.bots_play_unwatched or list(self._unwatched.values()).count(address) >= MAX_UNWATCHED:
            return False
        self._unwatched[live.table.id] = address
        return True

    async def _do(self, live: LiveTable, task: ScheduledTask) -> None:
        try:
            if not await self._notifier.claim(live.table.id):
                live.scheduled = None  # another process runs the table; a later round checks again
                self._unwatched.pop(live.table.id, None)
                return
            if task.what == "bot":
                await self._let_bot_play(live, task)
            else:
                await asyncio.sleep(max(0.0, (task.at - clock()) / 1000))
                await self._registry.change(live.table.id, lambda table: self._due(table, task))
        except (TableError, Unavailable):
            await asyncio.sleep(AGAIN)
            self._retry(live, task)
        except Exception as error:  # one table must never stop the others
            fail("scheduled task failed", error, table=shortened(live.table.id), task=task.what)
            await asyncio.sleep(AGAIN)
            self._retry(live, task)

    def _retry(self, live: LiveTable, task: ScheduledTask) -> None:
        if live.scheduled == task:
            live.scheduled = live.task = None
            self.reschedule(live)

    def _due(self, table: Table, task: ScheduledTask) -> Proposal:
        if table.waits_for_person() != task.seat or _count(table) != task.n:
            raise TableError("stale", "The table has changed.")
        if task.what == "expire":
            expires_at = table.clocks.expires_at()
            if expires_at is None or expires_at > clock():
                raise TableError("stale", "The clock has not expired.")
            return expire(table, task.seat)
        return hand_over(table, task.seat)

    # Bots

    async def _let_bot_play(self, live: LiveTable, task: ScheduledTask) -> None:
        table, level = live.table, task.level
        assert level is not None
        began_at = asyncio.get_running_loop().time()  # it thinks while people read
        text = await self._choice(table, level, live.owner())
        await self._let_people_read(live, began_at)

        def decide(now: Table) -> Proposal:
            if now.deciding() != task.seat or now.bot_for(task.seat) != task.level or _count(now) != task.n:
                raise TableError("stale", "The table has changed.")
            return play(now, task.seat, text, "bot")

        await self._registry.change(table.id, decide)

    async def _let_people_read(self, live: LiveTable, began_at: float) -> None:
        """Wait until the people at a table have read what was played before; they can change how long that takes."""
        loop, changed = asyncio.get_running_loop(), live.readers_changed
        while (left := began_at + min(self._pause, live.pause(clock())) - loop.time()) > 0:
            changed.clear()
            timer = loop.call_later(left, changed.set)
            try:
                await changed.wait()
            finally:
                timer.cancel()

    async def _choice(self, table: Table, level: str, owner: Owner) -> str:
        """Return a bot's action; if it fails, that of the substitute, and if that fails, a random one."""
        game = table.game
        assert game is not None
        seed = table.bot_seed()
        offers = game.state.offers()
        # 16.2: a quick answer would reveal that the bot has no choice, and so that it has no bonus card to reveal.
        hides = game.state.step is REVEALING or has_secret(game.state, game.state.seat)
        if len(offers) == 1 and not hides:
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
        """Run all tables until cancelled."""
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
        playing = await self._playing()
        self._adopted.intersection_update(playing)
        for table_id in playing:
            if table_id not in self._adopted and await self._notifier.claim(table_id):
                await self._adopt(table_id)
                self._adopted.add(table_id)
            await asyncio.sleep(0)
        if self._outlooks is not None:
            await self._wake(self._outlooks)
        for live in list(self._registry.tables.values()):
            self.reschedule(live)
        self._presence.forget_silent()
        self._registry.forget_idle(clock() - IDLE)
        # Other processes that have a table in memory can run it once it is no longer in ours.
        await self._notifier.release_all_but(
            {live.table.id for live in self._registry.tables.values() if live.table.phase != "over"}
        )
        if self._outlooks is not None:
            self._outlooks.forget_all_but(set(self._registry.tables))
            if count % NOTING == 0:  # not before all tables have been adopted once
                await self._outlooks.note_alive()
        if count % ANNOUNCING == 0:
            for live in list(self._registry.tables.values()):
                if live.watching_here(clock()) != "nobody":
                    self._presence.announce(live)
        if self._cleanup is not None:
            await self._cleanup.run(self._registry.tables)

    async def _playing(self) -> list[str]:
        if self._adopts_all:
            return await self._registry.store.playing()
        return [live.table.id for live in self._registry.tables.values() if live.table.phase == "playing"]

    async def _adopt(self, table_id: str) -> None:
        """Start to run a table; the time in which no process ran it is not charged to any clock."""
        try:
            live = await self._registry.table(table_id)
            if live.table.is_correspondence:
                await self._registry.resume(live)
            elif live.table.clocks.running is not None and live.loaded_at > live.table.changed_at + 1000:
                await self._registry.change(table_id, lambda _: Proposal(Resumed()))
            self.reschedule(live)
        except TableError as error:
            if error.code == "unavailable":  # the next round tries again
                raise
        except Exception as error:  # one table must never stop the others
            fail("adopting a table failed", error, table=shortened(table_id))

    async def _wake(self, outlooks: Outlooks) -> None:
        """Load the correspondence games at which a bot has to play, or a clock expires soon."""
        due = await outlooks.due(clock() + EXPIRES_SOON, 10 * MAX_WOKEN)
        self._woken.intersection_update(due)
        for table_id in due:
            if len(self._woken) >= MAX_WOKEN:
                return
            if table_id in self._registry.tables or table_id in self._unloadable:
                continue
            if await self._notifier.claim(table_id):
                try:
                    await self._registry.table(table_id)
                    self._woken.add(table_id)
                except TableError as error:
                    if error.code == "unavailable":
                        raise
                    self._unloadable.add(table_id)

    def forget(self) -> None:
        """Claim all tables again soon, because other processes may have claimed them meanwhile."""
        self._adopted.clear()
        self._soon.set()

    def close(self) -> None:
        """Cancel all scheduled tasks and start no more."""
        self._is_open = False
        for live in self._registry.tables.values():
            self.reschedule(live)
