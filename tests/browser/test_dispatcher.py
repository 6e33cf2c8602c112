"""The dispatcher of the page: sockets, cancelled requests, and games that are handed over to a server."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from granada import replay
from granada.api.call import CLIENT_GONE, Reply
from granada.api.endpoints import Endpoints
from granada.browser.dispatcher import Dispatcher
from granada.rules.options import MODULES
from granada.server.http.app import create_app
from granada.server.ops.settings import Settings
from granada.tables import live_table
from granada.tables.errors import TableError
from granada.tables.fair_queue import Owner
from granada.tables.requests import Idea
from tests.browser.devices import NO_OWNER, QuickBots, device
from tests.kit import rule
from tests.server.running import prefer_building

#: Seconds within which anything happens even on a slow machine.
PATIENCE = 60.0
TWO = [{"kind": "person", "name": "Ana"}, {"kind": "person", "name": "Ben"}]
EVERYTHING = {"edition": "combined", "modules": list(MODULES)}


def on_device(folder: Path, work: Callable[[Dispatcher], Awaitable[None]], bots: QuickBots | None = None) -> None:
    """Run work with a dispatcher."""

    async def run() -> None:
        async with device(folder, bots) as dispatcher, asyncio.timeout(PATIENCE):
            await work(dispatcher)

    asyncio.run(run())


async def post(dispatcher: Dispatcher, path: str, body: object = None) -> Any:
    text = json.dumps({} if body is None else body)
    reply = await dispatcher.request("POST", f"/api{path}", "application/json", text)
    assert reply.status < 300, reply.body
    return json.loads(reply.body)


async def started(dispatcher: Dispatcher, **options: object) -> str:
    """Return a running game of two people at this device."""
    opened = await post(dispatcher, "/tables", {"seats": TWO, "options": options})
    table: str = opened["table"]["id"]
    await post(dispatcher, f"/tables/{table}/start")
    return table


class Page:
    """The page's side of a socket."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[tuple[str, str | int]] = asyncio.Queue()

    def send(self, kind: str, content: str | int) -> None:
        self.events.put_nowait((kind, content))

    async def next(self) -> Any:
        kind, content = await self.events.get()
        assert kind == "message", (kind, content)
        return json.loads(str(content))

    async def opened(self) -> None:
        assert await self.events.get() == ("opened", "")

    async def closed(self) -> str | int:
        while (event := await self.events.get())[0] != "closed":
            pass
        return event[1]


# Sockets


def test_a_socket_sends_the_table_and_takes_commands(tmp_path: Path) -> None:
    async def work(dispatcher: Dispatcher) -> None:
        table, one, other = await started(dispatcher), Page(), Page()
        dispatcher.open(1, f"/api/tables/{table}/socket", one.send)
        await one.opened()
        message = await one.next()
        dispatcher.open(2, f"/api/tables/{table}/socket?seat=2", other.send)
        await other.opened()
        assert (await other.next())["own"]["seat"] == 2
        action = message["own"]["actions"][0]
        dispatcher.receive(1, json.dumps({"type": "act", "id": "a", "n": 0, "action": action}))
        while (message := await one.next()).get("answers") != "a":
            pass
        assert message["n"] == 1
        assert (await other.next())["n"] == 1
        dispatcher.receive(1, json.dumps({"type": "act", "id": "b", "n": 0, "action": action}))
        problem = await one.next()
        assert (problem["type"], problem["code"], problem["answers"]) == ("problem", "stale", "b")
        assert (await one.next())["n"] == 1
        dispatcher.receive(1, "\ud800")  # half a character, which only JavaScript can send
        assert (await one.next())["code"] == "malformed"
        dispatcher.close(1)
        assert await one.closed() == 1000
        dispatcher.receive(1, "too late")
        dispatcher.close(1)

    on_device(tmp_path, work)


@pytest.mark.parametrize("path", ["/api/tables/0000000000000000/socket", "/api/tables/short/socket", "/api/socket"])
def test_a_socket_that_may_not_connect_is_closed_at_once(path: str, tmp_path: Path) -> None:
    async def work(dispatcher: Dispatcher) -> None:
        page = Page()
        dispatcher.open(1, path, page.send)
        assert await page.events.get() == ("closed", 1008)

    on_device(tmp_path, work)


def test_the_oldest_of_too_many_sockets_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_table, "MAX_SOCKETS_OF_PLAYER", 2)

    async def work(dispatcher: Dispatcher) -> None:
        table, pages = await started(dispatcher), [Page() for _ in range(3)]
        for number, page in enumerate(pages):
            dispatcher.open(number, f"/api/tables/{table}/socket", page.send)
            await page.opened()
        assert await pages[0].closed() == 1008
        assert await pages[2].next()

    on_device(tmp_path, work)


def test_sockets_are_told_that_the_tables_stop(tmp_path: Path) -> None:
    page = Page()

    async def work(dispatcher: Dispatcher) -> None:
        table = await started(dispatcher)
        dispatcher.open(1, f"/api/tables/{table}/socket", page.send)
        await page.opened()
        await page.next()

    async def run() -> None:
        async with device(tmp_path) as dispatcher:
            await work(dispatcher)
        assert (await page.next())["type"] == "reconnect"
        assert await page.closed() == 1012

    asyncio.run(run())


# Requests


class ThinkingBots(QuickBots):
    """Bots that never find a hint."""

    def __init__(self) -> None:
        super().__init__()
        self.is_thinking = asyncio.Event()
        self.is_stopped = asyncio.Event()

    async def advise(self, record: str, level: str, seed: str, count: int, owner: Owner = NO_OWNER) -> list[Idea]:
        self.is_thinking.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.is_stopped.set()
        return []


