"""The pace: bots wait until the slowest person at the table has read what was played."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

from granada.server.ops.settings import Settings
from granada.server.server import Server
from granada.server.store.sql_store import SqlStore
from granada.tables import lobby, pace
from granada.tables import session as session_module
from granada.tables.entries import Created, SeatPlan
from granada.tables.history import RecentTurn
from granada.tables.live_table import Listener, LiveTable
from granada.tables.messages import Pace, TableOptions
from granada.tables.pace import FURTHER, MAX_READING, READING, STEP, Reader, Speed, merged, pause_for
from granada.tables.rate_limit import Bucket
from granada.tables.session import Session
from tests.server.running import Guest, RunningServer, running
from tests.server.test_watching import HOST, LONG, PROGRAM, Place, at, played, settled, until

#: Seat 1 has bought and built in turn 4; the next bot is in seat 2.
BOUGHT = RecentTurn(1, 4, 2, "place")
ME, YOU = frozenset([0]), frozenset([3])


def waiting(*readers: Reader, recent: RecentTurn | None = BOUGHT, n: int = 20, bot: int = 2, turn: int = 5) -> float:
    return pause_for(readers, recent, n, bot, turn)


# How long a bot waits


@pytest.mark.parametrize("speed", READING)
def test_a_turn_has_the_time_that_the_speed_gives(speed: Speed) -> None:
    assert waiting(Reader(ME, speed)) == READING[speed]
    assert waiting(Reader(ME, speed), recent=None, n=0) == READING[speed]


def test_a_chain_has_more_time_if_it_is_followed() -> None:
    chain = RecentTurn(1, 4, 4, "place")
    assert waiting(Reader(ME, "follow"), recent=chain) == READING["follow"] + 2 * FURTHER
    assert waiting(Reader(ME, "follow"), recent=RecentTurn(1, 4, 9, "place")) == MAX_READING
    assert waiting(Reader(ME, "quick"), recent=chain) == READING["quick"]


def test_the_slowest_player_counts_and_spectators_only_without_players() -> None:
    quick, follow = Reader(ME, "quick"), Reader(YOU, "follow")
    assert waiting(quick, follow) == waiting(follow, quick) == READING["follow"]
    assert waiting(quick, Reader(speed="follow")) == READING["quick"]
    assert waiting(Reader(speed="follow")) == READING["follow"]
    assert waiting() == 0


def test_within_a_turn_and_after_my_own_the_next_action_comes_soon() -> None:
    assert waiting(Reader(ME, "follow"), bot=1, turn=4) == STEP["follow"]
    assert waiting(Reader(frozenset([0, 1]), "follow")) == STEP["follow"]
    assert waiting(Reader(ME, "follow"), recent=RecentTurn(1, 4, 1, "keep")) == STEP["follow"]
    # In the next turn of the same bot its last one can be read first.
    assert waiting(Reader(ME, "follow"), bot=1) == READING["follow"]


def test_what_a_player_has_read_needs_no_time() -> None:
    assert waiting(Reader(ME, "follow", seen=20)) == 0
    assert waiting(Reader(ME, "follow", seen=19)) == READING["follow"]
    assert waiting(Reader(ME, "follow", seen=20), Reader(YOU, "quick")) == READING["quick"]


def test_the_pages_of_a_player_count_as_one_reader_and_so_do_the_spectators() -> None:
    assert merged([Reader(ME, "instant", 20), Reader(ME, "follow", 7)]) == (Reader(ME, "follow", 20),)
    assert merged([Reader(speed="quick", seen=20), Reader(speed="follow")]) == (Reader(speed="follow"),)


def test_readers_arrive_at_other_processes_as_they_are() -> None:
    readers = (Reader(), Reader(frozenset([0, 2]), "follow", 117), Reader(YOU, "instant"))
    assert pace.read_readers(pace.readers_text(readers)) == readers


# At a table


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `follow` so slow that no test comes to its end."""
    monkeypatch.setattr(pace, "MAX_READING", LONG)
    for seconds in (READING, STEP):
        monkeypatch.setitem(seconds, "follow", LONG)


def choose(place: Place, table: LiveTable, listener: Listener, speed: Speed, seen: int | None = None) -> None:
    place.presence.choose_pace(table, listener, Pace("pace", speed, seen))


