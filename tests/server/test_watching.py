"""Bots play only at tables with viewers, and their time is charged to the address that opened the table."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import pytest

from granada.server.bot_pool.pool import BotPool
from granada.server.ops.settings import Settings
from granada.server.server import Server
from granada.server.store.notifier import LocalNotifier
from granada.server.store.sql_store import SqlStore
from granada.tables import live_table, lobby, presence, scheduler
from granada.tables.bot_jobs import Job
from granada.tables.bot_work import choose
from granada.tables.entries import Created, SeatPlan
from granada.tables.fair_queue import Owner
from granada.tables.holders import Holder
from granada.tables.live_table import Listener, LiveTable
from granada.tables.messages import TableOptions
from granada.tables.presence import Presence
from granada.tables.registry import TableRegistry
from granada.tables.scheduler import Scheduler
from tests.server.running import Guest, play_on, running

HOST = Holder("h" * 64)
PROGRAM = Holder("p" * 64, is_program=True)
#: A time limit in seconds that no test should reach.
LONG = 1000.0


class Bots:
    """A bot runner that answers on demand."""

    def __init__(self) -> None:
        self.asked: list[Owner] = []
        self.may_play = asyncio.Event()
        self.may_play.set()
        self.cancelled = 0

    async def choose(self, record: str, level: str, seed: str, owner: Owner) -> str:
        self.asked.append(owner)
        try:
            await self.may_play.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return choose(Job(record, "random", seed))


class Place:
    """A registry with its scheduler and store."""

    def __init__(self, store: SqlStore, pause: float = 0.0) -> None:
        self.registry = TableRegistry(store)
        self.presence = Presence(self.registry)
        self.bots = Bots()
        self.scheduler = Scheduler(self.registry, self.presence, cast(BotPool, self.bots), LocalNotifier(), pause)

    async def table(self, *seats: SeatPlan, address: str | None = "192.0.2.1") -> LiveTable:
        """Return a started table that has had no viewers."""
        plans = seats or (SeatPlan("bot", "Ana", "random"), SeatPlan("bot", "Ben", "random"))
        created = Created(TableOptions(), plans, False, HOST.hash)
        table = await self.registry.create(created, address)
        return await self.registry.change(table.table.id, lambda one: lobby.start(one, HOST))


def at(url: str, work: Callable[[SqlStore], Awaitable[None]]) -> None:
    """Run a test with a database."""

    async def run() -> None:
        store = SqlStore(Settings(database=url).url())
        await store.open()
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not is_so():
            await asyncio.sleep(0.002)


async def settled(place: Place) -> None:
    """Wait until all started tasks are done."""
    for _ in range(20):
        await asyncio.sleep(0.001)
    await place.registry.close()


def played(table: LiveTable) -> int:
    return 0 if table.table.game is None else table.table.game.state.n


class Time:
    """Fakes the clock of the scheduler and of presence."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_000_000_000
        for module in (scheduler, presence):
            monkeypatch.setattr(module, "clock", lambda: self.now)


# Whether bots play


def test_bots_wait_until_somebody_watches_and_stop_when_all_have_left(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store)
        table = await place.table()
        await settled(place)
        assert place.bots.asked == []
        watcher = Listener(None)
        place.presence.enter(table, watcher)
        await until(lambda: played(table) >= 5)
        place.bots.may_play.clear()
        await until(lambda: len(place.bots.asked) > played(table))
        asked = len(place.bots.asked)
        place.presence.leave(table, watcher)
        place.scheduler.reschedule(table)
        place.bots.may_play.set()
        await settled(place)
        # The bot that was already thinking has played; stopping it would cost a new process.
        assert (place.bots.cancelled, len(place.bots.asked), played(table)) == (0, asked, asked)
        assert not table.has_task  # so that it can be removed from memory
        place.presence.enter(table, Listener(None))
        await until(lambda: played(table) > asked)
        place.scheduler.close()

    at(sqlite_url, work)


