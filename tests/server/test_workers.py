from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.databases import Cluster
from tests.server.running import (
    PATIENCE,
    Guest,
    RunningServer,
    Socket,
    new_id,
    prefer_building,
    read_to_the_end,
    running,
)

#: Seconds within which another process takes over from a dead one: a round, plus some for a busy machine.
TAKEOVER = 15.0


@contextmanager
def several(cluster: Cluster, data: Path, count: int, **environment: str) -> Iterator[list[RunningServer]]:
    """Start several servers on one database at the same time."""
    with cluster.database() as url, ExitStack() as stack:
        servers = [RunningServer(data / str(i), url, 0, **environment) for i in range(count)]
        with ThreadPoolExecutor(count) as pool:
            for server in pool.map(RunningServer.start, servers):
                stack.callback(_end, server)
        yield servers


def _end(server: RunningServer) -> None:
    if server.process is not None and server.process.poll() is None:
        server.stop()


@pytest.fixture(scope="module")
def pair(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[RunningServer]]:
    with several(cluster, tmp_path_factory.mktemp("pair"), 2) as servers:
        yield servers


@contextmanager
def twins(pair: list[RunningServer]) -> Iterator[tuple[Guest, Guest]]:
    """Yield the same browser at two processes."""
    with Guest(pair[0]) as one, Guest(pair[1]) as two:
        one.open_table(["open", "open"])  # opening the first table sets the cookie
        two.http.cookies = httpx.Cookies(one.http.cookies)
        yield one, two


class Seen:
    """A socket and the newest message received on it."""

    def __init__(self, socket: Socket) -> None:
        self.socket = socket
        self.message = socket.next()
        self.ns = [self.message["n"]]

    def until(self, condition: Callable[[dict[str, Any]], bool], timeout: float = PATIENCE) -> dict[str, Any]:
        """Read messages until one satisfies a condition."""
        until = time.monotonic() + timeout
        while not (self.message["type"] == "table" and condition(self.message)):
            self.message = self.socket.next(until - time.monotonic())
            if self.message["type"] == "table":
                self.ns.append(self.message["n"])
        return self.message

    def choice(self, choose: random.Random) -> str | None:
        own = self.message["own"]
        return choose.choice(prefer_building(own["actions"])) if own and own["actions"] else None


def both(*works: Callable[[], Any]) -> list[Any]:
    """Run functions at the same time."""
    barrier = threading.Barrier(len(works))

    def one(work: Callable[[], Any]) -> Any:
        barrier.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(one, works))


def play_together(seen: list[Seen], choose: random.Random, until: int) -> None:
    """Play up to a number of actions; after each, wait until all clients have received it."""
    while seen[0].message["n"] < until and seen[0].message["table"]["phase"] == "playing":
        n = seen[0].message["n"]
        [acting] = [one for one in seen if one.choice(choose)]
        acting.socket.send(type="act", n=n, action=acting.choice(choose))
        for one in seen:
            one.until(lambda message, n=n: message["n"] > n)  # type: ignore[misc]


# Two servers on one database


def test_players_at_two_processes_see_each_others_actions(pair: list[RunningServer]) -> None:
    with Guest(pair[0]) as ann, Guest(pair[1]) as ben, ExitStack() as stack:
        table = ann.open_table(["person", "open"])
        ben.sit(table, 2, "Ben")
        assert ann.start(table)["table"]["seats"][1]["name"] == "Ben"
        guests = [ann, ben, Guest(pair[0]), Guest(pair[1])]
        seen = [Seen(stack.enter_context(guest.socket(table))) for guest in guests]
        for one in seen:  # the notification of the start may not have reached the other process yet
            one.until(lambda message: message["table"]["phase"] == "playing")
        play_together(seen, random.Random(1), 40)
        for one in seen:
            assert one.ns[-1] >= 40
            assert one.ns == sorted(one.ns)
            assert one.message["view"] == seen[0].message["view"]
            assert one.message["version"] == seen[0].message["version"]
        for guest in guests[2:]:
            guest.close()


def test_of_two_who_take_the_same_seat_one_gets_it(pair: list[RunningServer]) -> None:
    with Guest(pair[0]) as host, Guest(pair[0]) as ann, Guest(pair[1]) as ben:
        for guest in (ann, ben):
            guest.open_table(["person", "open"])
        for _ in range(20):
            table = host.open_table(["open", "open"])
            path = f"/api/tables/{table}/seats/1/take"
            answers = both(
                partial(ann.http.post, path, json={"name": "Ann"}), partial(ben.http.post, path, json={"name": "Ben"})
            )
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            [winner] = [i for i, answer in enumerate(answers) if answer.status_code == 200]
            assert answers[1 - winner].json()["code"] == "seat_taken"
            for guest in (ann, ben):
                found = guest.get(f"/tables/{table}")
                assert found["table"]["seats"][0]["name"] == ("Ann", "Ben")[winner]


