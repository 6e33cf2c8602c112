"""The composition of a server: creates its parts, connects them, and starts and stops them in order."""

from __future__ import annotations

import asyncio
import secrets
from typing import Final

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
from granada.tables.cleanup import Cleanup
from granada.tables.clock import server_time
from granada.tables.log import log
from granada.tables.outlooks import Outlooks
from granada.tables.ports import Notifier
from granada.tables.service import TableService

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
        self.pool: Final = BotPool(
            settings.bot_processes, settings.bot_seconds, settings.bot_paths(), settings.bot_think, settings.bot_nodes
        )
        #: A separate process, so that analyses of finished games do not delay bots in running games.
        self.review_pool: Final = BotPool(1, max(REVIEW_TIMEOUT, settings.bot_seconds))
        notifier: Notifier = (
            LocalNotifier()
            if self.store.is_embedded
            else PostgresNotifier(settings.url(), self._on_notification, self._on_missed_notifications)
        )
        self.tables: Final = TableService(
            self.store,
            notifier,
            self.pool,
            self.review_pool,
            background=self.background,
            metrics=self.metrics,
            cleanup=Cleanup(self.store, settings.keep_days),
            rate=settings.rate,
            commands=settings.commands,
            sockets=settings.sockets,
            pause=settings.bot_pause,
            outlooks=Outlooks(self.store.outlooks),
        )
        is_secure = settings.public_url.startswith("https:")
        self.context: Final = RequestContext(
            self.tables.operations, self.store, self.tables.session, self.health, is_secure
        )
        #: None if the process belongs to another program, such as a test.
        self.garbage: Final = GarbageCollection(lambda: self.store.stored) if owns_process else None
        self._collecting: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start all services; raises Unavailable if the database does not answer."""
        await self.store.open()
        server_time.begin_after(await self.store.newest_at())
        assert self.tables.outlooks is not None
        self.tables.registry.downtime = await self.tables.outlooks.downtime()
        await self.pool.start()
        await self.review_pool.start()
        self.tables.start()
        if self.garbage is not None:
            self.garbage.start()
            self._collecting = asyncio.create_task(self.garbage.run(), name="garbage")
        log("server started", version=__version__, database=self.store.url.get_backend_name())

    async def close(self) -> None:
        """Notify all clients and stop; commands in progress are stored first."""
        await self.tables.stop()
        if self._collecting is not None:
            self._collecting.cancel()
            await asyncio.gather(self._collecting, return_exceptions=True)
        if self.garbage is not None:
            self.garbage.stop()
        await self.health.close()
        await self.review_pool.stop()
        await self.pool.stop()
        await self.store.close()
        self.background.close()
        metrics.mark_worker_stopped()
        log("server stopped")

    def announce_restart(self) -> None:
        """Ask all clients to reconnect later."""
        self.tables.session.announce_restart()

    def _on_notification(self, notification: str) -> None:
        """Handle a notification from another process."""
        kind, _, rest = notification.partition(" ")
        if kind == "revoked":
            self.context.disconnect_program(rest)
        else:
            self.tables.receive(notification)

    def _on_missed_notifications(self) -> None:
        """Catch up with the other processes."""
        self.tables.reload()
        self.tables.run(self.context.check_programs())
