"""Storing a group of entries in one commit, without SQLAlchemy: every action waits for this."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Protocol

import asyncpg
from sqlalchemy.engine import URL

from granada.tables.entries import Entry, encode_body, encode_entry
from granada.tables.ports import Listing

#: The channel on which processes tell each other what they stored (PostgreSQL).
CHANNEL: Final = "granada"
#: PostgreSQL refuses notifications of 8,000 bytes; a longer entry is read from the database.
LONGEST_NEWS: Final = 7_500
#: Milliseconds for which a locked file is waited for (SQLite).
BUSY: Final = 5_000

Key = tuple[str, int]


@dataclass(frozen=True)
class Item:
    """An entry to store, and what is listed of its table from then on."""

    entry: Entry
    listing: Listing | None

    @property
    def key(self) -> Key:
        """Table and version: an item whose key exists is not stored."""
        return self.entry.table, self.entry.version

    def row(self) -> tuple[object, ...]:
        """The columns of `entries`."""
        entry = self.entry
        return entry.table, entry.version, entry.at, entry.command, encode_body(entry.body)


class Writer(Protocol):
    """Stores groups of entries."""

    async def commit(self, items: Sequence[Item]) -> set[Key]:
        """Store what is not there yet, in order and durably; returns the keys that are new."""

    async def close(self) -> None:
        """Disconnect."""


# SQLite

_COLUMNS: Final = "INSERT INTO entries (table_id, version, at, command, body) VALUES "
_LIST: Final = (
    "INSERT INTO tables (id, phase, is_public, created_at, listing) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (id) DO UPDATE SET phase = excluded.phase, listing = excluded.listing"
)


@lru_cache(maxsize=1024)
def _insert(rows: int) -> str:
    return _COLUMNS + ", ".join(["(?, ?, ?, ?, ?)"] * rows)


class SqliteWriter:
    """Writes in a thread with a connection of its own: one hand-over for a whole group."""

    def __init__(self, path: str) -> None:
        self._path: Final = path
        self._thread: Final = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._connection: sqlite3.Connection | None = None

    async def commit(self, items: Sequence[Item]) -> set[Key]:
        """Store a group; whatever fails, nothing of it is stored."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, items)

    async def close(self) -> None:
        """End the thread and the connection."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown(wait=False)

    def _commit(self, items: Sequence[Item]) -> set[Key]:
        try:
            if self._connection is None:
                self._connection = _connect(self._path)
            try:
                return self._store_all(self._connection, items)
            except sqlite3.IntegrityError:  # something of it is there already: nothing was stored
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                return self._store_new(self._connection, items)
        except BaseException:
            self._disconnect()  # that also takes an open transaction back
            raise

    def _store_all(self, connection: sqlite3.Connection, items: Sequence[Item]) -> set[Key]:
        """Store everything, or nothing if there is a conflict."""
        values = [value for item in items for value in item.row()]
        listings = [item.listing for item in items if item.listing is not None]
        if not listings:
            connection.execute(_insert(len(items)), values)  # one statement is a transaction of its own
        else:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_insert(len(items)), values)
            connection.executemany(_LIST, [_listed(listing) for listing in listings])
            connection.execute("COMMIT")
        return {item.key for item in items}

    def _store_new(self, connection: sqlite3.Connection, items: Sequence[Item]) -> set[Key]:
        """Store one by one what is not there yet."""
        won: set[Key] = set()
        connection.execute("BEGIN IMMEDIATE")
        for item in items:
            if connection.execute(f"{_insert(1)} ON CONFLICT DO NOTHING", item.row()).rowcount == 1:
                won.add(item.key)
                if item.listing is not None:
                    connection.execute(_LIST, _listed(item.listing))
        connection.execute("COMMIT")
        return won

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    prepare_sqlite(connection)
    return connection


def prepare_sqlite(connection: Any) -> None:
    """A commit is on the disk when it returns; readers never wait for writers."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute(f"PRAGMA busy_timeout={BUSY}")
    cursor.close()


def _listed(listing: Listing) -> tuple[object, ...]:
    return listing.id, listing.phase, listing.is_public, listing.created_at, listing.text


# PostgreSQL

#: One statement, so one round trip and one commit: store what is new, and tell the other processes of just that.
_STORE: Final = """
WITH given AS (
    SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::text[], $6::text[])
    AS given(table_id, version, at, command, body, news)
), won AS (
    INSERT INTO entries (table_id, version, at, command, body)
    SELECT table_id, version, at, command, body FROM given
    ON CONFLICT DO NOTHING RETURNING table_id, version
)
SELECT table_id, version, pg_notify($7, news) FROM won JOIN given USING (table_id, version)
"""
_LIST_IN_POSTGRES: Final = (
    "INSERT INTO tables (id, phase, is_public, created_at, listing) VALUES ($1, $2, $3, $4, $5)"
    " ON CONFLICT (id) DO UPDATE SET phase = excluded.phase, listing = excluded.listing"
)


class PostgresWriter:
    """Writes over a separate connection, and notifies the other processes."""

    def __init__(self, url: URL, worker: str) -> None:
        self._dsn: Final = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._worker: Final = worker
        self._connection: Any = None

    async def commit(self, items: Sequence[Item]) -> set[Key]:
        """Store a group; if the connection fails, it is not known whether it was stored."""
        try:
            if self._connection is None or self._connection.is_closed():
                self._connection = await asyncpg.connect(self._dsn, timeout=5, command_timeout=10)
            if all([item.listing is None for item in items]):
                return await self._store(items)
            async with self._connection.transaction():
                won = await self._store(items)
                # In one order for all processes, so that they never wait for each other in a circle.
                listings = [item.listing for item in items if item.listing is not None and item.key in won]
                rows = [_listed(listing) for listing in sorted(listings, key=lambda listing: listing.id)]
                await self._connection.executemany(_LIST_IN_POSTGRES, rows)
            return won
        except BaseException:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.terminate()
            raise

    async def _store(self, items: Sequence[Item]) -> set[Key]:
        columns = [list(column) for column in zip(*[item.row() for item in items], strict=True)]
        news = [self._notifier(item.entry) for item in items]
        rows = await self._connection.fetch(_STORE, *columns, news, CHANNEL)
        return {(row[0], row[1]) for row in rows}

    def _notifier(self, entry: Entry) -> str:
        """Return the notification for other processes: which entry, by whom, and the entry itself if it is short."""
        told = f"entry {entry.table} {entry.version} {self._worker}"
        written = encode_entry(entry)
        return told if len(written) > LONGEST_NEWS else f"{told} {written.decode()}"

    async def close(self) -> None:
        """Disconnect."""
        if self._connection is not None:
            await self._connection.close(timeout=5)