def test_of_two_actions_at_the_same_moment_one_is_obeyed(pair: list[RunningServer]) -> None:
    choose = random.Random(2)
    with twins(pair) as (one, two):
        table = one.open_table(["person", "person"])
        one.start(table)
        with one.socket(table) as first, two.socket(table) as second:
            seen = [Seen(first), Seen(second)]
            for _ in range(30):
                n = seen[0].message["n"]
                sent = [side.socket.send(type="act", n=n, action=side.choice(choose)) for side in seen]
                answers = [_answer(side.socket, command) for side, command in zip(seen, sent, strict=True)]
                assert sorted(answer["type"] for answer in answers) == ["problem", "table"]
                assert [answer["code"] for answer in answers if answer["type"] == "problem"] == ["stale"]
                for side in seen:
                    side.message = side.socket.ask(type="look")
                    assert side.message["n"] == n + 1
                    assert side.message["view"] == seen[0].message["view"]


def _answer(socket: Socket, command: str) -> dict[str, Any]:
    while True:
        message = socket.next()
        if message.get("answers") == command:
            return message


def test_the_same_command_at_both_is_obeyed_once(pair: list[RunningServer]) -> None:
    choose = random.Random(3)
    with twins(pair) as (one, two):
        table = one.open_table(["person", "person"])
        message = one.start(table)
        for _ in range(15):
            action = choose.choice(prefer_building(message["own"]["actions"]))
            command = {"type": "act", "id": new_id(), "n": message["n"], "action": action}
            answers = both(partial(one.command, table, **command), partial(two.command, table, **command))
            assert [answer["type"] for answer in answers] == ["table", "table"]
            assert [answer["n"] for answer in answers] == [message["n"] + 1] * 2
            message = answers[0]
            assert two.command(table, **command)["n"] == message["n"]  # and also later


def test_whoever_was_acknowledged_at_one_process_reads_it_at_the_other(pair: list[RunningServer]) -> None:
    choose = random.Random(5)
    stale: dict[str, int] = {"message": 0, "log": 0, "look": 0, "socket": 0, "command": 0, "mine": 0, "list": 0}
    writes = 0
    with twins(pair) as (one, two):
        table = one.post("/tables", {"seats": [{"kind": "person"}] * 2, "is_public": True})["table"]["id"]
        message = one.start(table)
        with one.socket(table) as near, two.socket(table) as far:
            sides = [(one, near, two, far), (two, far, one, near)]
            while writes < 200 and message["table"]["phase"] == "playing":
                writer, _, reader, its_socket = sides[writes % 2]
                action = choose.choice(prefer_building(message["own"]["actions"]))
                message = writer.command(table, type="act", n=message["n"], action=action)
                writes += 1
                how = choose.choice(list(stale))
                if how == "list" and message["table"]["phase"] != "playing":
                    continue  # games that are over are not listed
                if how in ("mine", "list"):
                    stale[how] += _turn_in_list(reader, how, table) != _turn(message)
                    continue
                if how == "message":
                    n = reader.get(f"/tables/{table}")["n"]
                elif how == "log":
                    n = reader.get(f"/tables/{table}/log")["lines"][-1]["n"]
                elif how == "look":
                    n = its_socket.ask(type="look")["n"]
                elif how == "command":
                    n = reader.command(table, type="look")["n"]
                else:
                    with reader.socket(table) as new:
                        n = new.next()["n"]
                stale[how] += n != message["n"]
    assert writes > 100
    assert stale == dict.fromkeys(stale, 0)


def _turn(message: dict[str, Any]) -> tuple[int | None, int | None]:
    """Return the number of turns played and the seat (from 1) that decides."""
    return message["view"]["turns"], message["view"]["deciding"]


def _turn_in_list(reader: Guest, how: str, table: str) -> tuple[int | None, int | None]:
    listed = reader.get("/mine" if how == "mine" else "/tables")["tables"]
    found = {one["id"]: (one["turn"], one["deciding"]) for one in listed}
    return found.get(table, (None, None))


def test_lists_show_tables_that_are_not_in_memory(pair: list[RunningServer]) -> None:
    choose = random.Random(6)
    with twins(pair) as (one, two), Guest(pair[0]) as ben, Guest(pair[1]) as far_ben:
        ben.open_table(["open", "open"])
        far_ben.http.cookies = httpx.Cookies(ben.http.cookies)
        for _ in range(5):
            seats = [{"kind": "person"}, {"kind": "person"}, {"kind": "open"}]
            table = one.post("/tables", {"seats": seats, "is_public": True})["table"]["id"]
            assert [mine["phase"] for mine in two.get("/mine")["tables"] if mine["id"] == table] == ["lobby"]
            ben.sit(table, 3, "Ben")
            assert [mine["seats"] for mine in far_ben.get("/mine")["tables"] if mine["id"] == table] == [[3]]
            message = one.start(table)
            for how in ("mine", "list"):
                assert _turn_in_list(two, how, table) == _turn(message)
            while message["view"]["turns"] == 1 and message["own"]["actions"]:
                action = choose.choice(prefer_building(message["own"]["actions"]))
                message = one.command(table, type="act", n=message["n"], action=action)
            for how in ("list", "mine"):
                assert _turn_in_list(two, how, table) == _turn(message)
            ben.post(f"/tables/{table}/seats/3/leave")
            assert table not in [mine["id"] for mine in far_ben.get("/mine")["tables"]]


