"""Garbage collection of the server process: when it runs, and that playing creates no cycles."""

from __future__ import annotations

import asyncio
import gc
import re
import sys
import time
import warnings
import weakref
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
from sqlalchemy.engine import make_url

from granada.server.ops import gc_control
from granada.server.ops.gc_control import GarbageCollection
from granada.server.store.sql_store import SqlStore
from granada.tables.errors import TableError
from granada.tables.live_table import Listener
from granada.tables.lobby import create, start
from granada.tables.messages import TableOptions
from granada.tables.presence import Presence
from granada.tables.registry import TableRegistry
from granada.tables.requests import SeatRequest
from granada.tables.session import Session
from tests.server.running import PATIENCE, Guest, running
from tests.server.tables import ANA, BEN


class Node:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def activity() -> list[int]:
    return [0]


@pytest.fixture
def collection(activity: list[int]) -> Iterator[GarbageCollection]:
    assert gc.isenabled()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()  # free what earlier tests left behind
    found = GarbageCollection(lambda: activity[0])
    found.start()
    try:
        yield found
    finally:
        found.stop()
        assert gc.isenabled()
        assert gc.get_freeze_count() == 0


def test_automatic_collections_are_off_while_the_server_runs(collection: GarbageCollection) -> None:
    assert not gc.isenabled()


def test_a_new_cycle_is_freed_by_a_short_collection_and_an_old_one_by_a_full_one(collection: GarbageCollection) -> None:
    old, new = Node(), Node()
    was_old, was_new = weakref.ref(old), weakref.ref(new)
    del new
    collection.collect_new()
    assert was_new() is None
    del old
    collection.collect_new()
    assert was_old() is not None  # frozen, so that collections stay short
    collection.collect_all()
    assert was_old() is None


def test_new_objects_are_collected_only_if_they_are_many(collection: GarbageCollection) -> None:
    few = [Node() for _ in range(10)]
    were = [weakref.ref(one) for one in few]
    del few
    collection.check_new()
    assert all(one() is not None for one in were)
    many = [Node() for _ in range(2 * gc_control.NEW_OBJECTS)]
    were = [weakref.ref(one) for one in many]
    del many
    collection.check_new()
    assert all(one() is None for one in were)


def test_everything_is_collected_once_after_activity_when_it_is_quiet(
    collection: GarbageCollection, activity: list[int]
) -> None:
    assert not collection.is_due(1000.0)
    activity[0] += 1
    assert not collection.is_due(1010.0)
    assert not collection.is_due(1010.0 + gc_control.IDLE_TIME / 2)
    assert collection.is_due(1010.0 + gc_control.IDLE_TIME)
    collection.collect_all()
    assert not collection.is_due(1020.0 + gc_control.IDLE_TIME)


def test_everything_is_collected_under_load_when_memory_has_grown(
    collection: GarbageCollection, activity: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gc_control, "MIN_GROWTH", 1000)
    kept = [object() for _ in range(int(sys.getallocatedblocks() * gc_control.GROWTH))]
    activity[0] += 1
    assert collection.is_due(1000.0)
    collection.collect_all()
    activity[0] += 1
    assert not collection.is_due(1000.0), f"all {len(kept)} blocks are in use"


def test_a_server_collects_on_its_schedule_and_shows_the_pauses(tmp_path: Path) -> None:
    counts: dict[str, str] = {}
    with running(tmp_path) as server, Guest(server) as guest:
        until = time.monotonic() + PATIENCE
        guest.get("/openapi.json")  # building the document creates thousands of objects at once
        while "new" not in counts and time.monotonic() < until:
            guest.start(guest.open_table(["person", "person"]))
            text = httpx.get(f"{server.url}/metrics", timeout=PATIENCE).text
            counts = dict(re.findall(r'^granada_garbage_seconds_count{which="(\w+)"} (\d+)', text, re.MULTILINE))
    assert int(counts["new"]) >= 1
    assert int(counts["all"]) >= 1  # before the first request


@pytest.mark.parametrize("edition", ["alhambra", "granada", "combined"])
def test_playing_leaves_no_reference_cycles(edition: str, tmp_path: Path) -> None:
    """Otherwise memory would grow until a full collection, which blocks the event loop."""
    found = asyncio.run(_cycles_of_a_game(edition, tmp_path))
    assert found == []


async def _cycles_of_a_game(edition: str, path: Path) -> list[str]:
    """Play with two listeners and some errors; returns what only the garbage collector could free."""
    store = SqlStore(make_url(f"sqlite+aiosqlite:///{path / 'granada.sqlite'}"))
    await store.open()
    registry = TableRegistry(store)
    session = Session(registry, Presence(registry), 0)
    options = msgspec.convert({"edition": edition}, TableOptions)
    live = await registry.create(create(options, [SeatRequest("person"), SeatRequest("person")], False, ANA))
    await registry.change(live.table.id, lambda table: start(table, ANA))
    listeners = [Listener(ANA), Listener(BEN)]
    for listener in listeners:
        live.join(listener)
    game = live.table.game
    assert game is not None
    try:
        await _play(session, listeners, registry, live.table.id, 20)  # fill the caches
        gc.collect()
        gc.disable()
        gc.set_debug(gc.DEBUG_SAVEALL)
        await _play(session, listeners, registry, live.table.id, 60)
        gc.collect()
        assert game.state.n >= 60
        return [type(one).__qualname__ for one in gc.garbage]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
        await registry.close()
        await store.close()


async def _play(
    session: Session, listeners: list[Listener], registry: TableRegistry, table_id: str, actions: int
) -> None:
    live = await registry.table(table_id)
    for i in range(actions):
        game = live.table.game
        assert game is not None
        if game.state.is_over:
            return
        message = msgspec.json.decode(live.message(ANA, None, 0))
        offered = message["own"]["actions"]
        building = [one for one in offered if not one.startswith(("remove", "swap", "add"))] or offered
        n, action = message["n"], building[i % len(building)]
        for count in (n + 1, n):  # the first one is rejected as stale
            text = msgspec.json.encode({"type": "act", "id": f"c{n}-{count}", "n": count, "action": action})
            await session._serve(text, live, listeners[0])
        with pytest.raises(TableError, match="no such table"):
            await registry.table("x" * 16)
        for listener in listeners:
            while listener.has_more:
                await listener.next()
