"""Wrong system clocks: players neither lose nor gain time, and no table is removed too early."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from granada.server.ops.settings import Settings
from granada.server.store.sql_store import SqlStore
from granada.tables import cleanup
from granada.tables.cleanup import DAY, DELAY, LONGEST_GAP, Cleanup, oldest_kept
from granada.tables.clock import ServerTime
from granada.tables.clocks import Clocks
from granada.tables.entries import Entry, Resumed
from granada.tables.log import shortened
from granada.tables.messages import Clock
from tests.server.running import Guest, running
from tests.server.test_scheduler import until, waits

HOUR = 3_600_000


class Hand:
    """A clock in nanoseconds that tests advance."""

    def __init__(self, milliseconds: int) -> None:
        self.now = milliseconds * 1_000_000

    def __call__(self) -> int:
        return self.now

    def go(self, milliseconds: int) -> None:
        self.now += milliseconds * 1_000_000


# The time of the server


@pytest.mark.parametrize("jump", [-HOUR, HOUR, -120 * DAY, 120 * DAY])
def test_a_clock_that_is_set_changes_no_time(jump: int) -> None:
    wall, steady = Hand(1_000_000), Hand(5)
    time = ServerTime(wall, steady)
    clocks = Clocks(Clock("turn", 60), 2)
    clocks.run(0, 1, time.now())
    wall.go(jump)
    steady.go(10_000)
    assert time.now() == 1_010_000
    assert clocks.left(0, time.now()) == 50_000


def test_after_a_restart_time_goes_on_behind_the_newest_entry() -> None:
    wall, steady = Hand(1_000_000), Hand(5)
    time = ServerTime(wall, steady)
    time.begin_after(900_000)
    assert time.now() == 1_000_000
    time.begin_after(5_000_000)  # the system clock was set back
    assert time.now() == 5_000_000
    steady.go(7)
    assert time.now() == 5_000_007


def shift(data: Path, by: int) -> None:
    """Shift all stored times, which has the same effect as setting the clock the other way."""
    with closing(sqlite3.connect(data / "granada.sqlite")) as database, database:
        database.execute("UPDATE entries SET at = at + ?", (by,))


def test_a_clock_that_was_set_forward_takes_nobodys_time(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server) as ana:
        tables = [ana.open_table(["person", "greedy"], clock=clock) for clock in CLOCKS]
        for table in tables:
            ana.start(table)
            with ana.socket(table) as socket:
                until(socket, waits)
        server.kill()
        shift(tmp_path, -HOUR)
        server.start()
        for table, clock in zip(tables, CLOCKS, strict=True):
            with ana.socket(table) as socket:
                message = socket.next()
                played = socket.ask(type="act", n=message["n"], action=message["own"]["actions"][0])
                assert played["type"] == "table", played
                assert played["table"]["seats"][0]["clock"] > clock["seconds"] * 900
                assert not played["table"]["seats"][0]["is_played_by_bot"]


CLOCKS: list[dict[str, Any]] = [{"mode": "turn", "seconds": 600}, {"mode": "bank", "seconds": 600}]


def test_a_clock_that_was_set_back_gives_nobody_time(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server) as ana:
        table = ana.open_table(["person", "greedy"], clock={"mode": "turn", "seconds": 5})
        ana.start(table)
        with ana.socket(table) as socket:
            until(socket, waits)
        server.kill()
        shift(tmp_path, HOUR)
        server.start()
        with ana.socket(table) as socket:
            assert max(seat["clock"] for seat in socket.next()["table"]["seats"]) <= 5000
            # The clock expires although the system clock is an hour behind.
            until(socket, lambda message: message["table"]["seats"][0]["is_played_by_bot"])


# Age


class Uptime:
    """The uptime of a process in seconds, set by tests."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def days(*numbers: float) -> list[int]:
    return [round(number * DAY) for number in numbers]


KEEP_DAYS = pytest.mark.parametrize("keep_days", [1, 3, 7, 10, 90])


@KEEP_DAYS
def test_age_is_measured_against_the_newest_entry(keep_days: int) -> None:
    keep = keep_days * DAY
    step = keep // 18
    stamps = [i * step for i in range(21)]
    newest = stamps[-1]
    assert oldest_kept(stamps, newest, 0, keep) == 2 * step + 1
    # A clock that is 120 days ahead changes nothing; with a clock that is behind, everything is kept.
    assert oldest_kept(stamps, newest + 120 * DAY, 0, keep) == 2 * step + 1
    assert oldest_kept(stamps, 4 * step, 0, keep) == 0
    # The uptime of this process counts in full.
    assert oldest_kept(stamps, newest + 120 * DAY, step, keep) == 3 * step + 1
    assert oldest_kept(stamps, newest + 120 * DAY, 120 * DAY, keep) == newest + 1
    assert oldest_kept([*stamps, newest + keep], newest + keep, keep, keep) == newest + 1
    assert oldest_kept([], newest, 0, keep) == 0


