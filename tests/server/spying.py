"""Clients that play a game on a real server and record every byte they receive."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from granada.rules.components import standard
from granada.server.http.credentials import COOKIE
from granada.tables.holders import hash_of, program_hash
from tests.server.running import PATIENCE, RunningServer, new_id, prefer_building

Json = dict[str, Any]
#: 1.7: the tiles that have a bonus card.
BONUS = [tile.name for tile in standard().bonus]


@dataclass(frozen=True)
class Captured:
    """A captured response, with the version of the table if it does not contain it."""

    reader: str
    #: frame, body, picture, log, hint, headers, token (the response with it), afterwards (when the game is over),
    #: elsewhere.
    channel: str
    data: bytes
    version: int
    #: The requested seat of a picture or log, and the command of an answer.
    seat: int | None = None
    command: Json | None = None


class Reader:
    """A browser, a program or an anonymous client that records everything it receives."""

    def __init__(self, spies: Spies, name: str, secret: str | None = None, is_program: bool = False) -> None:
        self.spies = spies
        self.name = name
        self.secret = secret
        self.is_program = is_program
        self.newest: Json = {"version": 0, "n": 0, "own": None}
        self.answers: dict[str, Json] = {}
        self.socket: ClientConnection | None = None

    @property
    def hash(self) -> str | None:
        """Return the hash of the client's secret."""
        if self.secret is None:
            return None
        return program_hash(self.secret) if self.is_program else hash_of(self.secret)

    def headers(self) -> dict[str, str]:
        if self.secret is None:
            return {}
        return {"authorization": f"Bearer {self.secret}"} if self.is_program else {"cookie": f"{COOKIE}={self.secret}"}

    def keep(self, channel: str, data: bytes, seat: int | None = None, command: Json | None = None) -> None:
        self.spies.captured.append(Captured(self.name, channel, data, self.spies.version, seat, command))

    async def ask(self, method: str, path: str, body: object | None = None, channel: str = "body") -> httpx.Response:
        """Send a request and record the response."""
        response = await self.spies.http.request(
            method, path, headers=self.headers(), json={} if body is None and method == "POST" else body
        )
        self.keep("headers", b"\n".join([key + b": " + value for key, value in response.headers.raw]))
        if secret := response.cookies.get(COOKIE):
            self.secret = secret
        self.spies.http.cookies.clear()
        command = body if isinstance(body, dict) and path.endswith("/commands") else None
        self.keep(channel, response.content, int(response.url.params.get("seat", 0)) - 1, command)
        return response

    def has_message(self) -> bool:
        return bool(self.newest["version"])

    async def listen(self) -> None:
        """Record the messages of the socket until it closes."""
        assert self.socket is not None
        try:
            while True:
                data = await self.socket.recv(decode=False)
                message: Json = msgspec.json.decode(data)
                sent = self.answers.get(message.get("answers") or "", {}).get("sent")
                self.keep("frame", bytes(data), command=sent)
                await self.receive(message)
        except ConnectionClosed:
            pass

    async def read_lines(self) -> None:
        """Record the messages of the stream until it closes."""
        path = f"/api/tables/{self.spies.table}/stream"
        async with self.spies.http.stream("GET", path, headers=self.headers()) as response:
            self.keep("headers", b"\n".join([key + b": " + value for key, value in response.headers.raw]))
            async for line in response.aiter_lines():
                if line:
                    self.keep("frame", line.encode())
                    await self.receive(msgspec.json.decode(line))

    async def receive(self, message: Json) -> None:
        async with self.spies.arrived:
            if message["type"] == "table" and message["version"] >= self.newest["version"]:
                self.newest = message
            if message.get("answers") in self.answers:
                self.answers[message["answers"]]["answer"] = message
            self.spies.arrived.notify_all()

    async def command(self, **command: object) -> Json:
        """Send a command over the socket, or for a program by POST, and wait for its answer."""
        sent: Json = {"id": new_id(), **command}
        if self.socket is None or (self.is_program and self.spies.rng.random() < 0.1):
            response = await self.ask("POST", f"/api/tables/{self.spies.table}/commands", sent)
            found: Json = response.json()
            return found
        self.answers[sent["id"]] = {"sent": sent}
        await self.socket.send(json.dumps(sent))
        answer: Json = await self.spies.until(lambda: self.answers[sent["id"]].get("answer"))
        return answer