@pytest.mark.usefixtures("slow")
def test_bots_wait_for_the_slowest_and_go_on_when_that_one_leaves_or_hurries(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store, pause=LONG)
        table = await place.table()
        quick, slow, program = Listener(None), Listener(None), Listener(PROGRAM)
        for listener in (quick, slow, program):
            place.presence.enter(table, listener)
        choose(place, table, quick, "instant")
        choose(place, table, slow, "follow")
        choose(place, table, program, "follow")
        await until(lambda: len(place.bots.asked) == 1)
        await settled(place)
        assert played(table) == 0
        choose(place, table, slow, "instant")
        await until(lambda: played(table) >= 3)
        choose(place, table, slow, "follow")
        await settled(place)
        n = played(table)
        await settled(place)
        assert played(table) == n
        place.presence.leave(table, slow)
        await until(lambda: played(table) > n + 3)
        place.scheduler.close()

    at(sqlite_url, work)


@pytest.mark.usefixtures("slow")
def test_a_player_who_has_read_a_turn_ends_the_pause(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store, pause=LONG)
        table = await place.table()
        listener = Listener(None)
        place.presence.enter(table, listener)
        choose(place, table, listener, "follow")
        for n in range(3):
            await until(lambda n=n: len(place.bots.asked) == n + 1)  # type: ignore[misc]
            await settled(place)
            assert played(table) == n
            choose(place, table, listener, "follow", seen=n)
            await until(lambda n=n: played(table) == n + 1)  # type: ignore[misc]
        place.scheduler.close()

    at(sqlite_url, work)


@pytest.mark.usefixtures("slow")
def test_no_bot_waits_longer_than_the_operator_allows(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        for allowed in (0.0, 0.001):
            place = Place(store, pause=allowed)
            table = await place.table()
            listener = Listener(None)
            place.presence.enter(table, listener)
            choose(place, table, listener, "follow")
            await until(lambda table=table: played(table) >= 3)  # type: ignore[misc]
            place.scheduler.close()

    at(sqlite_url, work)


@pytest.mark.usefixtures("slow")
def test_bots_wait_for_people_at_other_processes(postgres_url: str) -> None:
    async def run() -> None:
        servers = [Server(Settings(database=postgres_url, bot_pause=LONG, rate=0)) for _ in range(2)]
        for server in servers:
            await server.open()
        one, two = servers
        seats = (SeatPlan("bot", "Ana", "random"), SeatPlan("bot", "Ben", "random"))
        table = await one.tables.registry.create(Created(TableOptions(), seats, False, HOST.hash))
        await one.tables.registry.change(table.table.id, lambda now: lobby.start(now, HOST))
        await one.tables.notifier.claim(table.table.id)
        there = await two.tables.registry.table(table.table.id)
        two.tables.presence.enter(there, watcher := Listener(None))
        two.tables.presence.choose_pace(there, watcher, Pace("one", "follow"))
        await until(lambda: Reader(speed="follow") in table.readers())
        n = played(table)
        two.tables.presence.choose_pace(there, watcher, Pace("two", "instant"))
        await until(lambda: played(there) >= n + 3)
        two.tables.presence.leave(there, watcher)
        await until(lambda: not table.readers_elsewhere)
        for server in servers:
            await server.close()

    asyncio.run(run())


# The command


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("pace")) as started:
        yield started


@pytest.fixture
def bots_table(server: RunningServer) -> str:
    with Guest(server) as guest:
        return guest.open_table(["random", "random"])


def test_the_command_is_not_answered_and_changes_nothing(server: RunningServer, bots_table: str) -> None:
    with Guest(server) as guest, guest.socket(bots_table) as socket:
        version = socket.next()["version"]
        socket.send(type="pace", speed="follow", seen=3)
        assert socket.ask(type="look")["version"] == version  # the next message, and no entry
        assert guest.command(bots_table, type="pace", speed="quick")["version"] == version
        socket.send(type="pace", speed="slow")
        assert socket.next()["code"] == "malformed"


def test_it_counts_against_the_limit_of_commands(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store)
        table = await place.table()
        monkeypatch.setattr(session_module, "BURST", 3.0)
        session = Session(place.registry, place.presence, rate=0.001)
        listener = session.enter(table, None, None, "192.0.2.1")
        assert isinstance(listener.commands, Bucket)
        command = json.dumps({"type": "pace", "id": "a", "speed": "follow"})
        assert [await session.receive(command, table, listener) for _ in range(4)] == [True, True, True, False]
        assert listener.is_disconnected
        place.scheduler.close()

    at(sqlite_url, work)
