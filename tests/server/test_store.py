from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, update
from sqlalchemy.ext.asyncio import create_async_engine

from granada.server.ops.settings import Settings
from granada.server.store import writer
from granada.server.store.migrate import migrate, newest_version, schema_version
from granada.server.store.schema import entries, metadata
from granada.server.store.sql_store import SqlStore
from granada.tables.ports import Unavailable
from tests.server.databases import Cluster
from tests.server.store_contract import CASES, TABLE, Case, entry


def store_at(url: str) -> SqlStore:
    return SqlStore(Settings(database=url).url(), worker="w")


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[SqlStore]:
    store = store_at(url)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def with_store(url: str, work: Callable[[SqlStore], Awaitable[None]]) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await work(store)

    asyncio.run(run())


# What every store must do


class SqlPlace:
    """A database with several stores."""

    def __init__(self, url: str, stores: AsyncExitStack) -> None:
        self._url = url
        self._stores = stores

    async def open(self) -> SqlStore:
        return await self._stores.enter_async_context(opened(self._url))

    async def damage(self, table: str, version: int) -> None:
        def change(connection: Connection) -> None:
            row = (entries.c.table_id == table) & (entries.c.version == version)
            connection.execute(update(entries).where(row).values(body='{"type":"played","seat":'))

        await _with_connection(self._url, change)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_the_contract_of_all_stores(case: Case, database_url: str) -> None:
    async def run() -> None:
        async with AsyncExitStack() as stores:
            await case(SqlPlace(database_url, stores))

    asyncio.run(run())


# Writing


def test_all_that_waits_is_stored_by_one_commit(database_url: str) -> None:
    async def work(store: SqlStore) -> None:
        await store.append(entry(1))
        results = await asyncio.gather(*[store.append(entry(1, f"{i:016}", f"h:{i}")) for i in range(400)])
        assert results == [True] * 400
        assert store.stored == 401
        assert store.groups <= 4

    with_store(database_url, work)


def test_what_waits_when_the_store_is_closed_is_stored(database_url: str) -> None:
    async def run() -> None:
        store = store_at(database_url)
        await store.open()
        waiting = [asyncio.create_task(store.append(entry(i))) for i in range(1, 21)]
        await asyncio.sleep(0)
        await store.close()
        assert await asyncio.wait_for(asyncio.gather(*waiting), 5) == [True] * 20

    asyncio.run(run())

    async def again(store: SqlStore) -> None:
        assert len(await store.entries(TABLE)) == 20

    with_store(database_url, again)


# Without a database


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Lock the file with a write transaction of another connection."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


def test_a_locked_file_is_unavailable_until_it_is_free(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "BUSY_TIMEOUT", 50)

    async def run() -> None:
        store = store_at(sqlite_url)
        await store.open()
        assert await store.append(entry(1))
        with locked(sqlite_url):
            with pytest.raises(Unavailable, match="OperationalError"):
                await store.append(entry(2))
            assert len(await store.entries(TABLE)) == 1  # reading still works
        assert await store.append(entry(2))
        await store.close()

    asyncio.run(run())


def test_a_stopped_database_is_unavailable_until_it_is_back(cluster: Cluster, postgres_url: str) -> None:
    async def until_back(work: Callable[[], Awaitable[Any]]) -> Any:
        for _ in range(100):
            try:
                return await work()
            except Unavailable:
                await asyncio.sleep(0.1)
        raise AssertionError("it does not come back")

    async def run() -> None:
        async with opened(postgres_url) as store:
            assert await store.append(entry(1))
            await asyncio.to_thread(cluster.stop)
            for work in (
                lambda: store.append(entry(2)),
                lambda: store.entries(TABLE),
                lambda: store.has_command(TABLE, "h:1"),
                lambda: store.listings(10),
                store.playing,
                store.last_changes,
                lambda: store.remove("t", 1),
                lambda: store.remove_unused(1),
                store.newest_at,
                lambda: store.add_program("h", "name", 1),
                lambda: store.program("h", 1),
                lambda: store.broadcast(["news"]),
                lambda: store.try_writing(1),
                lambda: store.daily.attempt("granada", 1, "h"),
                lambda: store.daily.results("granada", 1, 1),
            ):
                with pytest.raises(Unavailable):
                    await work()
            # Commands arrive while it starts.
            waiting = asyncio.create_task(until_back(lambda: store.append(entry(2))))
            cluster.spawn()
            assert await asyncio.to_thread(cluster.is_ready)
            assert await waiting
            await until_back(lambda: store.try_writing(1))
            assert [one.version for one in await store.entries(TABLE)] == [1, 2]

    asyncio.run(run())


def test_a_database_that_is_not_there_is_unavailable_at_once(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for url in (
        cluster.url("nobody_made_it"),
        cluster.url("postgres").replace("granada@", "nobody:secret@"),
        "postgresql://granada@127.0.0.1:1/granada",
        f"sqlite:///{tmp_path}/file/granada.sqlite",
    ):
        with pytest.raises(Unavailable) as caught:
            asyncio.run(store_at(url).open())
        assert "secret" not in str(caught.value)


# Programs


def test_a_program_is_known_until_it_is_removed(database_url: str) -> None:
    async def work(store: SqlStore) -> None:
        await store.add_program("hash", "Robot", 1)
        assert await store.program("hash", 1) == "Robot"
        await store.remove_program("hash")
        assert await store.program("hash", 1) is None

    with_store(database_url, work)


# Migrations


async def _with_connection(url: str, work: Callable[[Connection], Any]) -> Any:
    engine = create_async_engine(Settings(database=url).url())
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()


def test_migrations_lead_from_nothing_to_what_the_program_needs(database_url: str) -> None:
    async def run() -> None:
        url = Settings(database=database_url).url()
        assert await schema_version(url) is None
        for _ in range(2):  # the second run has nothing to do
            await _with_connection(database_url, migrate)
            assert await schema_version(url) == newest_version()
        differences = await _with_connection(
            database_url, lambda plain: compare_metadata(_comparing_types(plain), metadata)
        )
        assert differences == []

    asyncio.run(run())


def _comparing_types(connection: Connection) -> MigrationContext:
    return MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})


def test_a_migration_that_is_broken_off_leaves_nothing(database_url: str) -> None:
    class PowerCut(Exception):
        pass

    def break_off(connection: Connection) -> None:
        migrate(connection)
        raise PowerCut

    async def run() -> None:
        with pytest.raises(PowerCut):
            await _with_connection(database_url, break_off)
        names = await _with_connection(database_url, lambda plain: inspect(plain).get_table_names())
        assert names == []
        async with opened(database_url) as store:
            assert await store.append(entry(1))

    asyncio.run(run())


#: Alembic migrates only one database at a time per process, so use processes, as servers do.
STARTING = """
import asyncio, sys
from granada.tables.entries import Entry, Resumed
from granada.server.ops.settings import Settings
from granada.server.store.sql_store import SqlStore

async def run():
    store = SqlStore(Settings(database=sys.argv[1]).url())
    await store.open()
    print(await store.append(Entry("A", 1, 1, Resumed())))
    await store.close()

asyncio.run(run())
"""


def test_processes_that_start_at_once_on_an_empty_database_all_start(postgres_url: str) -> None:
    command = [sys.executable, "-c", STARTING, postgres_url]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(3)]
    printed = [process.communicate(timeout=60)[0].decode().strip() for process in processes]
    assert sorted(printed) == ["False", "False", "True"]
