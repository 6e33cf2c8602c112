"""Notifications between processes on one database, and locks that decide which one runs a table's bots and clocks."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Callable, Collection
from typing import Any, Final

import asyncpg
from sqlalchemy.engine import URL

from granada.server.store.writer import CHANNEL

#: Seconds between checks of the connection, and before reconnecting.
INTERVAL: Final = 2.0
_logger: Final = logging.getLogger(__name__)
#: Exceptions of a lost connection.
_CONNECTION_ERRORS: Final = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)


class LocalNotifier:
    """For the only process on a database: it runs all tables."""

    async def run(self) -> None:
        """Return at once: there are no other processes."""

    async def claim(self, table: str) -> bool:
        """Return True."""
        return True

    async def release_all_but(self, tables: Collection[str]) -> None:
        """Do nothing: there are no locks."""


class PostgresNotifier:
    """Notifications by LISTEN, and table locks that PostgreSQL releases when a process dies."""

    def __init__(self, url: URL, on_notification: Callable[[str], None], on_missed: Callable[[], None]) -> None:
        self._dsn: Final = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._on_notification: Final = on_notification
        #: Called when notifications may have been missed.
        self._on_missed: Final = on_missed
        self._connection: Any = None
        self._locked: Final[set[str]] = set()
        self._lock: Final = asyncio.Lock()

    async def run(self) -> None:
        """Listen, and reconnect after a lost connection."""
        while True:
            try:
                await self._listen()
            except Exception as error:  # retry after any error, or this process would never get a notification again
                _logger.warning("notifications interrupted: %s", type(error).__name__)
            finally:
                self._locked.clear()  # the locks are lost with the connection
                connection, self._connection = self._connection, None
                if connection is not None:
                    connection.terminate()
            await asyncio.sleep(INTERVAL)

    async def _listen(self) -> None:
        connection = await asyncpg.connect(self._dsn, timeout=5, command_timeout=5)
        self._connection = connection
        await connection.add_listener(CHANNEL, lambda _connection, _pid, _channel, text: self._on_notification(text))
        self._on_missed()
        while not connection.is_closed():
            await asyncio.sleep(INTERVAL)
            async with self._lock:
                await connection.execute("SELECT 1")

    async def claim(self, table: str) -> bool:
        """Lock a table for this process; False if another process has locked it."""
        # Shielded from cancellation: a lock that was granted but not noted would never be released.
        return table in self._locked or await asyncio.shield(self._take(table))

    async def _take(self, table: str) -> bool:
        async with self._lock:
            if table in self._locked:
                return True
            if self._connection is None or self._connection.is_closed():
                return False
            try:
                is_ours = bool(await self._connection.fetchval("SELECT pg_try_advisory_lock($1)", _number(table)))
            except _CONNECTION_ERRORS:
                return False
            if is_ours:
                self._locked.add(table)
            return is_ours

    async def release_all_but(self, tables: Collection[str]) -> None:
        """Release the locks of all tables but these: PostgreSQL has room for only a few thousand locks."""
        async with self._lock:
            others = [table for table in self._locked if table not in tables]
            if not others or self._connection is None or self._connection.is_closed():
                return
            self._locked.difference_update(others)
            numbers = [_number(table) for table in others]
            with contextlib.suppress(*_CONNECTION_ERRORS):  # the connection is lost, and so are its locks
                await self._connection.execute("SELECT pg_advisory_unlock(n) FROM unnest($1::bigint[]) AS n", numbers)


def _number(table: str) -> int:
    """Return the key of a table's advisory lock."""
    return int.from_bytes(hashlib.sha256(table.encode()).digest()[:8], "big", signed=True)
