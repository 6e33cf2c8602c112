"""The same requests over HTTP and through the dispatcher of the page give the same replies.

Ids, seeds, names and the clock are fixed, so the replies must be equal to the last byte.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol

import pytest
from starlette.testclient import TestClient

from granada.api.endpoints import BODY_LIMIT
from granada.api.handlers import LONGEST_RECORD
from granada.puzzles.shipped import shipped
from granada.rules.options import MODULES
from granada.server.http.app import create_app
from granada.server.http.credentials import COOKIE
from granada.server.ops.settings import Settings
from granada.tables.clock import ServerTime
from tests.browser.devices import SECRET, QuickBots, device
from tests.server.running import prefer_building

#: Seconds within which a bot plays or an analysis is done even on a slow machine.
PATIENCE = 60.0
NOW = 1_790_000_000_000
JSON, TEXT = "application/json", "text/plain"
NOWHERE = "0" * 16
#: The day of NOW, and the day before.
DAY, YESTERDAY = "2026-09-21", "2026-09-20"
EDITIONS: dict[str, tuple[int, dict[str, object]]] = {
    "alhambra": (3, {"edition": "alhambra", "modules": ["vizier", "bonus"], "ages": [9, 40, 7]}),
    "granada": (2, {"edition": "granada", "scoring": "simplified", "open_money": True, "aids": "purist"}),
    "combined": (2, {"edition": "combined", "modules": list(MODULES), "clock": {"mode": "bank", "seconds": 600}}),
}


@dataclass(frozen=True)
class Replied:
    """A reply, and the request that it answers."""

    request: str
    status: int
    media_type: str
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Transport(Protocol):
    """Sends requests."""

    def send(self, method: str, path: str, content_type: str, body: bytes) -> tuple[int, str, bytes]:
        """Return the status, the media type and the body of the reply."""

    def wait(self) -> None:
        """Give the tables a moment."""

    def over_socket(self, path: str, texts: list[str]) -> list[str]:
        """Open a socket and send texts, each after the answer to the one before; return all messages."""


class Http:
    """The whole application with its middleware, in Starlette's test client."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        client.cookies.set(COOKIE, SECRET)

    def send(self, method: str, path: str, content_type: str, body: bytes) -> tuple[int, str, bytes]:
        headers = {"content-type": content_type} if content_type else {}
        reply = self.client.request(method, path, content=body, headers=headers)
        return reply.status_code, reply.headers["content-type"].partition(";")[0], reply.content

    def wait(self) -> None:
        time.sleep(0.01)

    def over_socket(self, path: str, texts: list[str]) -> list[str]:
        with self.client.websocket_connect(path) as socket:
            messages = [socket.receive_text()]
            for text in texts:
                socket.send_text(text)
                messages += [socket.receive_text() for _ in range(answers_to(text))]
        return messages


class Device:
    """The dispatcher, whose event loop runs only during requests."""

    def __init__(self, folder: Path) -> None:
        self.runner = asyncio.Runner()
        self.device = device(folder)
        self.dispatcher = self.runner.run(self.device.__aenter__())

    def send(self, method: str, path: str, content_type: str, body: bytes) -> tuple[int, str, bytes]:
        reply = self.runner.run(self.dispatcher.request(method, path, content_type, body))
        return reply.status, reply.media_type, reply.body

    def wait(self) -> None:
        self.runner.run(asyncio.sleep(0.01))

    def over_socket(self, path: str, texts: list[str]) -> list[str]:
        async def run() -> list[str]:
            events: asyncio.Queue[tuple[str, str | int]] = asyncio.Queue()
            self.dispatcher.open(1, path, lambda kind, content: events.put_nowait((kind, content)))
            found = [await events.get() for _ in range(2)]
            for text in texts:
                self.dispatcher.receive(1, text)
                found += [await events.get() for _ in range(answers_to(text))]
            self.dispatcher.close(1)
            found.append(await events.get())
            assert [kind for kind, _ in found] == ["opened", *["message"] * (len(found) - 2), "closed"]
            return [str(content) for _, content in found[1:-1]]

        return self.runner.run(run())

    def close(self) -> None:
        self.runner.run(self.device.__aexit__(None, None, None))
        self.runner.close()


