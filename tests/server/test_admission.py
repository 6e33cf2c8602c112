"""Admission: players always get in, limits for spectators and addresses; rejected clients leave nothing behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from granada.server.http.sockets import serve_socket
from granada.server.ops import background as background_module
from granada.server.ops.background import BackgroundThread
from granada.server.ops.settings import Settings
from granada.server.store.sql_store import SqlStore
from granada.tables import live_table
from granada.tables import session as session_module
from granada.tables.admission import Admission
from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.live_table import Listener, LiveTable
from granada.tables.pictures import Pictures
from granada.tables.presence import Presence
from granada.tables.rate_limit import Bucket, Buckets
from granada.tables.registry import TableRegistry
from granada.tables.session import Session
from tests.server.running import Guest, RunningServer, running
from tests.server.tables import ANA, BEN, Log

HERE, THERE = "192.0.2.1", "192.0.2.2"


def session_of(url: str, commands: float = 0.0, sockets: int = 0) -> Session:
    registry = TableRegistry(SqlStore(Settings(database=url).url()))
    return Session(registry, Presence(registry), 0.0, commands, sockets)


def table(holder: Holder = ANA) -> LiveTable:
    return LiveTable(Log(holder=holder).table)


def refuses(work: Callable[[], object]) -> str:
    with pytest.raises(TableError) as caught:
        work()
    return caught.value.code


# At a table


def test_spectators_never_lock_players_out_and_leave_nothing_when_refused(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        monkeypatch.setattr(live_table, "MAX_SPECTATORS", 3)
        session, one = session_of(sqlite_url), table()
        watching = [session.enter(one, holder, None, HERE) for holder in (None, BEN, None)]
        for holder in (None, BEN):
            assert refuses(lambda who=holder: session.enter(one, who, None, THERE)) == "too_many"  # type: ignore[misc]
        assert (len(one.listeners), len(session.listeners), len(session.admission)) == (3, 3, 3)
        players = [session.enter(one, ANA, None, HERE) for _ in range(2)]
        assert one.is_here(ANA.hash)
        assert refuses(lambda: session.enter(one, None, None, HERE)) == "too_many"
        session.leave(one, watching[0])
        watching[0] = session.enter(one, None, None, THERE)
        for listener in [*watching, *players]:
            session.leave(one, listener)
        assert (len(one.listeners), len(session.listeners), len(session.admission), len(one._here)) == (0, 0, 0, 0)

    asyncio.run(run())


def test_a_player_with_many_sockets_loses_the_oldest(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        monkeypatch.setattr(live_table, "MAX_SOCKETS_OF_PLAYER", 3)
        session, one = session_of(sqlite_url), table()
        spectator = session.enter(one, None, None, HERE)
        own = [session.enter(one, ANA, None, HERE) for _ in range(5)]
        assert [listener.is_disconnected for listener in own] == [True, True, False, False, False]
        assert not spectator.is_disconnected

    asyncio.run(run())


# By address


def test_an_address_has_so_many_sockets_and_players_are_counted_apart(sqlite_url: str) -> None:
    async def run() -> None:
        session, one, other = session_of(sqlite_url, sockets=2), table(), table(BEN)
        spectators = [session.enter(where, None, None, HERE) for where in (one, other)]
        assert refuses(lambda: session.enter(one, None, None, HERE)) == "too_many"
        players = [session.enter(one, ANA, None, HERE), session.enter(other, BEN, None, HERE)]
        session.enter(one, None, None, THERE)
        session.enter(one, ANA, None, THERE)
        session.leave(one, spectators[0])
        session.enter(one, None, None, HERE)
        session.leave(one, players[0])
        session.enter(one, ANA, None, HERE)
        assert not any([listener.is_over for listener in session.listeners])

    asyncio.run(run())


def test_a_player_with_many_sockets_at_many_tables_locks_nobody_at_that_address_out(sqlite_url: str) -> None:
    async def run() -> None:
        session, others = session_of(sqlite_url, sockets=6), [table(BEN) for _ in range(3)]
        many = [session.enter(one, BEN, None, HERE) for one in others for _ in range(2)]
        elsewhere = session.enter(others[0], BEN, None, THERE)
        own = session.enter(table(), ANA, None, HERE)
        assert [listener.is_disconnected for listener in many] == [True, *[False] * 5]
        # The player with most sockets gets no more.
        assert refuses(lambda: session.enter(others[0], BEN, None, HERE)) == "too_many"
        # Others do until the shares are equal: otherwise the two would close each other's sockets again and again.
        mine = [own, *[session.enter(table(), ANA, None, HERE) for _ in range(2)]]
        assert [listener.is_disconnected for listener in many] == [True] * 3 + [False] * 3
        assert refuses(lambda: session.enter(table(), ANA, None, HERE)) == "too_many"
        assert not any([listener.is_disconnected for listener in (elsewhere, *mine)])
        for listener in many[:3]:
            session.leave(others[0], listener)
        assert len(session.admission) == 7

    asyncio.run(run())


def test_players_with_one_socket_each_are_never_disconnected_for_another(sqlite_url: str) -> None:
    async def run() -> None:
        session = session_of(sqlite_url, sockets=1)
        players = [session.enter(table(ANA), ANA, None, HERE)]
        assert refuses(lambda: session.enter(table(BEN), BEN, None, HERE)) == "too_many"
        assert not any([listener.is_disconnected for listener in players])

    asyncio.run(run())


def test_without_a_limit_everybody_is_let_in() -> None:
    admission = Admission(0)
    for _ in range(1000):
        admission.enter(Listener(None, address=HERE))
    assert len(admission) == 1000


def test_sockets_and_streams_are_refused_before_they_begin(tmp_path: Path) -> None:
    def socket_from(server: RunningServer, one: str, address: str) -> Any:
        url = f"{server.url.replace('http', 'ws', 1)}/api/tables/{one}/socket"
        return connect(url, additional_headers={"x-forwarded-for": address})

    with running(tmp_path, GRANADA_SOCKETS="2", GRANADA_TRUSTED_PROXIES="1") as server, Guest(server) as ana:
        one = ana.open_table(["person", "person"])
        with socket_from(server, one, HERE), socket_from(server, one, HERE), socket_from(server, one, THERE):
            with pytest.raises(InvalidStatus) as refused:
                socket_from(server, one, HERE)
            assert refused.value.response.status_code == 429
            assert json.loads(refused.value.response.body or b"")["code"] == "too_many"
            stream = httpx.get(f"{server.url}/api/tables/{one}/stream", headers={"x-forwarded-for": HERE})
            assert (stream.status_code, stream.json()["code"]) == (429, "too_many")
            with ana.socket(one) as player:  # a separate address, and as a player
                player.next()
        for _ in range(20):
            with socket_from(server, one, HERE) as again:
                again.recv()
            with (
                httpx.Client(base_url=server.url, headers={"x-forwarded-for": HERE}) as client,
                client.stream("GET", f"/api/tables/{one}/stream") as lines,
            ):
                next(lines.iter_lines())


# Commands


def test_a_reserved_token_says_when_it_is_there() -> None:
    now = 0.0
    bucket = Bucket(10.0, 3.0, lambda: now)
    assert [round(bucket.reserve(), 6) for _ in range(5)] == [0, 0, 0, 0.1, 0.2]
    now = 0.15
    assert round(bucket.reserve(), 6) == 0.15
    assert round(bucket.reserve(2.5), 6) == 0.4
    now = 100.0
    assert [round(bucket.reserve(), 6) for _ in range(4)] == [0, 0, 0, 0.1]
    assert Bucket(0.0, 1.0).reserve(1000) == 0


class Frames:
    """A socket that delivers some frames, then closes."""

    def __init__(self, *frames: str) -> None:
        self.frames = list(frames)
        self.application_state = WebSocketState.CONNECTED
        self.sent = 0

    async def accept(self) -> None:
        pass

    async def receive(self) -> dict[str, object]:
        await asyncio.sleep(0)
        if not self.frames:
            raise WebSocketDisconnect
        return {"type": "websocket.receive", "text": self.frames.pop()}

    async def send_text(self, text: str) -> None:
        self.sent += 1

    async def close(self, code: int) -> None:
        pass


def test_all_sockets_of_an_address_share_its_commands(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        waits: dict[str, list[float]] = {HERE: [], THERE: []}
        sleep = asyncio.sleep

        class Sleeping:
            """Fakes the time of the event loop."""

            def __getattr__(self, name: str) -> object:
                return getattr(asyncio, name)

            async def sleep(self, seconds: float) -> None:
                waits[where].append(round(seconds, 6))
                await sleep(0)

        monkeypatch.setattr(session_module, "asyncio", Sleeping())
        found, one = session_of(sqlite_url, commands=10.0), table()
        found._commands = Buckets(10.0, 6.0, clock=lambda: 0.0)  # type: ignore[misc]
        monkeypatch.setattr(session_module, "AUDIENCE", float("inf"))
        for where in (HERE, THERE):
            sockets = [Frames(*["{}"] * 5) for _ in range(2 if where == HERE else 1)]
            await asyncio.gather(
                *[serve_socket(found, cast(WebSocket, socket), one, None, None, where) for socket in sockets]
            )
        assert waits == {HERE: [0.1, 0.2, 0.3, 0.4], THERE: []}

    asyncio.run(run())


def test_a_delayed_command_of_a_token_that_was_given_up_is_not_obeyed(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        found, one = session_of(sqlite_url, commands=10.0), table()
        found._commands = Buckets(1000.0, 1.0, clock=lambda: 0.0)  # type: ignore[misc]
        served: list[str] = []

        async def serve(text: str, *_: object) -> bool:
            served.append(text)
            found.dismiss(ANA.hash)
            return True

        monkeypatch.setattr(found, "_serve", serve)
        sockets = [Frames("first"), Frames("delayed")]
        await asyncio.gather(*[serve_socket(found, cast(WebSocket, each), one, ANA, None, HERE) for each in sockets])
        assert served == ["first"]

    asyncio.run(run())


def test_a_command_before_many_listeners_counts_more(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        found, one = session_of(sqlite_url, commands=10.0), table()
        reserved: list[float] = []

        def reserve(key: str, tokens: float = 1.0) -> float:
            reserved.append(tokens)
            return 0.0

        monkeypatch.setattr(found._commands, "reserve", reserve)
        await serve_socket(found, cast(WebSocket, Frames("{}")), one, None, None, HERE)
        for _ in range(99):
            found.enter(one, None, None, THERE)
        await serve_socket(found, cast(WebSocket, Frames("{}")), one, None, None, HERE)
        assert reserved == [1 + 1 / session_module.AUDIENCE, 1 + 100 / session_module.AUDIENCE]

    asyncio.run(run())


# Long work


def test_much_work_of_one_address_delays_another_only_by_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        work, done = BackgroundThread(), list[str]()
        many = [asyncio.create_task(work.do(HERE, lambda: done.append("here"))) for _ in range(20)]
        await asyncio.sleep(0)
        await work.do(THERE, lambda: done.append("there"))
        assert done == ["here", "there"]
        await asyncio.gather(*many)
        monkeypatch.setattr(background_module, "MAX_WAITING", 3)
        many = [asyncio.create_task(work.do(HERE, lambda: done.append("here"))) for _ in range(6)]
        await asyncio.sleep(0)
        itself = asyncio.create_task(work.do(None, lambda: done.append("itself")))
        found = await asyncio.gather(*many, return_exceptions=True)
        await itself
        assert [type(one) for one in found] == [type(None)] * 4 + [TableError] * 2
        work.close()

    asyncio.run(run())


def test_a_picture_is_drawn_once_for_each_version_seat_and_language(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        drawn: list[str] = []

        def draw(view: object, names: object, language: str) -> str:
            drawn.append(language)
            return f"picture {len(drawn)}"

        monkeypatch.setattr("granada.tables.pictures.svg_table", draw)
        work = BackgroundThread()
        pictures, log = Pictures(work), Log().start()
        one = LiveTable(log.table)
        found = await asyncio.gather(*[pictures.picture(one, 0, "en", HERE) for _ in range(5)])
        assert found == ["picture 1"] * 5
        assert await pictures.picture(one, 0, "de", HERE) == "picture 2"
        assert await pictures.picture(one, None, "de", HERE) == "picture 3"
        assert await pictures.picture(one, 0, "en", THERE) == "picture 1"
        log.act(log.offers()[0])
        assert await pictures.picture(one, 0, "en", HERE) == "picture 4"
        monkeypatch.setattr("granada.tables.pictures.KEPT", 2)
        await pictures.picture(one, 0, "en", HERE)
        assert len(pictures._drawn) == 2
        work.close()

    asyncio.run(run())
