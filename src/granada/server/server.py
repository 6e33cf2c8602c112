"""The composition of a server: creates its parts, connects them, and starts and stops them in order."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from typing import Any, Final, cast

from granada import __version__
from granada.bots.external.plugins import load_bots
from granada.server.bot_pool.pool import BotPool
from granada.server.http.request_context import RequestContext
from granada.server.ops import metrics
from granada.server.ops.background import BackgroundThread
from granada.server.ops.gc_control import GarbageCollection
from granada.server.ops.health import HealthCheck
from granada.server.ops.settings import Settings
from granada.server.store.notifier import LocalNotifier, PostgresNotifier
from granada.server.store.sql_store import SqlStore
from granada.tables.analyses import Analyses
from granada.tables.clock import server_time
from granada.tables.errors import TableError
from granada.tables.hints import Hints
from granada.tables.live_table import Watching
from granada.tables.log import log
from granada.tables.operations import Operations
from granada.tables.ports import Notifier
from granada.tables.presence import Presence
from granada.tables.registry import TableRegistry
from granada.tables.scheduler import Scheduler
from granada.tables.session import Session

#: Delays in seconds between attempts to load entries of another process; after the last one, the next command loads
#: them.
CATCH_UP_DELAYS: Final = (0.5, 1, 2, 4, 8)
#: The most tables that catch up at the same time.
CATCH_UP_LIMIT: Final = 4
#: Seconds within which an analysis must report some progress, however busy the machine is.
REVIEW_TIMEOUT: Final = 60.0


class Server:
    """All parts of a running server."""

    def __init__(self, settings: Settings, owns_process: bool = False) -> None:
        self.settings: Final = settings
        load_bots(settings.bot_paths())  # so that tables can offer them; they run in the pool's processes
        self.store: Final = SqlStore(settings.url(), worker=secrets.token_hex(4))
        self.health: Final = HealthCheck(self.store)
        self.background: Final = BackgroundThread()
        self.metrics: Final = metrics.PrometheusMetrics()
        self.registry: Final = TableRegistry(self.store, self.background, self.metrics)
        self.presence: Final = Presence(self.registry)
        self.session: Final = Session(self.registry, self.presence, settings.rate, settings.commands, settings.sockets)
        self.pool: Final = BotPool(
            settings.bot_processes, settings.bot_seconds, settings.bot_paths(), settings.bot_think, settings.bot_nodes
        )
        #: A separate process, so that analyses of finished games do not delay bots in running games.
        self.review_pool: Final = BotPool(1, max(REVIEW_TIMEOUT, settings.bot_seconds))
        self.analyses: Final = Analyses(self.review_pool, self.metrics)
        operations = Operations(
            self.registry,
            self.presence,
            self.session,
            Hints(self.pool, self.metrics),
            self.analyses,
            self.background,
        )
        is_secure = settings.public_url.startswith("https:")
        self.context: Final = RequestContext(operations, self.store, self.session, is_secure)
        self.notifier: Final[Notifier] = (
            LocalNotifier()
            if self.store.is_embedded
            else PostgresNotifier(settings.url(), self._on_notification, self._on_missed_notifications)
        )
        self.scheduler: Final = Scheduler(
            self.registry, self.presence, self.pool, self.notifier, settings.bot_pause, settings.keep_days
        )
        #: None if the process belongs to another program, such as a test.
        self.garbage: Final = GarbageCollection(lambda: self.store.stored) if owns_process else None
        self._services: Final[list[asyncio.Task[None]]] = []
        self._jobs: Final[set[asyncio.Task[None]]] = set()
        self._catch_up_limit: Final = asyncio.Semaphore(CATCH_UP_LIMIT)

    async def open(self) -> None:
        """Start all services; raises Unavailable if the database does not answer."""
        await self.store.open()
        server_time.begin_after(await self.store.newest_at())
        await self.pool.start()
        await self.review_pool.start()
        self._services.append(asyncio.create_task(self.notifier.run(), name="notifier"))
        self._services.append(asyncio.create_task(self.scheduler.run(), name="scheduler"))
        if self.garbage is not None:
            self.garbage.start()
            self._services.append(asyncio.create_task(self.garbage.run(), name="garbage"))
        log("server started", version=__version__, database=self.store.url.get_backend_name())

    async def close(self) -> None:
        """Notify all clients and stop; commands in progress are stored first."""
        self.announce_restart()
        self.scheduler.close()
        for task in self._services:
            task.cancel()
        await asyncio.gather(*self._services, *self._jobs, return_exceptions=True)
        if self.garbage is not None:
            self.garbage.stop()
        await self.presence.close()
        await self.registry.close()
        await self.health.close()
        await self.analyses.close()
        await self.review_pool.stop()
        await self.pool.stop()
        await self.store.close()
        self.background.close()
        metrics.mark_worker_stopped()
        log("server stopped")

    def announce_restart(self) -> None:
        """Ask all clients to reconnect later."""
        self.session.announce_restart()

    def _on_notification(self, notification: str) -> None:
        """Handle a notification from another process."""
        words = notification.split(" ", 4)
        if words[0] == "entry" and words[3] != self.store.worker:
            if len(words) == 5 and self.registry.receive(words[1], int(words[2]), words[4]):
                return
            self._run(self._catch_up(words[1], int(words[2])))
        elif words[0] == "revoked":
            self.context.disconnect_program(words[1])
        elif words[0] == "here":
            self.presence.receive(words[1], words[2], words[3], cast(Watching, words[4]))

    def _on_missed_notifications(self) -> None:
        """Reload all tables, and claim them again: the locks were lost with the connection."""
        self.scheduler.forget()
        self._run(self.context.check_programs())
        for table_id in list(self.registry.tables):
            self._on_notification(f"entry {table_id} {1 << 30} -")

    async def _catch_up(self, table_id: str, version: int) -> None:
        """Load entries that another process stored; retries if the database does not answer."""
        for delay in CATCH_UP_DELAYS:
            try:
                async with self._catch_up_limit:
                    await self.registry.catch_up(table_id, version)
            except TableError:
                metrics.DATABASE_ERRORS.inc()
                await asyncio.sleep(delay)
            else:
                return

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task that `close` waits for."""
        task = asyncio.create_task(work)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