class Script:
    """Sends requests through one transport and notes the replies."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.replies: list[Replied] = []
        self.numbers = itertools.count(1)

    def ask(self, method: str, path: str, body: object = None, media: str | None = None, *, noted: bool = True) -> Any:
        """Send a request and return what it gives: JSON, or a text."""
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        content_type = media if media is not None else JSON if content else ""
        status, media_type, reply = self.transport.send(method, path, content_type, content)
        replied = Replied(f"{method} {path} {content[:200]!r}", status, media_type, reply)
        if noted:
            self.replies.append(replied)
        return replied.json if media_type.endswith("json") else reply.decode()

    def post(self, path: str, body: object = None, media: str | None = None) -> Any:
        return self.ask("POST", path, body, media)

    def get(self, path: str) -> Any:
        return self.ask("GET", path)

    def until(self, method: str, path: str, is_done: Callable[[Any], bool]) -> Any:
        """Repeat a request until its reply is as wanted, and note only that one."""
        deadline = time.monotonic() + PATIENCE
        while not is_done(self.ask(method, path, noted=False)):
            assert time.monotonic() < deadline, path
            self.transport.wait()
        return self.ask(method, path)

    def command(self, table: str, noted: bool = True, **command: object) -> Any:
        body = {"id": f"c{next(self.numbers)}", **command}
        return self.ask("POST", f"/api/tables/{table}/commands", body, noted=noted)


# The requests


def play_whole_games(script: Script, players: int, options: dict[str, object]) -> None:
    """Everything that can be done with tables, before, in and after a game."""
    seats = [{"kind": "person", "name": f"Player {n}"} for n in range(1, players + 1)]
    wanted = {"seats": [*seats[:-1], {}], "options": options, "is_public": True}
    table = script.post("/api/tables", wanted)["table"]["id"]
    here = f"/api/tables/{table}"
    script.get("/api/tables")
    change_seats(script, here, players)
    script.post(f"{here}/start")
    script.post(f"{here}/start")
    refuse_before_the_end(script, here)
    play(script, table)
    script.get("/api/tables")
    look_back(script, here)
    continue_it(script, here, players)
    script.get("/healthz")


def change_seats(script: Script, here: str, players: int) -> None:
    last = f"{here}/seats/{players}"
    script.post(f"{here}/start")
    script.post(f"{last}/take", {"name": "Player 1"})
    script.post(f"{last}/take", {"name": "Zoë"})
    script.post(f"{last}/take", {"name": "  "})
    script.post(f"{last}/leave")
    script.post(f"{last}/leave")
    script.ask("PUT", last, {"kind": "bot", "level": "builder"})
    script.ask("PUT", last, {"kind": "bot", "level": "nobody"})
    script.ask("PUT", f"{here}/seats/1", {"kind": "person", "name": "A, B"})
    script.ask("PUT", last, {"kind": "person", "name": f"Player {players}"})
    for seat in ("0", "7", "x", "%31", "1.0", ""):
        script.post(f"{here}/seats/{seat}/take", {})
    script.post(f"{here}/seats/6/take", {})
    script.get(f"{here}/log")
    script.get(f"{here}/picture.svg")
    script.command(here.rpartition("/")[2], type="act", n=0, action="take b1")
    script.post(f"{here}/hint", {})


def refuse_before_the_end(script: Script, here: str) -> None:
    for path in ("record", "positions/0", "scorings/A", "scorings/D", "nothing", ""):
        script.get(f"{here}/{path}")
    script.get(f"{here}/facts")
    script.post(f"{here}/analysis")
    script.post(f"{here}/fork", {"n": 0})
    script.post(f"{here}/rematch", {})
    script.post(f"{here}/hint", {})
    script.post(f"{here}/hint", {"seat": 2})
    script.post(f"{here}/hint", {"seat": 9})
    table = here.rpartition("/")[2]
    for command in (
        {"type": "act", "n": 0, "action": "take y9 y9"},
        {"type": "act", "n": 0, "action": "dance"},
        {"type": "act", "n": 7, "action": "pass"},
        {"type": "act", "n": -1, "action": "pass"},
        {"type": "act", "n": 0, "action": "pass", "seat": 6},
        {"type": "confirm", "n": 0},
        {"type": "undo", "n": 0},
        {"type": "restart", "n": 0},
        {"type": "back"},
        {"type": "here", "seat": 1},
        {"type": "look", "seat": 2},
        {"type": "look", "seat": 6},
        {"type": "ask", "how": "place", "tile": "garden-8", "cell": "1,0"},
        {"type": "ask", "how": "remove"},
        {"type": "ask", "how": "place", "tile": "no tile"},
        {"type": "nothing"},
        {"type": "act", "id": "a b", "n": 0, "action": "pass"},
        {},
    ):
        script.command(table, **command)
    script.post(f"{here}/commands", b"[")
    script.post(f"{here}/commands", b"\xff")
    script.post(f"{here}/commands", b"x" * 5000)
    script.post(f"{here}/commands", {"type": "look"}, TEXT)


def play(script: Script, table: str) -> None:
    """Play a game at random, with questions, undone and held actions and hints."""
    here = f"/api/tables/{table}"
    choose = random.Random(7)
    message = script.get(here)
    while message["table"]["phase"] != "over":
        n = message["n"]
        if n % 40 == 12:
            message = leave_the_line(script, table, message)
            continue
        action = choose.choice(prefer_building(message["own"]["actions"]))
        message = script.command(table, type="act", n=n, action=action)
        assert "own" in message, message
        if message["table"]["passing"] is not None:
            message = script.command(table, type="here", seat=message["table"]["passing"]["seat"])


def leave_the_line(script: Script, table: str, message: Any) -> Any:
    """Ask and look around, hold an action, take it back, and play it."""
    here, n, seat = f"/api/tables/{table}", message["n"], message["view"]["deciding"]
    script.get(f"{here}/log")
    script.get(f"{here}/log?seat={seat}&seat=1")
    script.get(f"{here}/picture.svg?language=de&seat={seat}")
    script.post(f"{here}/hint", {"seat": seat})
    script.get(f"{here}/scorings/A")
    for tile in [tile for space in message["view"]["yard"] for tile in space if tile is not None]:
        script.command(table, type="ask", how="place", tile=tile)
    action = prefer_building(message["own"]["actions"])[0]
    script.command(table, type="act", n=n, action=action, hold=True)
    script.command(table, type="undo", n=n)
    script.command(table, type="act", n=n, action=action, hold=True)
    script.command(table, type="confirm", n=n)
    found = script.get(here)
    if found["n"] == n:
        found = script.command(table, type="act", n=n, action=action)
    if found["table"]["passing"] is not None:
        found = script.command(table, type="here", seat=found["table"]["passing"]["seat"])
    return found


def look_back(script: Script, here: str) -> None:
    end = script.get(here)["n"]
    for n in (0, 1, end // 2, end, end + 1, -1, "x", 10**7):
        script.get(f"{here}/positions/{n}")
    for seat in ("1", "2", "6", "7", "", "x"):
        script.get(f"{here}/positions/5?seat={seat}")
    for scoring in "ABCD":
        script.get(f"{here}/scorings/{scoring}")
    for query in ("?seat=1", "?seat=0", "?seat=", "?seat=1&seat=x", "?other=1", "?seat=%32", "?"):
        script.get(f"{here}/log{query}")
    assert len(script.get(f"{here}/facts")["deciding"]) == len(script.get(here)["table"]["seats"])
    for language in ("de", "hu", "xx", ""):
        script.get(f"{here}/picture.svg?language={language}")
    script.post(f"{here}/hint", {})
    script.command(here.rpartition("/")[2], type="act", n=end, action="pass")
    analysis = script.until("POST", f"{here}/analysis", lambda found: found["status"] == "done")
    assert len(analysis["chances"]) == end + 1


def continue_it(script: Script, here: str, players: int) -> None:
    """Upload, fork and rematch."""
    record = script.get(f"{here}/record")
    whole = record.encode()
    lines = record.splitlines(keepends=True)
    for text in (whole, "".join(lines[: len(lines) // 2]).encode(), whole.replace(b"\n1 ", b"\n9 ", 1)):
        uploaded = script.post("/api/records", text, TEXT)
        if "table" in uploaded:
            script.post(f"/api/tables/{uploaded['table']['id']}/seats/1/take", {"name": "Ana"})
            script.post(f"/api/tables/{uploaded['table']['id']}/start")
    script.post("/api/records", whole, "Text/Plain; charset=utf-8")
    script.post("/api/records", whole, JSON)
    end = script.get(here)["n"]
    for body in ({"n": 10}, {"n": end}, {"n": end + 1}, {}, {"n": 3, "seats": [{}] * 6}):
        script.post(f"{here}/fork", body)
    seats = [{"kind": "person", "name": f"New {n}"} for n in range(players)]
    forked = script.post(f"{here}/fork", {"n": end - 9, "seats": seats})["table"]["id"]
    script.post(f"/api/tables/{forked}/start")
    play(script, forked)
    script.post(f"/api/tables/{forked}/rematch", {"same_deal": True})
    again = script.post(f"{here}/rematch", {"same_deal": True})
    assert again == script.post(f"{here}/rematch", {})
    script.post(f"{here}/rematch", {"deal": 1})


def send_bad_requests(script: Script) -> None:
    """Addresses, methods, media types and bodies that are refused, and requests without a table."""
    two: list[dict[str, object]] = [{}, {}]
    for path in ("/api", "/api/", "/api/tables/", "/api/nothing", "/api/tables/a/b/c", "/api//tables"):
        script.get(path)
    for method, path in (
        ("DELETE", "/api/tables"),
        ("PUT", "/api/score"),
        ("POST", "/api/names"),
        ("GET", "/api/score"),
        ("PATCH", f"/api/tables/{NOWHERE}"),
        ("OPTIONS", "/api/tables"),
        ("POST", "/healthz"),
        ("GET", "/healthz"),
        ("GET", "/api/components"),
        ("GET", "/api/names"),
    ):
        script.ask(method, path)
    for table in (NOWHERE, "short", "0" * 17, "%30" * 16, "ä" * 16, "a b", ".." * 8):
        for path in ("", "/log", "/picture.svg", "/record", "/positions/0", "/scorings/A"):
            script.get(f"/api/tables/{table}{path}")
        for path in ("/start", "/commands", "/hint", "/analysis", "/fork", "/rematch", "/seats/1/take"):
            script.post(f"/api/tables/{table}{path}", {"n": 0} if path == "/fork" else {})
        script.ask("PUT", f"/api/tables/{table}/seats/1", {"kind": "open"})
    bodies: tuple[object, ...] = (
        {},
        {"seats": [{}]},
        {"seats": [{}] * 7},
        {"seats": two, "more": 1},
        {"seats": two, "options": {"edition": "chess"}},
        {"seats": two, "options": {"edition": "granada", "modules": ["huts"]}},
        {"seats": two, "options": {"modules": ["vizier", "vizier"]}},
        {"seats": two, "options": {"ages": [1, 2, 3]}},
        {"seats": [{"kind": "bot", "level": "nobody"}, {}]},
        {"seats": [{"kind": "person", "name": "A"}, {"kind": "person", "name": "A"}]},
        {"seats": [{"kind": "person", "name": "x" * 41}, {}]},
        {"seats": [{"kind": "person"}, {"kind": "bot"}, {"kind": "bot", "level": "random"}]},
        [],
        "text",
    )
    for body in bodies:
        script.post("/api/tables", body)
    for content in (b"{", b"\xff\xfe", b"null", b"{}" * 2, b"[" * 5000, b'"' + b"x" * BODY_LIMIT + b'"'):
        script.post("/api/tables", content)
    for media in (TEXT, "application/json; charset=utf-8", "APPLICATION/JSON", "json", ""):
        script.post("/api/tables", {"seats": two}, media)
    for record in (b"", b"nothing", b"\xff", b"x" * LONGEST_RECORD, b"x" * (LONGEST_RECORD + 1)):
        script.post("/api/records", record, TEXT)
    for pad in (
        {},
        {"edition": "granada", "players": 2, "scorings": {"A": [{"moat": 4, "counts": {"park": 2}}, {}, {}]}},
        {"edition": "granada", "players": 9},
        {"edition": "alhambra", "players": 3, "scorings": {"A": [{"counts": {"tower": 99}}] * 3}},
        {"edition": "alhambra", "players": 3, "scorings": {"D": []}},
        {"edition": "alhambra", "players": 3, "scorings": {"A": [{"wall": -1}]}},
        {"edition": "alhambra", "players": 2, "modules": ["huts"], "scorings": {}},
    ):
        script.post("/api/score", pad)


def play_the_daily_deal(script: Script) -> None:
    """Play the deal of a day, practise, and enter results that are refused."""
    here = "/api/daily/alhambra/today"
    for edition, day in (
        ("alhambra", "today"),
        ("granada", DAY),
        ("combined", "2026-08-22"),
        ("combined", "2026-08-21"),
        ("granada", "2026-09-22"),
        ("granada", "2026-02-30"),
        ("granada", "tomorrow"),
        ("chess", "today"),
    ):
        script.get(f"/api/daily/{edition}/{day}")
    for body in ({"name": "A, B"}, {"seat": 2}, b"{"):
        script.post(f"{here}/table", body)
    script.post("/api/daily/granada/2026-09-22/table", {})
    script.post("/api/daily/granada/2026-01-01/table", {})
    opened = script.ask("POST", f"{here}/table", {"name": "Ana"}, noted=False)
    table = opened["table"]["id"]
    seat = f"/api/tables/{table}/seats"
    script.post(f"{seat}/2/take", {"name": "Ben"})
    script.post(f"{seat}/1/leave")
    script.ask("PUT", f"{seat}/2", {"kind": "bot", "level": "random"})
    while True:
        path = f"/api/tables/{table}"
        message = script.until("GET", path, lambda found: found["table"]["phase"] == "over" or found["own"]["actions"])
        if message["table"]["phase"] == "over":
            break
        action = prefer_building(message["own"]["actions"])[0]
        script.command(table, noted=False, type="act", n=message["n"], action=action)
    script.until("GET", here, lambda found: found["mine"] is not None)
    record = script.get(f"/api/tables/{table}/record")
    script.post(f"{here}/results", record.encode(), TEXT)
    for edition in ("granada", "combined"):
        script.post(f"/api/daily/{edition}/today/results", record.encode(), TEXT)
    for text in (b"", b"\xff", b"x" * (BODY_LIMIT + 1), record.replace("\n2 ", "\n3 ", 1).encode()):
        script.post("/api/daily/granada/today/results", text, TEXT)
    script.post(f"/api/daily/alhambra/{YESTERDAY}/results", record.encode(), TEXT)
    script.post(f"{here}/results", {})


def solve_puzzles(script: Script) -> None:
    """Open a puzzle, answer it wrongly, rightly and badly."""
    script.get("/api/puzzles")
    script.get("/api/puzzles/ratings")
    puzzle = shipped()[1]
    for number in (1, 0, 10**6, "x"):
        script.get(f"/api/puzzles/{number}")
        script.post(f"/api/puzzles/{number}/table", {})
    table = script.post("/api/puzzles/1/table", {"name": "Ana"})["table"]["id"]
    script.command(table, type="act", n=puzzle.n, action=puzzle.best.turn[0])
    script.get(f"/api/tables/{table}/log")
    for body in ({"actions": list(puzzle.best.turn)}, {"actions": list(puzzle.obvious.turn)}, {"actions": ["x"]}, {}):
        script.post("/api/puzzles/1/attempt", body)


def play_against_a_bot(script: Script) -> None:
    """A game with a bot; what happens while it decides is not noted, because that depends on the moment."""
    seats = [{"kind": "person", "name": "Ana"}, {"kind": "bot", "name": "Ben", "level": "builder"}]
    table = script.post("/api/tables", {"seats": seats})["table"]["id"]
    script.ask("POST", f"/api/tables/{table}/start", noted=False)
    choose = random.Random(7)
    for _ in range(8):
        message = script.until("GET", f"/api/tables/{table}", lambda found: found["view"]["deciding"] == 1)
        action = choose.choice(prefer_building(message["own"]["actions"]))
        script.command(table, noted=False, type="act", n=message["n"], action=action)
    script.until("GET", f"/api/tables/{table}", lambda found: found["view"]["deciding"] == 1)
    script.get(f"/api/tables/{table}/log")


#: Commands over a socket: the first actions of a game, questions, and texts that are refused.
SOCKET_TEXTS = [
    '{"type": "look", "id": "1", "seat": 2}',
    '{"type": "look", "id": "2", "seat": 6}',
    '{"type": "ask", "id": "3", "how": "remove"}',
    '{"type": "act", "id": "4", "n": 0, "action": "take y9 y9"}',
    '{"type": "act", "id": "5", "n": 5, "action": "pass"}',
    '{"type": "undo", "id": "6", "n": 0}',
    '{"type": "dance"}',
    "[",
    "",
    "x" * 5000,
]


def answers_to(text: str) -> int:
    """Return the number of messages that follow a text: a problem is followed by the table."""
    return 1 if '"id": "1"' in text or '"id": "3"' in text or '"hold"' in text else 2


def use_a_socket(script: Script) -> None:
    """Send commands over a socket, and hold and play an action."""
    seats = [{"kind": "person", "name": "Ana"}, {"kind": "person", "name": "Ben"}]
    table = script.post("/api/tables", {"seats": seats, "options": {"edition": "granada"}})["table"]["id"]
    action = script.post(f"/api/tables/{table}/start")["own"]["actions"][0]
    held = [json.dumps({"type": "act", "id": f"h{n}", "n": 0, "action": action, "hold": n == 1}) for n in (1, 2)]
    for query in ("", "?seat=1", "?seat=2&seat=1"):
        for text in script.transport.over_socket(f"/api/tables/{table}/socket{query}", [*SOCKET_TEXTS, *held]):
            script.replies.append(Replied(f"socket{query}", 200, JSON, text.encode()))


# Both transports


@contextmanager
def fixed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fix everything that is random or depends on the time."""
    ids, seeds = itertools.count(1), itertools.count(1)
    with monkeypatch.context() as patch:
        patch.setattr(ServerTime, "now", lambda _: NOW)
        patch.setattr("granada.tables.registry.new_table_id", lambda: f"table{next(ids):011d}")
        patch.setattr("granada.tables.lobby.new_seed", lambda: hashlib.sha256(b"%d" % next(seeds)).hexdigest())
        patch.setattr("granada.tables.names.secrets", SimpleNamespace(choice=lambda free: free[0]))
        patch.setattr("granada.server.server.BotPool", lambda *_: QuickBots())
        yield