@KEEP_DAYS
def test_what_was_stored_while_the_clock_was_ahead_makes_nothing_old(keep_days: int) -> None:
    keep = keep_days * DAY
    stamps = [*[i * keep // 90 for i in range(100)], *days(220, 220.01)]
    cut = oldest_kept(stamps, round(220.01 * DAY), 0, keep)
    assert 0 < cut <= stamps[99] - keep + min(LONGEST_GAP, keep // 4) + keep // 45


def with_store(url: str, work: Callable[[SqlStore], Any]) -> None:
    async def run() -> None:
        store = SqlStore(Settings(database=url).url())
        await store.open()
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def test_old_tables_and_programs_are_removed_an_hour_after_the_start(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000 * DAY
    logged: list[tuple[str, dict[str, object]]] = []
    monkeypatch.setattr(cleanup, "clock", lambda: now)
    monkeypatch.setattr(cleanup, "log", lambda event, **fields: logged.append((event, fields)))

    async def work(store: SqlStore) -> None:
        for day in range(880, 1001, 5):
            await store.append(Entry(f"table-{day}".ljust(16, "x"), 1, day * DAY, Resumed()))
        await store.add_program("old", "an old one", 890 * DAY)
        await store.add_program("used", "an old one that is used", 890 * DAY)
        await store.add_program("new", "a new one", 995 * DAY)
        assert await store.program("used", 990 * DAY) is not None
        uptime = Uptime()
        cleaner = Cleanup(store, 90, uptime)
        kept = {"table-885".ljust(16, "x")}
        for uptime.seconds in (0.0, 60.0, DELAY / 1000 - 1):
            await cleaner.run(kept)
            assert len(await store.last_changes()) == 25
        assert logged[0] == ("old tables will be removed", {"tables": 6, "minutes": 60})
        last_used = ["1972-06-29", "1972-06-24", "1972-06-19", "1972-06-14", "1972-06-09", "1972-05-30"]
        assert [fields["last_used"] for _, fields in logged[1:]] == last_used
        assert {event for event, _ in logged[1:]} == {"table will be removed"}
        assert logged[1][1]["table"] == shortened("table-910".ljust(16, "x"))
        announced = [fields for _, fields in logged[1:]]
        logged.clear()
        uptime.seconds = DELAY / 1000
        await cleaner.run(kept)
        left = sorted(await store.last_changes())
        assert left[0] == "table-1000".ljust(16, "x")
        assert [table[:9] for table in left[1:3]] == ["table-885", "table-915"]
        assert logged[0] == ("old tables removed", {"tables": 6, "programs": 1})
        assert logged[1:] == [("table removed", fields) for fields in announced]
        assert await store.program("old", now) is None
        assert await store.program("used", now) is not None
        assert await store.program("new", now) is not None
        assert "table-" not in str(logged)  # a table's id is its secret link

    with_store(database_url, work)


def test_a_table_that_comes_into_use_while_others_are_removed_is_kept(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cleanup, "clock", lambda: 200 * DAY)

    async def work(store: SqlStore) -> None:
        uptime, used = Uptime(), set[str]()
        for number, day in enumerate((1, 1, 1, *range(100, 200))):
            await store.append(Entry(f"{number:016}", 1, day * DAY, Resumed()))
        cleaner = Cleanup(store, 90, uptime)
        uptime.seconds = DELAY / 1000
        remove = store.remove

        async def removing(table: str, before: int) -> bool:
            if not used:
                used.add(f"{1:016}")  # this one has a viewer
                await store.append(Entry(f"{2:016}", 2, 200 * DAY, Resumed()))  # and a player
            return await remove(table, before)

        monkeypatch.setattr(store, "remove", removing)
        await cleaner.run(used)
        assert sorted(await store.last_changes())[:2] == [f"{number:016}" for number in (1, 2)]

    with_store(sqlite_url, work)


@KEEP_DAYS
def test_a_clock_that_is_far_ahead_removes_nothing(
    keep_days: int, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000 * DAY

    async def work(store: SqlStore) -> None:
        ages = [part * keep_days * DAY // 20 for part in range(13)]
        for age in ages:
            await store.append(Entry(f"{age:016}", 1, now - age, Resumed()))
        await store.add_program("program", "name", now - ages[-1])
        for start in range(3):  # also after many restarts with a game each time
            ahead = now + 120 * DAY + start * HOUR
            monkeypatch.setattr(cleanup, "clock", lambda ahead=ahead: ahead)
            uptime = Uptime()
            cleaner = Cleanup(store, keep_days, uptime)
            await store.append(Entry(f"ahead-{start}".ljust(16, "x"), 1, ahead, Resumed()))
            for uptime.seconds in (0.0, DELAY / 1000, 2 * DELAY / 1000):
                await cleaner.run(())
        assert len(await store.last_changes()) == len(ages) + 3
        assert await store.program("program", now) is not None

    with_store(database_url, work)


def test_days_on_which_the_server_ran_count_although_nobody_played(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(store: SqlStore) -> None:
        await store.append(Entry("t" * 16, 1, 1000 * DAY, Resumed()))
        for day in range(1000, 1092):  # restarted every day
            monkeypatch.setattr(cleanup, "clock", lambda day=day: day * DAY)
            uptime = Uptime()
            cleaner = Cleanup(store, 90, uptime)
            await cleaner.run(())
            uptime.seconds = DELAY / 1000
            await cleaner.run(())
            if day < 1090:
                assert await store.last_changes(), day
        assert not await store.last_changes()

    with_store(database_url, work)