def test_a_hint_that_the_page_cancels_stops_the_bot(tmp_path: Path) -> None:
    async def run() -> None:
        bots = ThinkingBots()
        async with device(tmp_path, bots) as dispatcher, asyncio.timeout(PATIENCE):
            table = await started(dispatcher)
            asked = dispatcher.request("POST", f"/api/tables/{table}/hint", "application/json", "{}", number=7)
            waiting = asyncio.create_task(asked)
            await bots.is_thinking.wait()
            dispatcher.cancel(8)
            assert not bots.is_stopped.is_set()
            dispatcher.cancel(7)
            assert (await waiting).status == CLIENT_GONE
            await bots.is_stopped.wait()
            dispatcher.cancel(7)

    asyncio.run(run())


def test_an_unexpected_error_is_a_reply_without_details(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> bytes:
        raise ValueError("a secret")

    async def work(dispatcher: Dispatcher) -> None:
        monkeypatch.setattr(dispatcher._operations, "public_tables", broken)
        reply = await dispatcher.request("GET", "/api/tables")
        assert (reply.status, json.loads(reply.body)["code"]) == (500, "internal")
        assert b"secret" not in reply.body

    on_device(tmp_path, work)
    assert "request failed" in caplog.text


def test_an_address_is_matched_with_its_parameters() -> None:
    endpoints = Endpoints[Reply]()

    @endpoints.get("/a/{one}/b/{two}.svg")
    async def found(call: object, one: str, two: int) -> Reply:
        raise AssertionError

    @endpoints.post("/a/b")
    async def other(call: object) -> Reply:
        raise AssertionError

    endpoint, parameters = endpoints.match("GET", "/a/x y/b/7.svg")
    assert (endpoint.name, parameters) == ("found", {"one": "x y", "two": "7"})
    for method, path, code in (
        ("GET", "/a/x/b/7xsvg", "not_found"),
        ("GET", "/a//b/7.svg", "not_found"),
        ("GET", "/a/b/", "not_found"),
        ("HEAD", "/a/x/b/7.svg", "method_not_allowed"),
        ("GET", "/a/b", "method_not_allowed"),
    ):
        with pytest.raises(TableError) as refused:
            endpoints.match(method, path)
        assert refused.value.code == code, (method, path)


# Games that a server continues


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TestClient]:
    free = Settings(database=f"sqlite:///{tmp_path / 'server.sqlite'}", rate=0, creations=0, commands=0)
    with TestClient(create_app(free)) as client:
        yield client


def next_action(message: Any, choose: random.Random) -> dict[str, object]:
    """Return a command with one of the offered actions."""
    action = choose.choice(prefer_building(message["own"]["actions"]))
    return {"type": "act", "id": f"n{message['n']}", "n": message["n"], "action": action}


@rule("16.2")
@pytest.mark.parametrize("n", [1, 40, 97, 150, 221, 260])
def test_a_server_continues_a_game_of_the_device(
    n: int, tmp_path: Path, server: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("granada.tables.lobby.new_seed", lambda: "5a" * 32)
    choose = random.Random(7)
    handed_over: list[tuple[Any, str]] = []

    async def work(dispatcher: Dispatcher) -> None:
        table = await started(dispatcher, **EVERYTHING)
        reply = await dispatcher.request("GET", f"/api/tables/{table}")
        message = json.loads(reply.body)
        while message["n"] < n:
            message = await post(dispatcher, f"/tables/{table}/commands", next_action(message, choose))
        reply = await dispatcher.request("GET", f"/api/tables/{table}/handover")
        assert (reply.status, reply.media_type) == (200, "text/plain")
        handed_over.append((message, reply.body.decode()))

    on_device(tmp_path, work)
    ((message, record),) = handed_over
    assert record.count("! bonus") == 2
    assert "?" not in record
    assert "seed" not in record
    uploaded = server.post("/api/records", content=record, headers={"content-type": "text/plain"})
    assert uploaded.status_code == 201, uploaded.text
    table = uploaded.json()["table"]["id"]
    for seat in (1, 2):
        assert server.post(f"/api/tables/{table}/seats/{seat}/take", json={}).is_success
    begun = server.post(f"/api/tables/{table}/start").json()
    assert begun["n"] == n
    assert begun["view"] == message["view"]
    assert begun["own"]["actions"] == message["own"]["actions"]
    now = begun
    while now["table"]["phase"] == "playing":
        now = server.post(f"/api/tables/{table}/commands", json=next_action(now, choose)).json()
    whole = server.get(f"/api/tables/{table}/record").text
    assert replay(whole).state.is_over
    assert whole.partition("\n\n")[2].startswith(record.partition("\n\n")[2])


def test_a_game_that_has_not_started_cannot_be_handed_over(tmp_path: Path) -> None:
    async def work(dispatcher: Dispatcher) -> None:
        opened = await post(dispatcher, "/tables", {"seats": TWO})
        reply = await dispatcher.request("GET", f"/api/tables/{opened['table']['id']}/handover")
        assert (reply.status, json.loads(reply.body)["code"]) == (409, "not_running")

    on_device(tmp_path, work)


@rule("16")
def test_a_server_hands_over_nothing(server: TestClient) -> None:
    opened = server.post("/api/tables", json={"seats": TWO})
    table = opened.json()["table"]["id"]
    server.post(f"/api/tables/{table}/start").raise_for_status()
    refused = server.get(f"/api/tables/{table}/handover")
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
