from __future__ import annotations

import asyncio
import json
import random
import socket as sockets
import sqlite3
import struct
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.databases import Cluster
from tests.server.killing import kill_often
from tests.server.running import (
    PATIENCE,
    Guest,
    RunningServer,
    Socket,
    new_id,
    play_on,
    prefer_building,
    read_to_the_end,
    running,
)

# The server is killed


@pytest.mark.parametrize(("kind", "kills"), [("sqlite", 8), ("postgres", 3)])
def test_nothing_is_lost_or_done_twice_when_the_server_is_killed(
    kind: str, kills: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url: str = request.getfixturevalue(f"{kind}_url")
    with running(tmp_path, url) as server:
        figures = asyncio.run(kill_often(server, url, kills, parties=2, seconds=30, seed=time.time_ns()))
    assert figures.kills >= min(kills, 3)
    assert figures.acknowledged > 0


# The database is unavailable


def act(socket: Socket, message: dict[str, Any], command: str | None = None) -> dict[str, Any]:
    """Play an action that keeps the game short."""
    action = prefer_building(message["own"]["actions"])[0]
    return socket.ask(id=command or new_id(), type="act", n=message["n"], action=action)


def wait_for(guest: Guest, table: str, n: int) -> dict[str, Any]:
    """Wait until more than n actions were played at a table."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        message = guest.get(f"/tables/{table}")
        if message["n"] > n or message["table"]["phase"] == "over":
            return message
        time.sleep(0.1)
    raise AssertionError("the table does not go on")


def test_while_postgresql_is_stopped_commands_are_refused_and_then_all_goes_on(
    cluster: Cluster, postgres_url: str, tmp_path: Path
) -> None:
    with running(tmp_path, postgres_url, GRANADA_BOT_PAUSE="0.1") as server, Guest(server) as guest:
        own = guest.open_table(["person", "person"])
        bots = guest.open_table(["random", "random"])
        for table in (own, bots):
            guest.start(table)
        with guest.socket(own) as socket:
            message = act(socket, socket.next())
            cluster.stop()
            try:
                command = new_id()
                refused = act(socket, message, command)
                assert (refused["type"], refused["code"]) == ("problem", "unavailable")
                current = socket.next()  # the current message follows the error
                assert (current["n"], current["version"]) == (message["n"], message["version"])
                assert guest.post("/tables", {"seats": [{}, {}]}, status=503)["code"] == "unavailable"
                assert guest.get("/tables", status=503)["code"] == "unavailable"
                assert httpx.get(f"{server.url}/healthz", timeout=PATIENCE).status_code == 503
                stuck = guest.get(f"/tables/{bots}")["n"]  # tables in memory can still be read
            finally:
                cluster.start()  # later tests need the database
            server.wait_until_healthy()
            again = act(socket, message, command)  # the same command, executed now
            assert (again["type"], again["n"]) == ("table", message["n"] + 1)
        wait_for(guest, bots, stuck + 3)


def test_while_the_file_is_locked_commands_are_refused_and_then_all_goes_on(tmp_path: Path) -> None:
    with running(tmp_path, GRANADA_BOT_PAUSE="0.1") as server, Guest(server) as guest:
        own = guest.open_table(["person", "person"])
        bots = guest.open_table(["random", "random"])
        for table in (own, bots):
            guest.start(table)
        with guest.socket(own) as socket:
            message = act(socket, socket.next())
            with closing(sqlite3.connect(tmp_path / "granada.sqlite", isolation_level=None)) as other:
                other.execute("BEGIN EXCLUSIVE")
                command = new_id()
                refused = act(socket, message, command)
                assert (refused["type"], refused["code"]) == ("problem", "unavailable")
                stuck = guest.get(f"/tables/{bots}")["n"]
                other.execute("ROLLBACK")
            current = socket.next()
            assert (current["n"], current["version"]) == (message["n"], message["version"])
            again = act(socket, message, command)
            assert (again["type"], again["n"]) == ("table", message["n"] + 1)
        wait_for(guest, bots, stuck + 3)


# Clients that misbehave


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    # A limit per socket; the other limits are off, because they apply to the whole test.
    with running(tmp_path_factory.mktemp("faults"), GRANADA_RATE="200", GRANADA_CREATIONS="0") as started:
        yield started


@pytest.fixture
def guest(server: RunningServer) -> Iterator[Guest]:
    with Guest(server) as somebody:
        yield somebody


GARBAGE: list[str | bytes] = [
    "",
    "null",
    "[]",
    "{",
    "\x00",
    "🂡" * 100,
    json.dumps({"type": "act"}),
    json.dumps({"type": "fly", "id": "1"}),
    json.dumps({"type": "act", "id": "1", "n": -1, "action": "pass"}),
    json.dumps({"type": "act", "id": "1", "n": 10**30, "action": "pass"}),
    json.dumps({"type": "act", "id": "../../etc", "n": 0, "action": "pass"}),
    json.dumps({"type": "act", "id": "1", "n": 0, "action": "x" * 1000}),
    '{"type":"look","id":"\\ud800"}',
    '{"type":"look","id":"1","more":' + "[" * 4000,
    "[" * 4000,
    '{"a":' * 800,
    b"\xff\xfe\x00",
    b"\x00" * 4000,
    "x" * 5000,
]


def test_garbage_is_refused_and_changes_nothing(server: RunningServer, guest: Guest) -> None:
    table = guest.open_table(["person", "person"])
    before = guest.start(table)
    with guest.socket(table) as socket:
        socket.next()
        for garbage in GARBAGE:
            socket.connection.send(garbage)
            refused, current = socket.next(), socket.next()
            assert (refused["type"], refused["code"] in ("malformed", "too_large")) == ("problem", True), garbage
            assert current["version"] == before["version"]
        assert act(socket, current)["n"] == before["n"] + 1
    assert "Traceback" not in server.log()


def test_ten_megabytes_close_a_socket_and_are_refused_by_http(server: RunningServer, guest: Guest) -> None:
    table = guest.open_table(["person", "person"])
    guest.start(table)
    with guest.socket(table) as quiet:
        quiet.next()
        with guest.socket(table) as socket:
            assert read_to_the_end(socket, "x" * 20_000) == 1009
        with guest.socket(table) as socket:
            # The server stops reading, so its response can be lost with the connection.
            assert read_to_the_end(socket, "x" * 10_000_000) in (1009, None)
        assert _post_much(server, f"/api/tables/{table}/commands") == 413
        assert quiet.ask(type="look")["type"] == "table"


def _post_much(server: RunningServer, path: str) -> int:
    """Return the status of the response; the server may stop reading early."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n\r\n"
    with sockets.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
        connection.sendall(head.encode())
        with suppress(OSError):  # the server closed the connection
            connection.sendall(b"x" * 10_000_000)
        return int(connection.recv(100).split()[1])


def test_a_flood_is_sent_away_and_others_go_on(guest: Guest) -> None:
    table = guest.open_table(["person", "person"])
    message = guest.start(table)
    with guest.socket(table) as quiet:
        quiet.next()
        with guest.socket(table) as socket:
            looks = [json.dumps({"type": "look", "id": new_id()}) for _ in range(400)]
            assert read_to_the_end(socket, *looks) == 1008
        assert act(quiet, message)["n"] == message["n"] + 1


def test_whoever_comes_back_with_an_old_number_is_told_the_new_one(guest: Guest) -> None:
    table = guest.open_table(["person", "random"])
    message = guest.start(table)
    with guest.socket(table) as socket:
        newest = play_on(socket, random.Random(1), until=message["n"] + 6)
    with guest.socket(table) as socket:
        socket.next()
        for n in (0, newest["n"] - 1, newest["n"] + 5):
            refused = socket.ask(type="act", n=n, action="pass")
            assert refused["code"] == "stale"
            assert socket.next()["n"] >= newest["n"]


def test_clients_that_vanish_are_seen_to_be_gone_and_hinder_nobody(guest: Guest, server: RunningServer) -> None:
    with Guest(server) as other:
        table = guest.open_table(["person", "open"])
        other.sit(table, 2)
        message = guest.start(table)
        with guest.socket(table) as socket:
            for _ in range(6):
                _vanish(other, table)
            until = time.monotonic() + 10
            while message["table"]["seats"][1]["is_connected"] or message["table"]["spectators"]:
                assert time.monotonic() < until
                message = socket.ask(type="look")
                time.sleep(0.05)
            # A player who disconnects right after sending an action has still played it.
            acting = guest if message["view"]["deciding"] == 1 else other
            message = acting.get(f"/tables/{table}")
            _vanish(acting, table, {"type": "act", "n": message["n"], "action": message["own"]["actions"][0]})
            assert wait_for(guest, table, message["n"])["n"] == message["n"] + 1


def _vanish(guest: Guest, table: str, *commands: dict[str, object]) -> None:
    """Reset a connection without closing it, as a phone in a tunnel does."""
    with guest.socket(table) as socket:
        socket.next()
        for command in commands:
            socket.send(**command)
        connection = socket.connection.socket
        # A linger time of 0 resets the connection instead of closing it.
        connection.setsockopt(sockets.SOL_SOCKET, sockets.SO_LINGER, struct.pack("ii", 1, 0))
        if commands:
            time.sleep(0.1)
        connection.shutdown(sockets.SHUT_RD)
        connection.close()
