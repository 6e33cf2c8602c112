"""Quick reactions: sent to everybody at the table, never stored, and never more than one every ten seconds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from granada.server.store.sql_store import SqlStore
from granada.tables import lobby
from granada.tables.entries import Created, SeatPlan
from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.live_table import Listener, LiveTable
from granada.tables.messages import React, Reacted, TableOptions
from granada.tables.reactions import INTERVAL, Reactions
from granada.tables.registry import TableRegistry
from tests.server.databases import Cluster
from tests.server.running import Guest, RunningServer, new_id, read_to_the_end, running
from tests.server.test_watching import at
from tests.server.test_workers import several

ANA, BEN, CLEO = Holder("a" * 64), Holder("b" * 64), Holder("c" * 64)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("reactions")) as started:
        yield started


@pytest.fixture
def guests(server: RunningServer) -> Iterator[tuple[Guest, Guest, str]]:
    """Two people at a running table."""
    with Guest(server) as ana, Guest(server) as ben:
        table = ana.open_table(["person", "open"])
        ben.sit(table, 2, "Ben")
        ana.start(table)
        yield ana, ben, table


# Limits, with a clock that stands still


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def game(store: SqlStore, *holders: Holder, is_started: bool = True) -> tuple[TableRegistry, LiveTable]:
    """Return a table at which each of the holders has a seat."""
    registry = TableRegistry(store)
    seats = tuple([SeatPlan("person", f"Person {i}", None, one.hash) for i, one in enumerate(holders)])
    live = await registry.create(Created(TableOptions(), seats, False, holders[0].hash))
    if is_started:
        await registry.change(live.table.id, lambda table: lobby.start(table, holders[0]))
    return registry, live


async def refusal(reactions: Reactions, live: LiveTable, holder: Holder, **command: Any) -> str:
    """Return the code of a refused reaction."""
    with pytest.raises(TableError) as refused:
        await reactions.react(live, holder, React("x", **command), None)
    return refused.value.code


def test_a_person_and_a_seat_react_once_every_ten_seconds(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        registry, live = await game(store, ANA, BEN)
        time = Time()
        reactions = Reactions(registry, time)
        assert await reactions.react(live, ANA, React("x", "wall"), None) == Reacted(1, "wall", "x")
        time.now += INTERVAL - 1
        with pytest.raises(TableError, match=r"once every 10 seconds\. Try again in 1 s") as refused:
            await reactions.react(live, ANA, React("y", "ouch"), None)
        assert refused.value.code == "too_soon"
        await reactions.react(live, BEN, React("x", "thanks"), None)
        time.now += 1
        await reactions.react(live, ANA, React("z", "luck"), None)
        # Somebody new on the seat does not react sooner than the seat may.
        await registry.change(live.table.id, lambda table: lobby.leave_seat(table, ANA, 0))
        await registry.change(live.table.id, lambda table: lobby.take_seat(table, CLEO, 0, "Cleo"))
        assert await refusal(reactions, live, CLEO, reaction="wall") == "too_soon"
        assert await refusal(reactions, live, ANA, reaction="wall") == "no_seat"

    at(sqlite_url, work)


def test_only_players_react_and_each_reaction_has_its_time(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        registry, live = await game(store, ANA, BEN, is_started=False)
        reactions = Reactions(registry)
        assert await refusal(reactions, live, ANA, reaction="luck") == "not_running"
        await registry.change(live.table.id, lambda table: lobby.start(table, ANA))
        assert await refusal(reactions, live, CLEO, reaction="luck") == "no_seat"
        assert await refusal(reactions, live, ANA, reaction="luck", seat=2) == "no_seat"
        assert await refusal(reactions, live, ANA, reaction="well") == "not_over"
        # What was refused does not count.
        version = live.table.version
        listener = Listener(None)
        live.join(listener)
        assert (await reactions.react(live, ANA, React("x", "luck", seat=1), None)).seat == 1
        assert json.loads(await listener.next() or b"") == {
            "type": "reaction", "seat": 1, "reaction": "luck", "answers": None
        }  # fmt: skip
        assert live.table.version == version

    at(sqlite_url, work)


def test_a_reaction_from_another_process_counts_and_nonsense_from_there_does_not(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        registry, live = await game(store, ANA, BEN)
        reactions = Reactions(registry)
        listener = Listener(None)
        live.join(listener)
        for wrong in (("?" * 16, "b", "0", "wall"), (live.table.id, "b", "7", "wall"), (live.table.id, "b", "0", "x")):
            reactions.receive(*wrong)
        assert not listener.has_more
        reactions.receive(live.table.id, "b", "0", "wall")
        assert msgspec.json.decode(await listener.next() or b"")["reaction"] == "wall"
        assert await refusal(reactions, live, ANA, reaction="wall") == "too_soon"

    at(sqlite_url, work)


# Over the network


def test_everybody_at_the_table_gets_it_also_those_who_watch(guests: tuple[Guest, Guest, str]) -> None:
    ana, ben, table = guests
    with (
        Guest(ana.server) as cleo,
        ana.socket(table) as hers,
        ben.socket(table) as his,
        cleo.socket(table) as watching,
    ):
        before = watching.next()["version"]
        assert hers.ask(type="react", reaction="wall")["seat"] == 1
        for socket in (his, watching):
            while (message := socket.next())["type"] != "reaction":
                pass
            assert message == {"type": "reaction", "seat": 1, "reaction": "wall", "answers": None}
        assert ben.command(table, type="react", reaction="thanks")["seat"] == 2
        while (message := hers.next())["type"] != "reaction":
            pass
        assert message["reaction"] == "thanks"
        assert ana.get(f"/tables/{table}")["version"] == before


def test_a_spectator_or_a_stranger_cannot_react(guests: tuple[Guest, Guest, str]) -> None:
    _, ben, table = guests
    with Guest(ben.server) as cleo:
        refused = cleo.command(table, type="react", reaction="wall")
        assert (refused["code"], "current" in refused) == ("no_seat", False)
        assert cleo.command(table, type="react", reaction="hello")["code"] == "malformed"
        with cleo.socket(table) as socket:
            assert socket.ask(type="react", reaction="wall")["code"] == "no_seat"


def test_a_flood_of_reactions_is_refused_and_harms_nobody(tmp_path: Path) -> None:
    with (
        running(tmp_path, GRANADA_RATE="50", GRANADA_COMMANDS="100") as server,
        Guest(server) as ana,
        Guest(server) as ben,
    ):
        table = ana.open_table(["person", "open"])
        ben.sit(table, 2, "Ben")
        ana.start(table)
        with ana.socket(table) as hers, ben.socket(table) as his:
            assert ben.command(table, type="react", reaction="wall")["type"] == "reaction"
            refused = [ben.command(table, type="react", reaction="wall") for _ in range(5)]
            assert {(one["code"], one["status"], "current" in one) for one in refused} == {("too_soon", 429, False)}
            his.next()
            his.next()  # the table, and the reaction
            his.send(type="react", reaction="ouch")
            assert his.next()["code"] == "too_soon"  # one small message: the table is not sent again
            flood = [json.dumps({"type": "react", "id": new_id(), "reaction": "ouch"}) for _ in range(400)]
            assert read_to_the_end(his, *flood) == 1008
            seen = []
            sent = hers.send(type="look")
            while (message := hers.next()).get("answers") != sent:
                seen.append(message["type"])
            assert seen.count("reaction") == 1
            # Both go on to play, also the one who sent too much.
            for guest in (ana, ben):
                own = guest.get(f"/tables/{table}")
                while own["view"]["deciding"] == own["own"]["seat"]:
                    guest.command(table, type="act", n=own["n"], action=own["own"]["actions"][0])
                    own = guest.get(f"/tables/{table}")


def test_players_at_two_processes_see_each_others_reactions(cluster: Cluster, tmp_path: Path) -> None:
    with several(cluster, tmp_path, 2) as (one, two), Guest(one) as ana, Guest(two) as ben:
        table = ana.open_table(["person", "open"])
        ben.sit(table, 2, "Ben")
        ana.start(table)
        with ana.socket(table) as hers, ben.socket(table) as his:
            his.next()
            assert hers.ask(type="react", reaction="wall")["type"] == "reaction"
            while (message := his.next())["type"] != "reaction":
                pass
            assert (message["seat"], message["reaction"]) == (1, "wall")
            # The same person does not react twice as often over two processes.
            with Guest(two) as elsewhere:
                elsewhere.http.cookies = ana.http.cookies
                assert elsewhere.command(table, type="react", reaction="ouch")["code"] == "too_soon"