def test_a_player_is_seen_to_come_and_go_at_another_process(pair: list[RunningServer]) -> None:
    def is_there(message: dict[str, Any]) -> bool:
        return bool(message["table"]["seats"][1]["is_connected"])

    with Guest(pair[0]) as ann, Guest(pair[1]) as ben:
        table = ann.open_table(["person", "open"])
        ben.sit(table, 2)
        with ann.socket(table) as near:
            here = Seen(near)
            here.until(lambda message: message["table"]["seats"][1]["kind"] == "person")
            assert not is_there(here.message)
            with ben.socket(table) as far:
                here.until(is_there, 5)
                # A later client sees who connected first.
                Seen(far).until(lambda message: bool(message["table"]["seats"][0]["is_connected"]), 5)
            here.until(lambda message: not is_there(message), 5)


# The death of a process


def test_a_token_that_is_given_up_at_one_process_ends_its_sockets_at_the_other(pair: list[RunningServer]) -> None:
    with Guest(pair[0]) as somebody:
        token = somebody.post("/programs", {"name": "a program"}, 201)["token"]
    with Guest(pair[0], token) as one, Guest(pair[1], token) as two:
        table = one.open_table(["person", "person"])
        message = one.start(table)
        with two.socket(table) as socket:
            socket.next()
            assert two.get(f"/tables/{table}")["n"] == message["n"]  # the other process has cached the token
            assert one.http.delete("/api/programs").status_code == 204
            assert read_to_the_end(socket) == 1008
        assert two.http.get(f"/api/tables/{table}").status_code == 401


def test_bots_and_clocks_of_a_killed_process_go_on_in_another(cluster: Cluster, tmp_path: Path) -> None:
    options = {"clock": {"mode": "turn", "seconds": 5}, "takeover": False}
    with (
        several(cluster, tmp_path, 2, GRANADA_BOT_PAUSE="0.05") as (doomed, other),
        Guest(doomed) as host,
        Guest(other) as spectator,
    ):
        bots = host.open_table(["random", "random"])
        clocks = host.open_table(["person", "random"], **options)
        for table in (bots, clocks):
            host.start(table)
        with spectator.socket(bots) as far:
            seen = Seen(far)
            seen.until(lambda message: message["n"] >= 5)
            doomed.kill()
            with spectator.socket(clocks) as far_clock:
                n = seen.message["n"]
                seen.until(lambda message: message["n"] > n + 3, TAKEOVER)
                # The person does not return; the clock hands each turn to a bot.
                turns = Seen(far_clock)
                n = turns.message["n"]
                turns.until(lambda message: message["n"] > n, TAKEOVER + 5)
        # The player reconnects to the other process and still has the seat.
        with Guest(other) as back:
            back.http.cookies = httpx.Cookies(host.http.cookies)
            assert back.get(f"/tables/{clocks}")["table"]["seats"][0]["is_yours"]


# Several workers of one server


def test_workers_share_a_port_and_their_tables(cluster: Cluster, tmp_path: Path) -> None:
    with cluster.database() as url, running(tmp_path, url, GRANADA_WORKERS="2") as server, ExitStack() as stack:
        guests = [stack.enter_context(Guest(server)) for _ in range(3)]
        table = guests[0].open_table(["person", "open", "open"])
        for seat, guest in enumerate(guests[1:], 2):
            guest.sit(table, seat)
        guests[0].start(table)
        # Players first, then spectators until each worker has a connection.
        seen: list[Seen] = []
        workers: set[int] = set()
        while len(seen) < 3 or (len(workers) < 2 and len(seen) < 40):
            watcher = guests[len(seen)] if len(seen) < 3 else stack.enter_context(Guest(server))
            socket = stack.enter_context(watcher.socket(table))
            workers.add(_worker_of(server, socket))
            seen.append(Seen(socket))
        assert len(workers) == 2
        for one in seen:  # the notification of the start may not have reached a worker yet
            one.until(lambda message: message["table"]["phase"] == "playing")
        play_together(seen, random.Random(4), 20)
        assert {one.message["n"] for one in seen} == {20}

        os.kill(_worker_of(server, seen[0].socket), signal.SIGKILL)
        with guests[0].socket(table) as again:
            back = Seen(again)
            assert back.message["n"] == 20
            assert back.message["own"]["seat"] == 1
        server.wait_until_healthy()


def _worker_of(server: RunningServer, socket: Socket) -> int:
    """Return the process at the other end of a connection."""
    client = socket.connection.socket.getsockname()[1]
    ends = f":{server.port:04X}", f":{client:04X}"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
    [inode] = [line[9] for line in lines if line[1].endswith(ends[0]) and line[2].endswith(ends[1])]
    for links in Path("/proc").glob("[0-9]*/fd"):
        try:
            if any(os.readlink(link) == f"socket:[{inode}]" for link in links.iterdir()):
                return int(links.parent.name)
        except OSError:
            continue  # the process has ended or belongs to another user
    raise AssertionError("nobody has this connection")
