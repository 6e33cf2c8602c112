"""What every store must do. The same cases run on SQLite and PostgreSQL, and under Pyodide on IndexedDB.

This module is also loaded in the worker of a page (tests/web/site/test_store.py), so it imports only what a page has.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, cast

from granada.tables.entries import Entry, Followed, Held, Resumed
from granada.tables.ports import DailyEntry, Damaged, Listing, Store, Unavailable

TABLE = "A" * 16
OTHER = "B" * 16


class ContractStore(Store, Protocol):
    """A store with everything that the cases use."""

    async def last_changes(self) -> dict[str, int]: ...

    async def newest_at(self) -> int: ...

    async def remove(self, table: str, before: int) -> bool: ...


class Place(Protocol):
    """An empty database, which is removed after the case."""

    async def open(self) -> ContractStore:
        """Return a store on the database; each belongs to another process or tab."""

    async def damage(self, table: str, version: int) -> None:
        """Make a stored body unreadable."""


Case = Callable[[Place], Awaitable[None]]


def entry(version: int, table: str = TABLE, command: str | None = None, note: str = "", at: int = 1000) -> Entry:
    return Entry(table, version, at, Followed(note), command)


def listing(table: str, phase: str = "lobby", at: int = 0, is_public: bool = True) -> Listing:
    return Listing(table, phase, is_public, at, f'{{"phase":"{phase}"}}')


async def stored_entries_are_read_in_order(place: Place) -> None:
    stored = [
        entry(1, note="é ☂ \x00 𝄞"),
        Entry(TABLE, 2, 1001, Held(3, "pass"), "h:1"),
        Entry(TABLE, 3, 1_900_000_000_000, Resumed()),
    ]
    store = await place.open()
    for one in stored:
        assert await store.append(one)
    assert await store.append(entry(1, OTHER))
    assert await store.entries(TABLE) == stored
    assert await store.entries(TABLE, after=2) == stored[2:]
    assert await store.entries(TABLE, after=3) == []
    assert await store.entries("C" * 16) == []
    assert await store.has_command(TABLE, "h:1")
    assert not await store.has_command(TABLE, "h:2")
    assert not await store.has_command(OTHER, "h:1")


async def another_process_reads_what_was_stored(place: Place) -> None:
    one, two = await place.open(), await place.open()
    assert await one.append(entry(1), listing(TABLE, "playing"))
    assert await two.entries(TABLE) == [entry(1)]
    assert await two.playing() == [TABLE]
    if not two.is_embedded:
        assert await two.newest_version(TABLE) == 1
        assert await two.newest_version(OTHER) == 0


async def many_entries_at_once_are_all_stored(place: Place) -> None:
    store = await place.open()
    tables = [f"{i:016}" for i in range(100)]
    assert all(await asyncio.gather(*[store.append(entry(1, table, f"h:{table}")) for table in tables]))
    assert set(await store.last_changes()) == set(tables)


async def a_version_is_stored_once(place: Place) -> None:
    store = await place.open()
    results = await asyncio.gather(*[store.append(entry(1, note=str(i))) for i in range(5)])
    assert sorted(results) == [False] * 4 + [True]
    [kept] = await store.entries(TABLE)
    assert kept.body == Followed(str(results.index(True)))
    assert not await store.append(entry(1, note="late"))


async def a_command_is_stored_once_at_a_table(place: Place) -> None:
    store = await place.open()
    assert await store.append(entry(1, command="h:1"))
    assert not await store.append(entry(2, command="h:1"))
    assert await store.append(entry(1, OTHER, "h:1"))
    results = await asyncio.gather(store.append(entry(2, command="h:2")), store.append(entry(3, command="h:2")))
    assert sorted(results) == [False, True]
    assert len(await store.entries(TABLE)) == 2


async def of_two_processes_that_store_a_version_one_wins(place: Place) -> None:
    one, two = await place.open(), await place.open()
    # Many tables at once, so that the batches overlap; in both orders, to provoke deadlocks.
    tables = [f"{i:016}" for i in range(10)]
    for version in range(1, 21):
        wins = await asyncio.gather(
            *[one.append(entry(version, table, note="one")) for table in tables],
            *[two.append(entry(version, table, note="two")) for table in reversed(tables)],
        )
        for first, second in zip(wins[:10], reversed(wins[10:]), strict=True):
            assert first != second
    for table in tables:
        assert [kept.version for kept in await one.entries(table)] == list(range(1, 21))


async def of_two_processes_that_execute_a_command_one_wins(place: Place) -> None:
    one, two = await place.open(), await place.open()
    assert await one.append(entry(1))
    for i in range(1, 41):
        wins = await asyncio.gather(
            one.append(entry(2 * i, command=f"h:{i}")), two.append(entry(2 * i + 1, command=f"h:{i}"))
        )
        assert sorted(wins) == [False, True]
        for version in (2 * i, 2 * i + 1):
            await one.append(entry(version))  # so that no version is missing


async def an_entry_is_not_stored_without_the_one_before(place: Place) -> None:
    store = await place.open()
    assert not await store.append(entry(2), listing(TABLE))
    assert await store.append(entry(1, OTHER))
    assert not await store.append(entry(3, OTHER))
    assert not await store.append(entry(2), listing(TABLE))
    assert await store.entries(TABLE) == []
    assert [one.version for one in await store.entries(OTHER)] == [1]
    assert await store.listings(10) == []
    assert await store.append(entry(1), listing(TABLE))
    assert await store.append(entry(2))


async def what_loses_changes_no_listing(place: Place) -> None:
    store = await place.open()
    assert await store.append(entry(1), listing(TABLE))
    assert not await store.append(entry(1), listing(TABLE, "over"))
    assert [one.phase for one in await store.listings(10)] == ["lobby"]


async def an_entry_is_not_stored_without_its_listing(place: Place) -> None:
    store = await place.open()
    try:
        await store.append(entry(1), Listing(cast(str, None), "lobby", True, 0, ""))
    except Unavailable:
        pass
    else:
        raise AssertionError("a listing without an id is stored")
    assert await store.entries(TABLE) == []
    assert await store.append(entry(1), listing(TABLE))


async def the_newest_public_tables_are_listed(place: Place) -> None:
    store = await place.open()
    shown = {"l1": ("lobby", 5), "l2": ("lobby", 7), "p1": ("playing", 9), "p2": ("playing", 8)}
    for table, (phase, at) in shown.items():
        await store.append(entry(1, table), listing(table, phase, at))
    await store.append(entry(1, "over"), listing("over", "over", 99))
    await store.append(entry(1, "hidden"), listing("hidden", "playing", 100, is_public=False))
    assert [one.id for one in await store.listings(10)] == ["l2", "l1", "p1", "p2"]
    assert [one.id for one in await store.listings(3)] == ["l2", "l1", "p1"]
    assert await store.playing() == ["hidden", "p1", "p2"]


async def a_listing_changes_with_its_table_and_keeps_its_age(place: Place) -> None:
    store = await place.open()
    await store.append(entry(1), listing(TABLE, at=5))
    await store.append(entry(2), listing(TABLE, "playing", at=0))
    assert await store.listings(10) == [listing(TABLE, "playing", at=5)]


async def tables_are_removed_with_their_entries(place: Place) -> None:
    store = await place.open()
    assert await store.newest_at() == 0
    for version, at in ((1, 100), (2, 200)):
        await store.append(entry(version, at=at), listing(TABLE))
        await store.append(entry(version, OTHER, at=at + 101), listing(OTHER))
    assert await store.last_changes() == {TABLE: 200, OTHER: 301}
    assert await store.newest_at() == 301
    assert not await store.remove(TABLE, 200)  # the table has an entry at that time
    assert len(await store.last_changes()) == 2
    assert await store.remove(TABLE, 201)
    assert not await store.remove(TABLE, 201)
    assert await store.entries(TABLE) == []
    assert len(await store.entries(OTHER)) == 2
    assert [one.id for one in await store.listings(10)] == [OTHER]


async def a_damaged_table_does_not_affect_the_others(place: Place) -> None:
    store = await place.open()
    for version in (1, 2):
        await store.append(entry(version), listing(TABLE))
        await store.append(entry(version, OTHER), listing(OTHER))
    await place.damage(TABLE, 2)
    try:
        await store.entries(TABLE)
    except Damaged:
        pass
    else:
        raise AssertionError("a damaged entry is read")
    assert len(await store.entries(OTHER)) == 2
    assert len(await store.listings(10)) == 2
    assert not await store.append(entry(2))  # nothing was removed


def result(holder: str, points: int = 100, margin: int = 5, at: int = 1000, name: str = "Ana") -> DailyEntry:
    return DailyEntry(holder, name, points, margin, at, '{"won":true}')


async def a_daily_attempt_has_one_table(place: Place) -> None:
    daily = (await place.open()).daily
    assert await daily.attempt("granada", 20_000, "h1") is None
    begun = await asyncio.gather(*[daily.begin("granada", 20_000, "h1", f"table{n}") for n in range(5)])
    assert len({*begun}) == 1
    assert await daily.attempt("granada", 20_000, "h1") == begun[0]
    assert await daily.begin("granada", 20_000, "h2", "other") == "other"
    assert await daily.begin("granada", 20_001, "h1", "tomorrow") == "tomorrow"
    assert await daily.begin("alhambra", 20_000, "h1", "edition") == "edition"
    # A table that is gone is replaced once.
    assert await daily.begin("granada", 20_000, "h1", "late", "wrong") == begun[0]
    assert await daily.begin("granada", 20_000, "h1", "late", begun[0]) == "late"
    assert await daily.begin("granada", 20_000, "h1", "later", begun[0]) == "late"


async def a_daily_result_is_entered_once(place: Place) -> None:
    daily = (await place.open()).daily
    assert await daily.result("alhambra", 20_000, "h1") is None
    entered = await asyncio.gather(*[daily.enter("alhambra", 20_000, result("h1", 90 + n)) for n in range(5)])
    assert sorted(entered) == [False] * 4 + [True]
    assert await daily.result("alhambra", 20_000, "h1") == result("h1", 90 + entered.index(True))
    assert await daily.result("alhambra", 20_001, "h1") is None
    assert await daily.result("granada", 20_000, "h1") is None
    assert await daily.enter("granada", 20_000, result("h1", -3, -40, 1_900_000_000_000, "é ☂ 𝄞"))
    assert await daily.result("granada", 20_000, "h1") == result("h1", -3, -40, 1_900_000_000_000, "é ☂ 𝄞")


async def the_best_daily_results_come_first(place: Place) -> None:
    daily = (await place.open()).daily
    best = [
        result("h3", 120, 2),
        result("h1", 99, 20, 8),
        result("h5", 99, 7, 5),
        result("h2", 99, 7, 6),
        result("h4", 9, -60),
    ]
    for one in sorted(best, key=lambda one: one.holder):
        assert await daily.enter("combined", 20_000, one)
    assert await daily.enter("combined", 19_999, result("h1", 500))
    assert await daily.results("combined", 20_000, 10) == best
    assert await daily.results("combined", 20_000, 2, 1) == best[1:3]
    assert await daily.results("combined", 20_002, 10) == []
    assert await daily.count("combined", 20_000) == 5
    assert [await daily.count("combined", 20_000, one) for one in best] == [0, 1, 2, 2, 4]


async def old_daily_results_are_removed(place: Place) -> None:
    daily = (await place.open()).daily
    await daily.remove_all_but(3)
    for day in (9_999, 19_000, 19_100, 20_000, 20_001):
        for holder in ("h1", "h2"):
            await daily.begin("granada", day, holder, "table")
            await daily.enter("granada", day, result(holder))
    await daily.remove_all_but(3)
    for day, count in ((9_999, 0), (19_000, 0), (19_100, 2), (20_000, 2), (20_001, 2)):
        assert await daily.count("granada", day) == count
        assert await daily.attempt("granada", day, "h2") == ("table" if count else None)
    await daily.remove_all_but(3)
    assert await daily.count("granada", 19_100) == 2


async def daily_results_of_a_holder_are_forgotten(place: Place) -> None:
    daily = (await place.open()).daily
    for edition in ("alhambra", "granada"):
        for day in (20_000, 20_001):
            for holder in ("h1", "h2"):
                await daily.begin(edition, day, holder, "table")
                await daily.enter(edition, day, result(holder))
    await daily.forget("h1")
    await daily.forget("h3")
    for edition in ("alhambra", "granada"):
        for day in (20_000, 20_001):
            assert await daily.results(edition, day, 10) == [result("h2")]
            assert await daily.attempt(edition, day, "h1") is None
            assert await daily.attempt(edition, day, "h2") == "table"


#: The cases with one store, which every store must pass, and those with several processes or a damaged database.
SINGLE: tuple[Case, ...] = (
    stored_entries_are_read_in_order,
    many_entries_at_once_are_all_stored,
    a_version_is_stored_once,
    a_command_is_stored_once_at_a_table,
    what_loses_changes_no_listing,
    the_newest_public_tables_are_listed,
    a_listing_changes_with_its_table_and_keeps_its_age,
    tables_are_removed_with_their_entries,
    a_daily_attempt_has_one_table,
    a_daily_result_is_entered_once,
    the_best_daily_results_come_first,
    old_daily_results_are_removed,
    daily_results_of_a_holder_are_forgotten,
)
#: What only the stores of a page must do: there, another tab can delete a table that this one has in memory.
PAGE: tuple[Case, ...] = (an_entry_is_not_stored_without_the_one_before,)
SHARED: tuple[Case, ...] = (
    another_process_reads_what_was_stored,
    of_two_processes_that_store_a_version_one_wins,
    of_two_processes_that_execute_a_command_one_wins,
    an_entry_is_not_stored_without_its_listing,
    a_damaged_table_does_not_affect_the_others,
)
CASES: tuple[Case, ...] = (*SINGLE, *SHARED)