def replies_of(
    requests: Callable[[Script], None], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Replied], list[Replied]]:
    """Return the replies over HTTP and through the dispatcher."""
    free = Settings(database=f"sqlite:///{folder / 'server.sqlite'}", rate=0, creations=0, commands=0, bot_pause=0)
    with fixed(monkeypatch), TestClient(create_app(free), raise_server_exceptions=False) as client:
        requests(over_http := Script(Http(client)))
    with fixed(monkeypatch):
        transport = Device(folder)
        try:
            requests(on_device := Script(transport))
        finally:
            transport.close()
    return over_http.replies, on_device.replies


def check_equal(over_http: list[Replied], on_device: list[Replied]) -> None:
    for one, other in zip(over_http, on_device, strict=True):
        assert one == other, one.request
    assert all([reply.status < 500 for reply in over_http])


@pytest.mark.parametrize("edition", EDITIONS)
def test_whole_games_are_the_same_over_http_and_on_the_device(
    edition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    players, options = EDITIONS[edition]
    over_http, on_device = replies_of(lambda script: play_whole_games(script, players, options), tmp_path, monkeypatch)
    check_equal(over_http, on_device)
    assert {200, 201, 400, 403, 404, 409, 413, 415} <= {reply.status for reply in over_http}


def test_bad_requests_are_refused_with_the_same_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    over_http, on_device = replies_of(send_bad_requests, tmp_path, monkeypatch)
    check_equal(over_http, on_device)
    assert {200, 201, 400, 404, 405, 413, 415} <= {reply.status for reply in over_http}


def test_puzzles_are_the_same_over_http_and_on_the_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    over_http, on_device = replies_of(solve_puzzles, tmp_path, monkeypatch)
    check_equal(over_http, on_device)
    assert {200, 201, 400, 404} <= {reply.status for reply in over_http}


def test_games_with_bots_are_the_same_over_http_and_on_the_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    over_http, on_device = replies_of(play_against_a_bot, tmp_path, monkeypatch)
    check_equal(over_http, on_device)
    assert len(over_http) == 11


def test_the_daily_deal_is_the_same_over_http_and_on_the_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    over_http, on_device = replies_of(play_the_daily_deal, tmp_path, monkeypatch)
    check_equal(over_http, on_device)
    assert {200, 400, 409, 413, 415} <= {reply.status for reply in over_http}


def test_sockets_send_the_same_messages_over_http_and_on_the_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    over_http, on_device = replies_of(use_a_socket, tmp_path, monkeypatch)
    check_equal(over_http, on_device)
    kinds = {reply.json["type"] for reply in over_http if reply.request.startswith("socket")}
    assert kinds == {"table", "problem", "answer"}