def test_after_a_restart_bots_go_on_when_somebody_comes(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        first = Place(store)
        table_id = (await first.table()).table.id
        again = Place(store)
        await again.scheduler._round(1)
        assert list(again.registry.tables) == [table_id]
        await settled(again)
        assert again.bots.asked == []
        table = await again.registry.table(table_id)
        again.presence.visit(table, "192.0.2.9")
        await until(lambda: played(table) >= 3)
        assert set(again.bots.asked) == {Owner("192.0.2.9", table_id)}  # the first address
        again.scheduler.close()

    at(sqlite_url, work)


def test_a_program_that_asks_again_and_again_watches(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    time = Time(monkeypatch)

    async def work(store: SqlStore) -> None:
        place = Place(store)
        table = await place.table()
        place.bots.may_play.clear()
        place.presence.visit(table, "192.0.2.1")
        await until(lambda: len(place.bots.asked) == 1)
        time.now += live_table.VISIT - 1
        place.presence.visit(table, "192.0.2.1")
        time.now += live_table.VISIT - 1
        place.bots.may_play.set()
        await until(lambda: played(table) >= 3)
        place.bots.may_play.clear()
        await until(lambda: len(place.bots.asked) > played(table))
        time.now += 1
        place.bots.may_play.set()
        await settled(place)
        asked = len(place.bots.asked)
        assert played(table) == asked
        place.scheduler.reschedule(table)
        await settled(place)
        assert len(place.bots.asked) == asked
        place.scheduler.close()

    at(sqlite_url, work)


def test_who_watches_at_another_process_lets_the_bots_go_on_here(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time(monkeypatch)

    async def work(store: SqlStore) -> None:
        place = Place(store)
        table = await place.table()
        place.presence.receive(table.table.id, "other", "-", "program")
        await until(lambda: played(table) >= 3)
        place.presence.receive(table.table.id, "other", "-", "nobody")
        await settled(place)
        n = played(table)
        await settled(place)
        assert played(table) == n
        place.presence.receive(table.table.id, "other", "-", "person")
        await until(lambda: played(table) > n)
        time.now += presence.PRESENCE + 1  # that process is gone
        place.presence.forget_silent()
        await settled(place)
        n = played(table)
        await settled(place)
        assert played(table) == n
        place.scheduler.close()

    at(sqlite_url, work)


def test_two_processes_tell_each_other_who_watches(postgres_url: str) -> None:
    async def run() -> None:
        servers = [Server(Settings(database=postgres_url, bot_pause=0, rate=0)) for _ in range(2)]
        for server in servers:
            await server.open()
        one, two = servers
        seats = (SeatPlan("bot", "Ana", "random"), SeatPlan("bot", "Ben", "random"))
        table = await one.tables.registry.create(Created(TableOptions(), seats, False, HOST.hash))
        await one.tables.registry.change(table.table.id, lambda now: lobby.start(now, HOST))
        for _ in range(20):  # a round of the first scheduler that began before may release its claim once
            await one.tables.notifier.claim(table.table.id)
            if not await two.tables.notifier.claim(table.table.id):
                break
            await two.tables.notifier.release_all_but(())
        else:
            raise AssertionError("the second process can always claim the table")
        there = await two.tables.registry.table(table.table.id)
        two.tables.presence.enter(there, watcher := Listener(None))
        await until(lambda: played(there) >= 3)
        assert table.watching(0) == "person"
        two.tables.presence.leave(there, watcher)
        await until(lambda: table.watching(1 << 60) == "nobody")
        for server in servers:
            await server.close()

    asyncio.run(run())


# How bots play


@pytest.mark.parametrize(
    ("listener", "pauses"),
    [
        (Listener(None), True),
        (Listener(HOST), True),
        (Listener(PROGRAM), False),
        (Listener(None, is_person=False), False),
        (None, False),
    ],
    ids=["spectator", "browser", "program", "stream", "polling"],
)
def test_bots_pause_only_if_a_person_watches(sqlite_url: str, listener: Listener | None, pauses: bool) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store, pause=LONG)
        table = await place.table()
        if listener is None:
            place.presence.visit(table, "192.0.2.1")
        else:
            place.presence.enter(table, listener)
        if pauses:
            await settled(place)
            assert table.has_task
            assert played(table) == 0  # it has thought, but waits
        else:
            await until(lambda: played(table) >= 3)
        place.scheduler.close()

    at(sqlite_url, work)


def test_a_program_never_waits_for_people_to_follow(tmp_path: Path) -> None:
    with running(tmp_path, GRANADA_BOT_PAUSE=str(LONG)) as server, Guest(server) as anyone:
        token = anyone.post("/programs", {"name": "Robot"})["token"]
        with Guest(server, token) as program:
            table = program.open_table(["person", "random", "random"])
            program.start(table)
            with program.socket(table) as socket:
                assert play_on(socket, random.Random(1), until=20)["n"] >= 20


def test_bots_think_on_the_account_of_the_address_that_opened_the_table(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store)
        tables = [await place.table(address=address) for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2", None)]
        for table in tables:
            place.presence.enter(table, Listener(None))
        await until(lambda: len(set(place.bots.asked)) == 4)
        ids = [table.table.id for table in tables]
        owners = ["192.0.2.1", "192.0.2.1", "192.0.2.2", f"host {HOST.hash}"]
        assert set(place.bots.asked) == {Owner(owner, one) for owner, one in zip(owners, ids, strict=True)}
        place.scheduler.close()

    at(sqlite_url, work)


def test_a_spectator_who_comes_first_after_a_restart_does_not_keep_a_table_on_their_account(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store)
        table = await place.table()
        for address, holder in (("192.0.2.9", None), ("192.0.2.1", HOST), ("192.0.2.8", None), ("192.0.2.2", HOST)):
            place.presence.visit(table, address, holder)
        assert table.owner() == Owner("192.0.2.1", table.table.id)
        place.scheduler.close()

    at(sqlite_url, work)