@dataclass
class Spies:
    """All clients of a table, what they captured, and an outsider without its link."""

    server: RunningServer
    rng: random.Random
    captured: list[Captured] = field(default_factory=list)
    readers: dict[str, Reader] = field(default_factory=dict)
    table: str = ""
    version: int = 0
    arrived: asyncio.Condition = field(default_factory=asyncio.Condition)
    http: httpx.AsyncClient = field(init=False)

    def __post_init__(self) -> None:
        self.http = httpx.AsyncClient(base_url=self.server.url, timeout=PATIENCE, trust_env=False)

    def reader(self, name: str) -> Reader:
        return self.readers.setdefault(name, Reader(self, name))

    async def until(self, found: Callable[[], Any]) -> Any:
        """Wait for a condition."""
        async with asyncio.timeout(PATIENCE), self.arrived:
            await self.arrived.wait_for(found)
        return found()

    async def program(self, name: str) -> Reader:
        reader = self.reader(name)
        response = await reader.ask("POST", "/api/programs", {"name": f"{name}-of-test"}, "token")
        reader.secret, reader.is_program = response.json()["token"], True
        return reader

    # The table

    async def open(self, options: Json, seats: list[str], is_public: bool) -> None:
        """Open a table and take its seats; each seat is the name of a client, or `bot`."""
        host = self.reader(seats[0])
        requests = [{"kind": "bot", "level": "greedy"} if seat == "bot" else {"kind": "open"} for seat in seats]
        opened = await host.ask("POST", "/api/tables", {"seats": requests, "options": options, "is_public": is_public})
        self.table = opened.json()["table"]["id"]
        if "program" in seats:
            await self.program("program")
        for seat, name in enumerate(seats):
            if name != "bot":
                path = f"/api/tables/{self.table}/seats/{seat + 1}/take"
                await self.reader(name).ask("POST", path, {"name": f"Zzyx{seat}quw"})

    async def start(self, host: str) -> None:
        started = await self.reader(host).ask("POST", f"/api/tables/{self.table}/start")
        assert started.is_success, started.text

    async def connect(self, stack: AsyncExitStack, readers: list[Reader]) -> None:
        """Connect all clients: `lines` by a stream, a program by a stream and a socket, the others by sockets."""
        for reader in readers:
            if reader.is_program or reader.name == "lines":
                stack.push_async_callback(_end, asyncio.create_task(reader.read_lines()))
            if reader.name != "lines":
                url = f"{self.server.url.replace('http', 'ws', 1)}/api/tables/{self.table}/socket"
                socket = connect(url, additional_headers=reader.headers(), max_size=None, open_timeout=PATIENCE)
                reader.socket = await stack.enter_async_context(socket)
                assert reader.socket.response is not None
                reader.keep("headers", str(reader.socket.response.headers).encode())
                stack.push_async_callback(_end, asyncio.create_task(reader.listen()))
            await self.until(reader.has_message)

    # The game

    async def play(self, until: int | None = None) -> None:
        """Play at random to the end, or up to a number of actions, and send all kinds of requests on the way."""
        first = await self.until(self._deciding)
        self.version = first.newest["version"]
        await first.ask("POST", f"/api/tables/{self.table}/hint", {}, channel="hint")
        while True:
            reader = await self.until(self._deciding)
            message = reader.newest
            if message["table"]["phase"] != "playing" or (until is not None and message["n"] >= until):
                self.version = message["version"]
                return
            self.version = message["version"]
            if self.rng.random() < 0.3:
                await self._pry(reader, message)
            await self._act(reader, message)

    def _deciding(self) -> Reader | None:
        """Return the client that has to decide; any of them when the game is over."""
        readers = sorted(self.readers.values(), key=lambda reader: -reader.newest["version"])
        newest = readers[0].newest["version"]
        for reader in readers:
            message = reader.newest
            if message["version"] == newest > 0:
                own = message["own"]
                if message["table"]["phase"] == "over" or (own and (own["actions"] or own["held"])):
                    return reader
        return None

    async def _act(self, reader: Reader, message: Json) -> None:
        n, own, luck = message["n"], message["own"], self.rng.random()
        if own["held"] is not None:
            answer = await reader.command(type="confirm" if luck < 0.6 else "undo", n=n)
        elif own["may_undo"] and luck < 0.06:
            answer = await reader.command(type="undo" if luck < 0.03 else "restart", n=n)
        else:
            actions = [action for action in own["actions"] if action.startswith("reveal")]
            if not actions or luck < 0.3:
                actions = own["actions"] if luck < 0.1 else prefer_buying(own["actions"])
            answer = await reader.command(type="act", n=n, action=self.rng.choice(actions), hold=luck > 0.92)
        assert answer["type"] == "table", answer
        await self.until(lambda: reader.newest["version"] >= answer["version"])

    async def _pry(self, decider: Reader, message: Json) -> None:
        """Send allowed and forbidden requests that do not change the table."""
        n, seats = message["n"], len(message["table"]["seats"])
        reader = self.rng.choice([*self.readers.values()])
        seat = self.rng.randint(1, seats)
        path = f"/api/tables/{self.table}"
        luck = self.rng.randrange(13)
        if luck == 0:
            await reader.ask("GET", path)
        elif luck == 10:
            await reader.ask("GET", f"{path}/log?seat={seat}", channel="log")
        elif luck == 11:
            await reader.ask("GET", f"{path}/log", channel="log")
        elif luck == 12:
            await self.rng.choice([reader, decider]).ask("POST", f"{path}/hint", {}, channel="hint")
        elif luck == 1:
            await reader.ask("GET", f"{path}/picture.svg?seat={seat}", channel="picture")
        elif luck == 2:
            await reader.ask("GET", f"{path}/picture.svg", channel="picture")
        elif luck == 3:
            await reader.ask("GET", f"{path}/{self.rng.choice(['record', 'positions/0?seat=1', f'positions/{n}'])}")
            await reader.ask("GET", f"{path}/scorings/{self.rng.choice('AB')}", channel="scoring")
        elif luck == 4 and (reader.socket is not None or reader.is_program):
            await reader.command(type="look", seat=seat)
            await reader.command(type="look")
        elif luck == 5:
            cards = [name for name in BONUS if name not in message["own"]["bonus"]]
            await decider.command(type="act", n=n, action=f"reveal {self.rng.choice(cards)}", hold=True)
        elif luck == 6 and reader is not decider and (reader.socket is not None or reader.is_program):
            await reader.command(type="act", n=n, action=self.rng.choice(message["own"]["actions"] or ["keep"]))
        elif luck == 7:
            await reader.ask("POST", f"{path}/commands", {"id": new_id(), "type": "act", "n": n + 1, "action": "keep"})
        elif luck == 8 and reader.newest["own"]:
            await self._question(reader, reader.newest)
        else:
            await self.look_around()

    async def _question(self, reader: Reader, message: Json) -> None:
        view = message["view"]
        tiles = [tile for space in view["yard"] for tile in space if tile is not None]
        own = message["own"]["seat"]
        if not tiles or reader.socket is None:
            return
        tile = self.rng.choice(tiles)
        answer = await reader.command(type="ask", how="place", tile=tile, seat=own)
        cells = [cell["cell"] for cell in answer.get("cells", []) if cell["is_legal"]]
        if cells:
            await reader.command(type="ask", how="place", tile=tile, cell=self.rng.choice(cells), seat=own)

    async def read_afterwards(self) -> None:
        """Request what everybody may read when the game is over."""
        for reader in self.readers.values():
            await reader.ask("GET", f"/api/tables/{self.table}/log", channel="log")
        for path in ("record", "positions/0?seat=1", "positions/9"):
            response = await self.reader("poller").ask("GET", f"/api/tables/{self.table}/{path}", channel="afterwards")
            assert response.is_success, response.text

    async def look_around(self) -> None:
        """Send requests of a client that knows no link."""
        bystander = self.reader("bystander")
        for path in ("/api/tables", "/metrics", "/healthz"):
            await bystander.ask("GET", path, channel="elsewhere")


def prefer_buying(actions: list[str]) -> list[str]:
    """Prefer buying tiles and taking much money, which gives shorter games and larger cities."""
    buying = [action for action in actions if action.startswith(("buy", "vizier"))]
    if buying:
        return buying
    taking = [action for action in actions if action.startswith("take")]
    return [max(taking, key=_money)] if taking else prefer_building(actions)


def _money(action: str) -> int:
    """Return the value of the cards of an action; cards without a value count high, so that they are taken, too."""
    cards = action.split()[1:]
    return sum([int(card[1:]) if card[1:].isdigit() else 7 for card in cards])


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
