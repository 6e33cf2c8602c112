"""What is kept: entries are stored in groups, one commit for all that wait, and told to nobody before that."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import delete, event, func, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from granada.server.store.migrate import NewerSchema, migrate
from granada.server.store.schema import entries, probes, programs, service_days, tables
from granada.server.store.versions import Versions
from granada.server.store.writer import (
    BUSY,
    CHANNEL,
    Item,
    PostgresWriter,
    SqliteWriter,
    Writer,
    prepare_sqlite,
)
from granada.tables.entries import Entry, decode_body
from granada.tables.ports import Listing, Unavailable

#: So many entries are stored by one commit at most.
LARGEST_GROUP: Final = 500
#: What SQLite says that names no place and no value.
_SAFE: Final = (
    "database or disk is full",
    "database is locked",
    "attempt to write a readonly database",
    "disk I/O error",
)
#: Milliseconds between two notes that a program was used.
ONCE_A_DAY: Final = 24 * 3600 * 1000
_logger: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Waiting:
    item: Item
    stored: asyncio.Future[bool]


class SqlStore:
    """The database: SQLite in a file, or PostgreSQL for several processes."""

    def __init__(self, url: URL, worker: str = "") -> None:
        self.url: Final = url
        self.is_embedded: Final = url.get_backend_name() == "sqlite"
        #: The name of this process in news, so that it does not listen to itself.
        self.worker: Final = worker
        self._engine: Final = _engine(url)
        self._queue: Final[asyncio.Queue[_Waiting]] = asyncio.Queue()
        self._writer: Final = _writer(url, worker)
        self._writing: asyncio.Task[None] | None = None
        self._versions: Final = Versions(self._newest_versions)
        #: How many entries and groups were stored.
        self.stored = 0
        self.groups = 0
        #: When something was last stored, and when that last failed, in seconds of the steady clock.
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
            await asyncio.sleep(0.1)  # the thread of a file that cannot be opened ends on its own, and needs the loop
            raise Unavailable(_reason(error)) from None
        self._writing = asyncio.create_task(self._write_forever(), name="writer")

    async def close(self) -> None:
        """Store what waits, and disconnect."""
        if self._writing is not None:
            await self._queue.join()
            self._writing.cancel()
            await asyncio.gather(self._writing, return_exceptions=True)
        await self._writer.close()
        await self._engine.dispose()

    # Writing

    async def append(self, entry: Entry, listing: Listing | None = None) -> bool:
        """Store an entry; False if there is one of its version, or of its command, already."""
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(_Waiting(Item(entry, listing), stored))
        return await stored

    async def _write_forever(self) -> None:
        while True:
            group = [await self._queue.get()]
            while not self._queue.empty() and len(group) < LARGEST_GROUP:
                group.append(self._queue.get_nowait())
            # In one order for all processes, so that they never wait for each other in a circle.
            group.sort(key=lambda waiting: waiting.item.key)
            # Of several of one version in a group only the first is tried.
            first = {waiting.item.key: waiting for waiting in reversed(group)}
            try:
                won = await self._writer.commit([one.item for one in group if first[one.item.key] is one])
            except Exception as error:  # whatever it is: a writer that ends would let everybody wait forever
                _logger.error("storing failed: %s", _reason(error))
                self.stored_at, self.failed_at = -math.inf, time.monotonic()
                for waiting in group:
                    if not waiting.stored.done():
                        waiting.stored.set_exception(Unavailable(_reason(error)))
            else:
                self.groups += 1
                self.stored += len(won)
                self.stored_at = time.monotonic() if won else self.stored_at
                for waiting in group:
                    if not waiting.stored.done():
                        waiting.stored.set_result(waiting.item.key in won and first[waiting.item.key] is waiting)
            for _ in group:
                self._queue.task_done()

    def _insert(self, table: Any) -> Any:
        """Both databases have the same clauses for conflicts, each in its own dialect."""
        return sqlite.insert(table) if self.is_embedded else postgresql.insert(table)

    async def _notify(self, connection: AsyncConnection, news: Sequence[str]) -> None:
        if news:
            each = text("SELECT pg_notify(:channel, one) FROM unnest(CAST(:news AS text[])) AS one")
            await connection.execute(each, {"channel": CHANNEL, "news": list(news)})

    async def broadcast(self, messages: Sequence[str]) -> None:
        """Send messages to the other processes without storing them."""
        if not self.is_embedded:
            async with _guarded(self._engine.begin()) as connection:
                await self._notify(connection, messages)

    # Reading

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """What happened at a table after a version."""
        query = (
            select(entries.c.version, entries.c.at, entries.c.body, entries.c.command)
            .where(entries.c.table_id == table, entries.c.version > after)
            .order_by(entries.c.version)
        )
        async with _guarded(self._engine.connect()) as connection:
            rows = (await connection.execute(query)).all()
        return [Entry(table, row.version, row.at, decode_body(row.body), row.command) for row in rows]

    async def newest_version(self, table: str) -> int:
        """The newest version of a table that was stored before this call, by whichever process (PostgreSQL)."""
        return await self._versions.of(table)

    async def _newest_versions(self, wanted: Sequence[str]) -> dict[str, int]:
        # One look into the index for each table; a GROUP BY would read all their entries.
        query = text(
            "SELECT one AS id, (SELECT max(version) FROM entries WHERE table_id = one) AS version"
            " FROM unnest(CAST(:wanted AS text[])) AS one"
        )
        async with _guarded(self._engine.connect()) as connection:
            rows = (await connection.execute(query, {"wanted": list(wanted)})).all()
        return {row.id: row.version or 0 for row in rows}

    async def has_command(self, table: str, command: str) -> bool:
        """Whether a command was obeyed before."""
        query = select(entries.c.version).where(entries.c.table_id == table, entries.c.command == command)
        async with _guarded(self._engine.connect()) as connection:
            return (await connection.execute(query)).first() is not None

    async def listings(self, limit: int) -> list[Listing]:
        """The newest public tables at which people sit down or play."""
        query = (
            select(tables)
            .where(tables.c.phase.in_(("lobby", "playing")), tables.c.is_public)
            .order_by(tables.c.phase, tables.c.created_at.desc())
            .limit(limit)
        )
        async with _guarded(self._engine.connect()) as connection:
            rows = (await connection.execute(query)).all()
        return [Listing(row.id, row.phase, row.is_public, row.created_at, row.listing) for row in rows]

    async def playing(self) -> list[str]:
        """All tables with a game that goes on."""
        query = select(tables.c.id).where(tables.c.phase == "playing").order_by(tables.c.created_at.desc())
        async with _guarded(self._engine.connect()) as connection:
            return [row.id for row in await connection.execute(query)]

    async def newest_at(self) -> int:
        """The time (milliseconds) of the newest entry; 0 if there is none."""
        async with _guarded(self._engine.connect()) as connection:
            newest: int | None = (await connection.execute(select(func.max(entries.c.at)))).scalar()
        return newest or 0

    # Keeping and removing

    async def last_changes(self) -> dict[str, int]:
        """By table: when (milliseconds) something last happened there."""
        last = select(entries.c.table_id, func.max(entries.c.at).label("at")).group_by(entries.c.table_id)
        async with _guarded(self._engine.connect()) as connection:
            return {row.table_id: row.at for row in await connection.execute(last)}

    async def remove(self, table: str, before: int) -> bool:
        """Remove a table unless something happened there at or after a time; returns whether it was removed.

        Each table has its own transaction: players wait for a transaction that removes thousands.
        """
        newer = entries.alias()
        is_used = select(newer.c.version).where(newer.c.table_id == table, newer.c.at >= before).exists()
        async with _guarded(self._engine.begin()) as connection:
            removed = await connection.execute(delete(entries).where(entries.c.table_id == table, ~is_used))
            if removed.rowcount:
                await connection.execute(delete(tables).where(tables.c.id == table))
        return bool(removed.rowcount)

    async def remove_unused(self, before: int) -> int:
        """Remove the programs that were last used before a time, and the days before it; returns how many programs."""
        used = func.coalesce(programs.c.used_at, programs.c.created_at)
        async with _guarded(self._engine.begin()) as connection:
            removed = await connection.execute(delete(programs).where(used < before))
            await connection.execute(delete(service_days).where(service_days.c.at < before))
        return removed.rowcount

    async def note_day(self, day: int, at: int) -> None:
        """Note that the server ran on a day."""
        row = self._insert(service_days).values(day=day, at=at).on_conflict_do_nothing()
        async with _guarded(self._engine.begin()) as connection:
            await connection.execute(row)

    async def service_days(self) -> list[int]:
        """A time of each day on which the server ran."""
        async with _guarded(self._engine.connect()) as connection:
            return [row.at for row in await connection.execute(select(service_days.c.at))]

    async def try_writing(self, at: int) -> None:
        """Write and commit a row; raises Unavailable if that is not possible."""
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
                await connection.exec_driver_sql(f"PRAGMA busy_timeout={BUSY}")

    # Programs

    async def add_program(self, holder: str, name: str, at: int) -> None:
        """Note a program that plays."""
        async with _guarded(self._engine.begin()) as connection:
            await connection.execute(programs.insert().values(holder=holder, name=name, created_at=at, used_at=at))

    async def program(self, holder: str, at: int) -> str | None:
        """The name of a program, by the hash of its token; that it was used is noted once a day."""
        query = select(programs.c.name, programs.c.used_at).where(programs.c.holder == holder)
        async with _guarded(self._engine.connect()) as connection:
            row = (await connection.execute(query)).first()
        if row is not None and (row.used_at or 0) < at - ONCE_A_DAY:
            note = update(programs).where(programs.c.holder == holder).values(used_at=at)
            async with _guarded(self._engine.begin()) as connection:
                await connection.execute(note)
        return None if row is None else row.name

    async def remove_program(self, holder: str) -> None:
        """Forget a program, and tell the other processes."""
        async with _guarded(self._engine.begin()) as connection:
            await connection.execute(delete(programs).where(programs.c.holder == holder))
            if not self.is_embedded:
                await self._notify(connection, [f"revoked {holder}"])


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


@asynccontextmanager
async def _guarded(context: AbstractAsyncContextManager[AsyncConnection]) -> AsyncIterator[AsyncConnection]:
    """A connection whose failures are Unavailable."""
    try:
        async with context as connection:
            yield connection
    except (SQLAlchemyError, OSError, TimeoutError) as error:
        raise Unavailable(_reason(error)) from None


def _reason(error: BaseException) -> str:
    """What went wrong, without the statement and its values: those may hold secrets."""
    origin = getattr(error, "orig", None) or error
    origin = origin.__cause__ or origin  # what PostgreSQL's driver says is wrapped twice
    name, said = type(origin).__name__, str(origin)
    return f"{name}: {said}" if said in _SAFE else name
