"""What processes on one database tell each other, and which of them keeps a table (runs its bots and clocks)."""

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

#: So many seconds between two looks at the connection, and before it is tried again.
PULSE: Final = 2.0
_logger: Final = logging.getLogger(__name__)
#: What a lost connection looks like.
_FAILURES: Final = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)


class LocalNotifier:
    """The only process on its database: it keeps all tables."""

    async def run(self) -> None:
        """There is nothing to listen to."""

    async def claim(self, table: str) -> bool:
        """It keeps all tables."""
        return True

    async def release_all_but(self, tables: Collection[str]) -> None:
        """There are no others."""


class PostgresNotifier:
    """News by LISTEN; tables are kept by locks that PostgreSQL takes away from a process that dies."""

    def __init__(self, url: URL, hear: Callable[[str], None], missed: Callable[[], None]) -> None:
        self._dsn: Final = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._hear: Final = hear
        #: Called when news may have been missed.
        self._missed: Final = missed
        self._connection: Any = None
        self._kept: Final[set[str]] = set()
        self._lock: Final = asyncio.Lock()

    async def run(self) -> None:
        """Listen; after a lost connection begin anew."""
        while True:
            try:
                await self._listen()
            except Exception as error:  # whatever it is: without news this process would be alone forever
                _logger.warning("no news from the database: %s", type(error).__name__)
            finally:
                self.forget()
                connection, self._connection = self._connection, None
                if connection is not None:
                    connection.terminate()
            await asyncio.sleep(PULSE)

    async def _listen(self) -> None:
        connection = await asyncpg.connect(self._dsn, timeout=5, command_timeout=5)
        self._connection = connection
        await connection.add_listener(CHANNEL, lambda _connection, _pid, _channel, news: self._hear(news))
        self._missed()
        while not connection.is_closed():
            await asyncio.sleep(PULSE)
            async with self._lock:
                await connection.execute("SELECT 1")

    async def claim(self, table: str) -> bool:
        """Whether this process keeps a table; it does from now on if no other does."""
        # Not broken off when a duty is: a lock that nobody knows of would be kept forever.
        return table in self._kept or await asyncio.shield(self._take(table))

    async def _take(self, table: str) -> bool:
        async with self._lock:
            if table in self._kept:
                return True
            if self._connection is None or self._connection.is_closed():
                return False
            try:
                is_ours = bool(await self._connection.fetchval("SELECT pg_try_advisory_lock($1)", _number(table)))
            except _FAILURES:
                return False
            if is_ours:
                self._kept.add(table)
            return is_ours

    async def release_all_but(self, tables: Collection[str]) -> None:
        """Give back the locks of all tables but these: PostgreSQL has room for some thousands only."""
        async with self._lock:
            others = [table for table in self._kept if table not in tables]
            if not others or self._connection is None or self._connection.is_closed():
                return
            self._kept.difference_update(others)
            numbers = [_number(table) for table in others]
            with contextlib.suppress(*_FAILURES):  # then the connection is lost, and the locks with it
                await self._connection.execute("SELECT pg_advisory_unlock(n) FROM unnest($1::bigint[]) AS n", numbers)

    def forget(self) -> None:
        """The locks went with the connection."""
        self._kept.clear()


def _number(table: str) -> int:
    """The number of a table's lock."""
    return int.from_bytes(hashlib.sha256(table.encode()).digest()[:8], "big", signed=True)
