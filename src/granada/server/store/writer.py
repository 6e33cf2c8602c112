"""Storing a group of entries in one commit, without SQLAlchemy because every action waits for this."""

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

#: The channel for notifications between processes (PostgreSQL).
CHANNEL: Final = "granada"
#: PostgreSQL rejects notifications of 8,000 bytes; other processes read a longer entry from the database.
MAX_NOTIFICATION: Final = 7_500
#: Milliseconds to wait for a locked file (SQLite).
BUSY_TIMEOUT: Final = 5_000

Key = tuple[str, int]


@dataclass(frozen=True)
class Item:
    """An entry to store, and the new listing of its table if that changes."""

    entry: Entry
    listing: Listing | None

    @property
    def key(self) -> Key:
        """Table and version, which are unique in the database."""
        return self.entry.table, self.entry.version

    def row(self) -> tuple[object, ...]:
        """Return the values of a row of `entries`."""
        entry = self.entry
        return entry.table, entry.version, entry.at, entry.command, encode_body(entry.body)


class Writer(Protocol):
    """Stores groups of entries."""

    async def commit(self, items: Sequence[Item]) -> set[Key]:
        """Store the items whose key is new, in order and durably; returns their keys."""

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
    """Writes in a thread with its own connection; each group is passed to the thread in one call."""

    def __init__(self, path: str) -> None:
        self._path: Final = path
        self._thread: Final = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._connection: sqlite3.Connection | None = None

    async def commit(self, items: Sequence[Item]) -> set[Key]:
        """Store a group atomically."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, items)

    async def close(self) -> None:
        """Close the connection and the thread."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown(wait=False)

    def _commit(self, items: Sequence[Item]) -> set[Key]:
        try:
            if self._connection is None:
                self._connection = _connect(self._path)
            try:
                return self._store_all(self._connection, items)
            except sqlite3.IntegrityError:  # an entry exists already, so nothing was stored
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                return self._store_new(self._connection, items)
        except BaseException:
            self._disconnect()  # also rolls back an open transaction
            raise

    def _store_all(self, connection: sqlite3.Connection, items: Sequence[Item]) -> set[Key]:
        """Store all items, or none if there is a conflict."""
        values = [value for item in items for value in item.row()]
        listings = [item.listing for item in items if item.listing is not None]
        if not listings:
            connection.execute(_insert(len(items)), values)  # a single statement is its own transaction
        else:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_insert(len(items)), values)
            connection.executemany(_LIST, [_listed(listing) for listing in listings])
            connection.execute("COMMIT")
        return {item.key for item in items}

    def _store_new(self, connection: sqlite3.Connection, items: Sequence[Item]) -> set[Key]:
        """Store the items without a conflict, one by one."""
        stored: set[Key] = set()
        connection.execute("BEGIN IMMEDIATE")
        for item in items:
            if connection.execute(f"{_insert(1)} ON CONFLICT DO NOTHING", item.row()).rowcount == 1:
                stored.add(item.key)
                if item.listing is not None:
                    connection.execute(_LIST, _listed(item.listing))
        connection.execute("COMMIT")
        return stored

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


def _connect(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    prepare_sqlite(connection)
    return connection


def prepare_sqlite(connection: Any) -> None:
    """Configure a connection: commits are durable, and readers never wait for writers."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT}")
    cursor.close()


def _listed(listing: Listing) -> tuple[object, ...]:
    return listing.id, listing.phase, listing.is_public, listing.created_at, listing.text


# PostgreSQL

#: A single statement (one round trip, one commit): stores new entries and notifies the other processes of those.
_STORE: Final = """
WITH given AS (
    SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::text[], $6::text[])
    AS given(table_id, version, at, command, body, notification)
), stored AS (
    INSERT INTO entries (table_id, version, at, command, body)
    SELECT table_id, version, at, command, body FROM given
    ON CONFLICT DO NOTHING RETURNING table_id, version
)
SELECT table_id, version, pg_notify($7, notification) FROM stored JOIN given USING (table_id, version)
"""
_LIST_IN_POSTGRES: Final = (
    "INSERT INTO tables (id, phase, is_public, created_at, listing) VALUES ($1, $2, $3, $4, $5)"
    " ON CONFLICT (id) DO UPDATE SET phase = excluded.phase, listing = excluded.listing"
)


class PostgresWriter:
    """Writes over its own connection, and notifies the other processes."""

    def __init__(self, url: URL, worker: str) -> None:
        self._dsn: Final = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._worker: Final = worker
        self._connection: Any = None

    async def commit(self, items: Sequence[Item]) -> set[Key]:
        """Store a group atomically; after a lost connection it is unknown whether it was stored."""
        try:
            if self._connection is None or self._connection.is_closed():
                self._connection = await asyncpg.connect(self._dsn, timeout=5, command_timeout=10)
            if all([item.listing is None for item in items]):
                return await self._store(items)
            async with self._connection.transaction():
                stored = await self._store(items)
                # All processes use the same order, so that they cannot deadlock.
                listings = [item.listing for item in items if item.listing is not None and item.key in stored]
                rows = [_listed(listing) for listing in sorted(listings, key=lambda listing: listing.id)]
                await self._connection.executemany(_LIST_IN_POSTGRES, rows)
            return stored
        except BaseException:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.terminate()
            raise

    async def _store(self, items: Sequence[Item]) -> set[Key]:
        columns = [list(column) for column in zip(*[item.row() for item in items], strict=True)]
        notifications = [self._notification(item.entry) for item in items]
        rows = await self._connection.fetch(_STORE, *columns, notifications, CHANNEL)
        return {(row[0], row[1]) for row in rows}

    def _notification(self, entry: Entry) -> str:
        """Return the notification of an entry: table, version, worker, and the entry itself if it is short."""
        head = f"entry {entry.table} {entry.version} {self._worker}"
        encoded = encode_entry(entry)
        return head if len(encoded) > MAX_NOTIFICATION else f"{head} {encoded.decode()}"

    async def close(self) -> None:
        """Disconnect."""
        if self._connection is not None:
            await self._connection.close(timeout=5)
