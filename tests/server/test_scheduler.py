"""The scheduler: bots play, clocks expire, and bots take over and hand back, also after a restart."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from websockets.exceptions import ConnectionClosed

from granada.records.replay import Replay
from granada.rules.bonus import REVEALING
from granada.server.ops.settings import Settings
from granada.server.store.sql_store import SqlStore
from granada.tables.entries import Created, Entry, SeatPlan
from granada.tables.fair_queue import Owner
from granada.tables.lobby import start_rematch
from granada.tables.operations import _table_options
from granada.tables.presence import Presence
from granada.tables.registry import TableRegistry
from granada.tables.scheduler import Scheduler
from granada.tables.table import Table
from tests.kit import rule
from tests.server.running import PATIENCE, Guest, RunningServer, Socket, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("keeping")) as started:
        yield started


@pytest.fixture
def ana(server: RunningServer) -> Iterator[Guest]:
    with Guest(server) as guest:
        yield guest


def until(socket: Socket, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Return the first message that satisfies a condition."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        message = socket.next()
        if message["type"] == "table" and is_so(message):
            return message
    raise AssertionError("it never came")


def waits(message: dict[str, Any]) -> bool:
    """Return whether the recipient has to decide."""
    return bool(message["own"] and message["own"]["actions"])


def test_bots_play_a_whole_game_alone(ana: Guest) -> None:
    table = ana.open_table(["greedy", "greedy", "random"], edition="granada")
    ana.start(table)
    with ana.socket(table) as socket:
        last = until(socket, lambda message: message["table"]["phase"] == "over")
    assert last["view"]["winners"]


def test_when_the_clock_expires_a_bot_plays_the_turn_and_the_person_the_next(ana: Guest) -> None:
    table = ana.open_table(["person", "greedy"], clock={"mode": "turn", "seconds": 5})
    ana.start(table)
    with ana.socket(table) as socket:
        message = until(socket, waits)
        assert 0 < message["table"]["seats"][0]["clock"] <= 5000
        n = message["n"]
        handed = until(socket, lambda one: one["table"]["seats"][0]["is_played_by_bot"])
        assert handed["table"]["seats"][0]["level"] == "greedy"
        message = until(
            socket, lambda one: waits(one) and one["n"] > n and not one["table"]["seats"][0]["is_played_by_bot"]
        )
        socket.ask(type="act", n=message["n"], action=message["own"]["actions"][0])


def test_a_bot_plays_for_who_is_away_and_gives_the_seat_back(ana: Guest, server: RunningServer) -> None:
    table = ana.open_table(["person", "open"], grace=5, edition="combined")
    with Guest(server) as ben:
        ben.sit(table, 2, "Ben")
        with ben.socket(table) as waiting:
            ana.start(table)
            message = until(waiting, lambda one: one["table"]["phase"] == "playing")
            while not message["table"]["seats"][0]["is_played_by_bot"]:  # Ben continues when it is his turn
                if waits(message):
                    message = waiting.ask(type="act", n=message["n"], action=message["own"]["actions"][0])
                else:
                    message = until(waiting, lambda one: waits(one) or one["table"]["seats"][0]["is_played_by_bot"])
            with ana.socket(table) as socket:
                assert not socket.ask(type="back")["table"]["seats"][0]["is_played_by_bot"]
                while not waits(message := ana.get(f"/tables/{table}")):
                    theirs = ben.get(f"/tables/{table}")
                    ben.command(table, type="act", n=theirs["n"], action=theirs["own"]["actions"][0])
                answered = socket.ask(type="act", n=message["n"], action=message["own"]["actions"][0])
                assert answered["n"] == message["n"] + 1


def test_everybody_is_told_when_a_bot_takes_over(ana: Guest) -> None:
    """Only for the absent person who has to decide, and only while another person is connected."""
    table = ana.open_table(["person", "open"], grace=300)
    with Guest(ana.server) as ben:
        ben.sit(table, 2)
        first = ana.start(table)["view"]["deciding"]
        away, here = (ana, ben) if first == 1 else (ben, ana)
        assert [seat["takeover_in"] for seat in ana.get(f"/tables/{table}")["table"]["seats"]] == [None, None]
        with here.socket(table) as socket:
            seats = socket.ask(type="look")["table"]["seats"]
            assert 0 < seats[first - 1]["takeover_in"] <= 300_000
            assert seats[2 - first]["takeover_in"] is None
            with away.socket(table):
                message = until(socket, lambda one: one["table"]["seats"][first - 1]["is_connected"])
                assert message["table"]["seats"][first - 1]["takeover_in"] is None
            message = until(socket, lambda one: not one["table"]["seats"][first - 1]["is_connected"])
            # The time starts again when a person leaves.
            assert 290_000 < message["table"]["seats"][first - 1]["takeover_in"] <= 300_000


def test_a_table_that_all_have_left_sleeps(ana: Guest) -> None:
    table = ana.open_table(["person", "greedy"], grace=5)
    ana.start(table)
    with ana.socket(table) as socket:
        n = until(socket, waits)["n"]
    time.sleep(7)
    assert ana.get(f"/tables/{table}")["n"] == n


def test_a_table_that_wants_no_bot_waits(ana: Guest) -> None:
    table = ana.open_table(["person", "open"], grace=5, takeover=False)
    with Guest(ana.server) as ben:
        ben.sit(table, 2)
        message = ana.start(table)
        away, here = (ana, ben) if message["view"]["deciding"] == 1 else (ben, ana)
        with here.socket(table):
            time.sleep(7)
            message = away.get(f"/tables/{table}")
    assert message["n"] == 0
    assert [seat["takeover_in"] for seat in message["table"]["seats"]] == [None, None]
    assert not any(seat["is_played_by_bot"] for seat in message["table"]["seats"])


def test_who_leaves_never_blocks_the_table_and_another_can_sit_down(ana: Guest, server: RunningServer) -> None:
    table = ana.open_table(["person", "open"], edition="combined")
    with Guest(server) as ben, Guest(server) as cleo, ana.socket(table) as socket:
        ben.sit(table, 2, "Ben")
        ana.start(table)
        ben.post(f"/tables/{table}/seats/2/leave")
        message = until(socket, waits)
        message = socket.ask(type="act", n=message["n"], action=message["own"]["actions"][0])
        if not waits(message):
            message = until(socket, lambda one: waits(one) and one["table"]["seats"][1]["is_played_by_bot"])
        message = cleo.sit(table, 2, "Cleo")
        assert [seat["name"] for seat in message["table"]["seats"]][1] == "Cleo"
        assert not message["table"]["seats"][1]["is_played_by_bot"]
        assert message["own"]["seat"] == 2


def test_after_a_kill_the_game_goes_on_with_bots_and_clocks(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server) as guest:
        bots = guest.open_table(["greedy"] * 4, edition="combined", modules=["vizier", "bonus"])
        mine = guest.open_table(["person", "greedy"], clock={"mode": "bank", "seconds": 120})
        guest.start(mine)
        guest.start(bots)
        with guest.socket(mine) as socket:
            message = until(socket, waits)
            message = socket.ask(type="act", n=message["n"], action=message["own"]["actions"][0])
        time.sleep(0.3)
        server.kill()
        time.sleep(2)
        server.start()
        with guest.socket(mine) as socket:
            again = socket.next()
            assert again["n"] >= message["n"]
            again = again if waits(again) else until(socket, waits)
            assert again["table"]["seats"][0]["clock"] > 110_000
            socket.ask(type="act", n=again["n"], action=again["own"]["actions"][0])
        with guest.socket(bots) as socket:
            assert until(socket, lambda message: message["table"]["phase"] == "over")["view"]["winners"]


def test_a_server_that_is_stopped_tells_its_clients_to_come_back(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server) as guest:
        table = guest.open_table(["person", "person"])
        guest.start(table)
        with guest.socket(table) as socket:
            socket.next()
            status = server.stop()
            farewell = socket.next()
            assert farewell["type"] == "reconnect"
            assert farewell["after"] > 0
            with pytest.raises(ConnectionClosed) as closed:
                socket.next()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1012
        assert status == 0
        server.start()
        assert guest.get(f"/tables/{table}")["n"] == 0


GOLDEN = Path(__file__).parents[1] / "golden"


def continued(name: str, n: int) -> Table:
    """Return a table of bots that continues a golden game after n actions."""
    reading = Replay((GOLDEN / f"{name}.record").read_text("utf-8"))
    reading.run(until=n)
    record = reading.record
    record.extra = {}
    seats = tuple([SeatPlan("bot", player, "greedy") for player in record.names])
    created = Created(_table_options(record.options), seats, False, "a" * 64, opening=str(record))
    table = Table(Entry("t" * 16, 1, 1_000_000, created))
    table.apply(Entry("t" * 16, 2, 1_000_000, start_rematch(table).body))
    return table


class CountingBots:
    """Counts the questions and gives an answer."""

    def __init__(self) -> None:
        self.asked = 0

    async def choose(self, *_: object) -> str:
        self.asked += 1
        return "an answer"


@rule("16.2")
@pytest.mark.parametrize(("name", "n", "is_asked"), [("alhambra-3-all-modules", 77, True), ("combined-3", 57, False)])
def test_a_bot_with_a_hidden_bonus_card_is_asked_although_it_has_no_choice(
    name: str, n: int, is_asked: bool, sqlite_url: str
) -> None:
    """The time of the answer must not tell whether a bonus card could be revealed instead."""
    table = continued(name, n)
    assert table.game is not None
    assert len(table.game.state.offers()) == 1
    assert table.game.state.step is not REVEALING
    bots, registry = CountingBots(), TableRegistry(SqlStore(Settings(database=sqlite_url).url()))
    scheduler = Scheduler(registry, Presence(registry), cast(Any, bots), cast(Any, None), 0.0)
    answer = asyncio.run(scheduler._choice(table, "greedy", Owner("", "")))
    assert (bots.asked, answer == "an answer") == (int(is_asked), is_asked)
