"""The store on SQLite or PostgreSQL: waiting entries are stored in groups, with one commit per group."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from sqlalchemy import delete, event, func, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from granada.server.store.daily_store import SqlDailyStore
from granada.server.store.guarding import guarded as _guarded
from granada.server.store.guarding import reason_of as _reason
from granada.server.store.migrate import NewerSchema, migrate
from granada.server.store.outlook_store import SqlOutlookStore, is_behind
from granada.server.store.schema import deposits, entries, outlooks, people, probes, programs, service_days, tables
from granada.server.store.writer import (
    BUSY_TIMEOUT,
    CHANNEL,
    Item,
    PostgresWriter,
    SqliteWriter,
    Writer,
    prepare_sqlite,
)
from granada.tables.entries import Entry, decode_body
from granada.tables.ports import Damaged, Listing, Unavailable

#: The most entries in one commit.
MAX_GROUP: Final = 500
#: Milliseconds between updates of the time at which a program was last used.
USED_AT_INTERVAL: Final = 24 * 3600 * 1000
_logger: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Waiting:
    item: Item
    stored: asyncio.Future[bool]


class _VersionQueries:
    """Combines concurrent requests for newest versions into one query; a query serves only requests made before it."""

    def __init__(self, query: Callable[[Sequence[str]], Awaitable[Mapping[str, int]]]) -> None:
        self._query: Final = query
        self._waiting: dict[str, asyncio.Future[int]] = {}
        self._task: asyncio.Task[None] | None = None

    async def newest(self, table: str) -> int:
        """Return the newest version of a table that is stored now or later."""
        future = self._waiting.get(table)
        if future is None:
            future = self._waiting[table] = asyncio.get_running_loop().create_future()
        if self._task is None:
            self._task = asyncio.create_task(self._run())
        return await asyncio.shield(future)

    async def _run(self) -> None:
        while self._waiting:
            requested, self._waiting = self._waiting, {}
            try:
                versions = await self._query(list(requested))
            except Exception as error:  # pass on any error, or the requests would wait forever
                for future in requested.values():
                    future.set_exception(error)
                    future.exception()  # avoids a warning if the request was cancelled
            else:
                for table, future in requested.items():
                    future.set_result(versions.get(table, 0))
        self._task = None


class SqlStore:
    """The database: SQLite in a file, or PostgreSQL for several processes."""

    def __init__(self, url: URL, worker: str = "") -> None:
        self.url: Final = url
        self.is_embedded: Final = url.get_backend_name() == "sqlite"
        #: The name of this process in notifications, so that it ignores its own.
        self.worker: Final = worker
        self._engine: Final = _engine(url)
        self.outlooks: Final = SqlOutlookStore(self._engine)
        self._queue: Final[asyncio.Queue[_Waiting]] = asyncio.Queue()
        self._writer: Final = _writer(url, worker)
        self._writing: asyncio.Task[None] | None = None
        self._versions: Final = _VersionQueries(self._newest_versions)
        self.daily: Final = SqlDailyStore(self._engine)
        #: The number of entries and of groups stored.
        self.stored = 0
        self.groups = 0
        #: The time (`time.monotonic`) of the last successful and the last failed commit.
        self.stored_at = -math.inf
        self.failed_at = -math.inf

    async def open(self) -> None:
        """Connect and migrate; raises Unavailable or NewerSchema."""
        try:
            async with self._engine.begin() as connection:
                await connection.run_sync(migrate)
        except NewerSchema:
            await self._engine.dispose()
            raise
        except (SQLAlchemyError, OSError) as error:
            await self._engine.dispose()
            await asyncio.sleep(0.1)  # if the file cannot be opened, aiosqlite's thread needs the event loop to end
            raise Unavailable(_reason(error)) from None
        self._writing = asyncio.create_task(self._write_forever(), name="writer")

    async def close(self) -> None:
        """Store the waiting entries and disconnect."""
        if self._writing is not None:
            await self._queue.join()
            self._writing.cancel()
            await asyncio.gather(self._writing, return_exceptions=True)
        await self._writer.close()
        await self._engine.dispose()

    # Writing

    async def append(self, entry: Entry, listing: Listing | None = None) -> bool:
        """Store an entry; False if its version or its command is already stored."""
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Waiting(Item(entry, listing), stored))
        return await stored

    async def _write_forever(self) -> None:
        while True:
            group = [await self._queue.get()]
            while not self._queue.empty() and len(group) < MAX_GROUP:
                group.append(self._queue.get_nowait())
            # All processes use the same order, so that they cannot deadlock.
            group.sort(key=lambda waiting: waiting.item.key)
            # If a group has several entries with the same version, only the first is stored.
            first = {waiting.item.key: waiting for waiting in reversed(group)}
            try:
                stored = await self._writer.commit([one.item for one in group if first[one.item.key] is one])
            except Exception as error:  # if this task ended, all commands would wait forever
                _logger.error("commit failed: %s", _reason(error))
                self.stored_at, self.failed_at = -math.inf, time.monotonic()
                for waiting in group:
                    if not waiting.stored.done():
                        waiting.stored.set_exception(Unavailable(_reason(error)))
            else:
                self.groups += 1
                self.stored += len(stored)
                self.stored_at = time.monotonic() if stored else self.stored_at
                for waiting in group:
                    if not waiting.stored.done():
                        waiting.stored.set_result(waiting.item.key in stored and first[waiting.item.key] is waiting)
            for _ in group:
                self._queue.task_done()

    def _insert(self, table: Any) -> Any:
        """Return an INSERT that has ON CONFLICT clauses."""
        return sqlite.insert(table) if self.is_embedded else postgresql.insert(table)

    async def _notify(self, connection: AsyncConnection, notifications: Sequence[str]) -> None:
        if notifications:
            each = text("SELECT pg_notify(:channel, one) FROM unnest(CAST(:notifications AS text[])) AS one")
            await connection.execute(each, {"channel": CHANNEL, "notifications": list(notifications)})

    async def broadcast(self, messages: Sequence[str]) -> None:
        """Send messages to the other processes without storing them."""
        if not self.is_embedded:
            async with _guarded(self._engine.begin()) as connection:
                await self._notify(connection, messages)

    # Reading

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """Return the entries of a table after a version; Damaged if one cannot be decoded."""
        query = (
            select(entries.c.version, entries.c.at, entries.c.body, entries.c.command)
            .where(entries.c.table_id == table, entries.c.version > after)
            .order_by(entries.c.version)
        )
        async with _guarded(self._engine.connect()) as connection:
            rows = (await connection.execute(query)).all()
        try:
            return [Entry(table, row.version, row.at, decode_body(row.body), row.command) for row in rows]
        except msgspec.DecodeError as error:
            raise Damaged(str(error)) from None

    async def newest_version(self, table: str) -> int:
        """Return the newest version of a table, stored by any process (PostgreSQL)."""
        return await self._versions.newest(table)

    async def _newest_versions(self, wanted: Sequence[str]) -> dict[str, int]:
        # One index lookup per table; a GROUP BY would read all their entries.
        query = text(
            "SELECT one AS id, (SELECT max(version) FROM entries WHERE table_id = one) AS version"
            " FROM unnest(CAST(:wanted AS text[])) AS one"
        )
        async with _guarded(self._engine.connect()) as connection:
            rows = (await connection.execute(query, {"wanted": list(wanted)})).all()
        return {row.id: row.version or 0 for row in rows}

    async def has_command(self, table: str, command: str) -> bool:
        """Whether a command has been executed before."""
        query = select(entries.c.version).where(entries.c.table_id == table, entries.c.command == command)
        async with _guarded(self._engine.connect()) as connection:
            return (await connection.execute(query)).first() is not None

    async def listings(self, limit: int) -> list[Listing]:
        """Return the newest public tables whose game is not over."""
        query = (
            select(tables, outlooks.c.summary, is_behind(self.is_embedded).label("is_behind"))
            .outerjoin(outlooks, outlooks.c.table_id == tables.c.id)
            .where(tables.c.phase.in_(("lobby", "playing")), tables.c.is_public)
            .order_by(tables.c.phase, tables.c.created_at.desc())
            .limit(limit)
        )
        async with _guarded(self._engine.connect()) as connection:
            rows = (await connection.execute(query)).all()
        return [
            Listing(row.id, row.phase, row.is_public, row.created_at, row.listing, row.summary, bool(row.is_behind))
            for row in rows
        ]

    async def playing(self) -> list[str]:
        """Return the ids of all tables with a running game."""
        query = select(tables.c.id).where(tables.c.phase == "playing").order_by(tables.c.created_at.desc())
        async with _guarded(self._engine.connect()) as connection:
            return [row.id for row in await connection.execute(query)]

    async def newest_at(self) -> int:
        """Return the time (milliseconds) of the newest entry; 0 if there is none."""
        async with _guarded(self._engine.connect()) as connection:
            newest: int | None = (await connection.execute(select(func.max(entries.c.at)))).scalar()
        return newest or 0

    # Cleanup and health

    async def last_changes(self) -> dict[str, int]:
        """Return the time (milliseconds) of each table's newest entry, or when its clock runs out if that is later."""
        last = select(entries.c.table_id, func.max(entries.c.at).label("at")).group_by(entries.c.table_id)
        kept = select(outlooks.c.table_id, outlooks.c.kept_until).where(outlooks.c.kept_until.is_not(None))
        async with _guarded(self._engine.connect()) as connection:
            found = {row.table_id: row.at for row in await connection.execute(last)}
            for row in await connection.execute(kept):
                if row.table_id in found:
                    found[row.table_id] = max(found[row.table_id], row.kept_until)
        return found

    async def remove(self, table: str, before: int) -> bool:
        """Remove a table unless it has an entry or a running clock at or after a time; returns whether it was removed.

        Each table has its own transaction, because a transaction that removes thousands would block players.
        """
        newer = entries.alias()
        is_used = select(newer.c.version).where(newer.c.table_id == table, newer.c.at >= before).exists()
        is_kept = (
            select(outlooks.c.version).where(outlooks.c.table_id == table, outlooks.c.kept_until >= before).exists()
        )
        async with _guarded(self._engine.begin()) as connection:
            removed = await connection.execute(delete(entries).where(entries.c.table_id == table, ~is_used, ~is_kept))
            if removed.rowcount:
                for rows in (outlooks, people):
                    await connection.execute(delete(rows).where(rows.c.table_id == table))
                await connection.execute(delete(tables).where(tables.c.id == table))
        return bool(removed.rowcount)

    async def remove_unused(self, before: int) -> int:
        """Remove programs last used before a time, and older service days; returns the number of programs."""
        used = func.coalesce(programs.c.used_at, programs.c.created_at)
        async with _guarded(self._engine.begin()) as connection:
            removed = await connection.execute(delete(programs).where(used < before))
            await connection.execute(delete(service_days).where(service_days.c.at < before))
            await connection.execute(delete(deposits).where(deposits.c.expires_at < before))
        return removed.rowcount

    async def note_day(self, day: int, at: int) -> None:
        """Record that the server ran on a day."""
        row = self._insert(service_days).values(day=day, at=at).on_conflict_do_nothing()
        async with _guarded(self._engine.begin()) as connection:
            await connection.execute(row)

    async def service_days(self) -> list[int]:
        """Return a time on each day on which the server ran."""
        async with _guarded(self._engine.connect()) as connection:
            return [row.at for row in await connection.execute(select(service_days.c.at))]

    async def try_writing(self, at: int) -> None:
        """Make a test write; raises Unavailable if it fails."""
        row = self._insert(probes).values(id=1, at=at)
        row = row.on_conflict_do_update(index_elements=["id"], set_={"at": at})
        async with _guarded(self._engine.begin()) as connection:
            if not self.is_embedded:
                await connection.execute(row)
                return
            # A health check must not wait as long as an action may.
            await connection.exec_driver_sql("PRAGMA busy_timeout=1000")
            try:
                await connection.execute(row)
            finally:
                await connection.exec_driver_sql(f"PRAGMA busy_timeout={BUSY_TIMEOUT}")

    # Programs

    async def add_program(self, holder: str, name: str, at: int) -> None:
        """Register a program."""
        async with _guarded(self._engine.begin()) as connection:
            await connection.execute(programs.insert().values(holder=holder, name=name, created_at=at, used_at=at))

    async def program(self, holder: str, at: int) -> str | None:
        """Return the name of a program by the hash of its token, and update when it was last used, once a day."""
        query = select(programs.c.name, programs.c.used_at).where(programs.c.holder == holder)
        async with _guarded(self._engine.connect()) as connection:
            row = (await connection.execute(query)).first()
        if row is not None and (row.used_at or 0) < at - USED_AT_INTERVAL:
            note = update(programs).where(programs.c.holder == holder).values(used_at=at)
            async with _guarded(self._engine.begin()) as connection:
                await connection.execute(note)
        return None if row is None else row.name

    async def remove_program(self, holder: str) -> None:
        """Remove a program and notify the other processes."""
        async with _guarded(self._engine.begin()) as connection:
            await connection.execute(delete(programs).where(programs.c.holder == holder))
            if not self.is_embedded:
                await self._notify(connection, [f"revoked {holder}"])

    # Identities on their way to another browser

    async def add_deposit(self, code: str, holder: str, sealed: bytes, now: int, expires_at: int, most: int) -> bool:
        """Store a deposit in place of an earlier one of its holder; False if there are too many of others."""
        async with _guarded(self._engine.begin()) as connection:
            old = (deposits.c.holder == holder) | (deposits.c.expires_at <= now)
            await connection.execute(delete(deposits).where(old))
            count: int = (await connection.execute(select(func.count()).select_from(deposits))).scalar_one()
            if count >= most:
                return False
            row = {"code": code, "holder": holder, "expires_at": expires_at, "sealed": sealed}
            # Two requests of one browser at the same time: the later one replaces the other.
            insert = self._insert(deposits).values(row)
            await connection.execute(insert.on_conflict_do_update(index_elements=["holder"], set_=row))
        return True

    async def take_deposit(self, code: str, now: int) -> bytes | None:
        """Remove a deposit and return its content; None if there is none, or it has expired."""
        taken = delete(deposits).where(deposits.c.code == code).returning(deposits.c.sealed, deposits.c.expires_at)
        async with _guarded(self._engine.begin()) as connection:
            row = (await connection.execute(taken)).first()
        return None if row is None or row.expires_at <= now else row.sealed

    async def remove_deposit(self, holder: str) -> None:
        """Remove the deposit of a holder."""
        async with _guarded(self._engine.begin()) as connection:
            await connection.execute(delete(deposits).where(deposits.c.holder == holder))


def _writer(url: URL, worker: str) -> Writer:
    return SqliteWriter(url.database or "") if url.get_backend_name() == "sqlite" else PostgresWriter(url, worker)


def _engine(url: URL) -> AsyncEngine:
    if url.get_backend_name() == "sqlite":
        engine = create_async_engine(url, pool_size=4, connect_args={"timeout": 5})
        event.listen(engine.sync_engine, "connect", lambda connection, _: prepare_sqlite(connection))
        return engine
    return create_async_engine(
        url,
        pool_size=8,
        max_overflow=8,
        pool_timeout=5,
        pool_pre_ping=True,
        connect_args={"timeout": 5, "command_timeout": 10},
    )
