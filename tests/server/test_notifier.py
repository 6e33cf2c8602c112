from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from granada.server.ops.settings import Settings
from granada.server.store.notifier import PostgresNotifier
from granada.server.store.sql_store import SqlStore
from granada.tables.entries import Created, Entry, Followed, Resumed, SeatPlan, decode_entry
from granada.tables.messages import TableOptions
from granada.tables.registry import TableRegistry

TABLE = "A" * 16
OTHER = "B" * 16


@asynccontextmanager
async def listening(url: str, on_message: Callable[[str], None] = lambda _: None) -> AsyncIterator[PostgresNotifier]:
    """Yield the notifier of a process that is listening."""
    ready = asyncio.Event()
    notifier = PostgresNotifier(Settings(database=url).url(), on_message, ready.set)
    task = asyncio.create_task(notifier.run())
    await asyncio.wait_for(ready.wait(), 10)
    try:
        yield notifier
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def test_a_table_is_kept_by_one_process_until_that_gives_it_back(postgres_url: str) -> None:
    async def run() -> None:
        async with listening(postgres_url) as one, listening(postgres_url) as two:
            for table in (TABLE, OTHER):
                # Two concurrent claims must not lock twice, because one release would not unlock.
                assert all(await asyncio.gather(one.claim(table), one.claim(table)))
                assert not await two.claim(table)
            await one.release_all_but({TABLE})
            assert not await two.claim(TABLE)
            assert await two.claim(OTHER)
            assert not await one.claim(OTHER)

    asyncio.run(run())


def test_a_question_that_is_broken_off_leaves_no_lock_that_nobody_knows_of(postgres_url: str) -> None:
    async def run() -> None:
        async with listening(postgres_url) as one, listening(postgres_url) as two:
            for delay in (0.0, 0.0002, 0.0005, 0.001, 0.002):
                asking = asyncio.create_task(one.claim(TABLE))
                await asyncio.sleep(delay)
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
                await asyncio.sleep(0.05)
                await one.release_all_but(())
                assert await two.claim(TABLE)
                await two.release_all_but(())

    asyncio.run(run())


def test_the_tables_of_a_process_that_ends_can_be_kept_by_another(postgres_url: str) -> None:
    async def run() -> None:
        async with listening(postgres_url) as two:
            async with listening(postgres_url) as one:
                assert await one.claim(TABLE)
                assert not await two.claim(TABLE)
            for _ in range(100):
                if await two.claim(TABLE):
                    return
                await asyncio.sleep(0.05)
            raise AssertionError("the lock outlives its process")

    asyncio.run(run())


def test_what_a_process_stores_the_others_hear(postgres_url: str) -> None:
    async def run() -> None:
        received: asyncio.Queue[str] = asyncio.Queue()
        store = SqlStore(Settings(database=postgres_url).url(), worker="me")
        await store.open()
        async with listening(postgres_url, received.put_nowait):
            short = Entry(TABLE, 1, 1, Resumed(), "h:1")
            await store.append(short)
            message, _, encoded = (await asyncio.wait_for(received.get(), 5)).rpartition(" ")
            assert message == f"entry {TABLE} 1 me"
            assert decode_entry(encoded) == short
            assert not await store.append(short)
            # An entry that is too long for a notification is read from the database.
            await store.append(Entry(TABLE, 2, 1, Followed("é" * 5000)))
            assert await asyncio.wait_for(received.get(), 5) == f"entry {TABLE} 2 me"
            await store.broadcast(["here and there"])
            assert await asyncio.wait_for(received.get(), 5) == "here and there"  # only stored entries are sent
        await store.close()

    asyncio.run(run())


def test_what_is_stored_while_a_table_is_read_is_not_overlooked(sqlite_url: str) -> None:
    """A notification arrives while the table is being loaded without the entry."""

    class Slow(SqlStore):
        async def entries(self, table: str, after: int = 0) -> list[Entry]:
            found = await super().entries(table, after)
            if not after:
                assert await self.append(Entry(TABLE, 2, 1, Followed("rematch")))
                asyncio.get_running_loop().call_soon(notified.set)
                await asyncio.sleep(0.05)
            return found

    async def run() -> None:
        store = Slow(Settings(database=sqlite_url).url())
        await store.open()
        seats = (SeatPlan(), SeatPlan())
        await store.append(Entry(TABLE, 1, 1, Created(TableOptions(), seats, False, "host")))
        registry = TableRegistry(store)
        loading = asyncio.create_task(registry.table(TABLE))
        await notified.wait()
        await registry.catch_up(TABLE, 2)
        assert (await loading).table.version == 2
        await store.close()

    notified = asyncio.Event()
    asyncio.run(run())
