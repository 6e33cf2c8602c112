"""All tables of a process: composes the parts from the ports, and handles notifications of other processes."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, cast

from granada.tables.analyses import Analyses
from granada.tables.asking import OneAtATime
from granada.tables.cleanup import Cleanup
from granada.tables.errors import TableError
from granada.tables.hints import Hints
from granada.tables.live_table import LiveTable, Watching
from granada.tables.operations import Operations
from granada.tables.outlooks import Outlooks
from granada.tables.ports import Background, BotRunner, Metrics, Notifier, RunInline, Store
from granada.tables.presence import Presence
from granada.tables.puzzles import Puzzles
from granada.tables.registry import TableRegistry
from granada.tables.scheduler import Scheduler
from granada.tables.session import Session

#: Delays in seconds between attempts to load entries of another process; after the last one, the next command loads
#: them.
CATCH_UP_DELAYS: Final = (0.5, 1, 2, 4, 8)
#: The most tables that catch up at the same time.
CATCH_UP_LIMIT: Final = 4


class TableService:
    """Registry, presence, sessions, operations and scheduler over one store.

    `bots` choose and advise in running games, `reviewer` analyses finished ones. `rate`, `commands` and `sockets` are
    the limits of `Session`, `pause` the most seconds that a bot waits for people; 0 stands for none. Nothing is ever
    removed from the store without a `cleanup`; with `outlooks`, tables are found by holder, and correspondence games
    leave memory while they wait. Running games are continued at once, unless `adopts_all` is False: then when they are
    first opened.
    """

    def __init__(
        self,
        store: Store,
        notifier: Notifier,
        bots: BotRunner,
        reviewer: BotRunner,
        *,
        background: Background | None = None,
        metrics: Metrics | None = None,
        cleanup: Cleanup | None = None,
        rate: float = 0.0,
        commands: float = 0.0,
        sockets: int = 0,
        pause: float = 0.0,
        adopts_all: bool = True,
        outlooks: Outlooks | None = None,
    ) -> None:
        background = RunInline() if background is None else background
        metrics = Metrics() if metrics is None else metrics
        self._worker: Final = store.worker
        self.notifier: Final = notifier
        self.registry: Final = TableRegistry(store, background, metrics)
        self.presence: Final = Presence(self.registry)
        self.session: Final = Session(self.registry, self.presence, rate, commands, sockets)
        self._analyses: Final = Analyses(reviewer, metrics)
        asking = OneAtATime()
        self.operations: Final = Operations(
            self.registry,
            self.presence,
            self.session,
            Hints(bots, metrics, asking),
            self._analyses,
            Puzzles(self.registry, self.presence, bots, background, asking),
            background,
        )
        self.scheduler: Final = Scheduler(
            self.registry, self.presence, bots, notifier, pause, cleanup, adopts_all, outlooks
        )
        self.outlooks: Final = outlooks
        if outlooks is not None:
            self.registry.noted = outlooks.note
            if not store.is_embedded:  # another process finds a table by its holder only in the store
                self.registry.joined = outlooks.settle
        self.operations.outlooks = outlooks
        self.registry.finished = self._note_end
        self._tasks: Final[list[asyncio.Task[None]]] = []
        self._jobs: Final[set[asyncio.Task[None]]] = set()
        self._catch_up_limit: Final = asyncio.Semaphore(CATCH_UP_LIMIT)

    def start(self) -> None:
        """Receive notifications, and run the bots and clocks of all tables."""
        self._tasks.append(asyncio.create_task(self.notifier.run(), name="notifier"))
        self._tasks.append(asyncio.create_task(self.scheduler.run(), name="scheduler"))

    async def stop(self) -> None:
        """Ask all clients to reconnect later, and stop; commands in progress are stored first."""
        self.session.announce_restart()
        self.scheduler.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._jobs, return_exceptions=True)
        await self.presence.close()
        await self.registry.close()
        if self.outlooks is not None:
            await self.outlooks.close()
        await self._analyses.close()

    def _note_end(self, live: LiveTable) -> None:
        """Enter the result of a daily deal."""
        if live.table.created.daily is not None:
            self.run(self.operations.daily.enter_table(live.table))

    def receive(self, notification: str) -> None:
        """Handle a notification of another process: a stored entry, or who is connected to it."""
        words = notification.split(" ", 4)
        if words[0] == "entry" and words[3] != self._worker:
            if len(words) == 5 and self.registry.receive(words[1], int(words[2]), words[4]):
                return
            self.run(self._catch_up(words[1], int(words[2])))
        elif words[0] == "here":
            self.presence.receive(words[1], words[2], words[3], cast(Watching, words[4]))
        elif words[0] == "react":
            self.session.reactions.receive(words[1], words[2], words[3], words[4])
        elif words[0] == "pace":
            self.presence.receive_pace(words[1], words[2], words[3])

    def reload(self) -> None:
        """Load all tables again and claim them again, because notifications and locks may have been lost."""
        self.scheduler.forget()
        for table_id in list(self.registry.tables):
            self.run(self._catch_up(table_id, 1 << 30))

    async def _catch_up(self, table_id: str, version: int) -> None:
        """Load entries that another process stored; retries if the store does not answer."""
        for delay in CATCH_UP_DELAYS:
            try:
                async with self._catch_up_limit:
                    await self.registry.catch_up(table_id, version)
            except TableError:
                self.registry.metrics.database_failed()
                await asyncio.sleep(delay)
            else:
                return

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task that `stop` waits for."""
        task = asyncio.create_task(work)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
