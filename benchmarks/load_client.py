"""The players of a load test: many tables in one process, each with its sockets, which act at random times.

They share the machine with the server, so they parse only the parts of a message that are needed for the next action.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import resource
import secrets
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

ALL_MODULES = ["vizier", "exchange", "bonus", "huts"]
#: The games to play; tables alternate between them unless one is chosen.
GAMES: dict[str, dict[str, object]] = {
    "alhambra": {"edition": "alhambra"},
    "granada": {"edition": "granada", "modules": ["vizier"]},
    "combined": {"edition": "combined", "modules": ALL_MODULES},
}
#: Seconds after which a missing response or a failed connection is an error.
TIMEOUT = 30.0
#: The number of tables opened concurrently.
OPENING = 16
#: Seconds between measurements of the lag of this event loop.
LAG_INTERVAL = 0.02


@dataclass(frozen=True)
class Plan:
    """The work of one process of players."""

    url: str
    tables: int
    seats: int
    games: tuple[str, ...]
    interval: float
    advance: int
    seed: int


@dataclass
class Figures:
    """The measurements of the players; times in milliseconds."""

    answers: list[float] = field(default_factory=list)
    arrivals: list[float] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    size: int = 0
    renewed: int = 0
    #: Bytes received over sockets, and the number of sockets with compression.
    wire: int = 0
    compressed: int = 0


class CountingConnection(ClientConnection):
    """A socket that counts received bytes."""

    figures: Figures | None = None

    def data_received(self, data: bytes) -> None:
        """Count and process data."""
        if self.figures is not None:
            self.figures.wire += len(data)
        super().data_received(data)


class _TableInfo(msgspec.Struct):
    id: str
    phase: str


class _Own(msgspec.Struct):
    seat: int
    actions: list[str]


class _Message(msgspec.Struct):
    """The parts of a message that a player needs."""

    type: str
    n: int = 0
    table: _TableInfo | None = None
    own: _Own | None = None
    answers: str | None = None
    code: str | None = None


_decoder = msgspec.json.Decoder(_Message)


class TableOfPlayers:
    """A table with all of its players."""

    def __init__(self, group: PlayerGroup, number: int) -> None:
        self._group = group
        self._game = GAMES[group.plan.games[number % len(group.plan.games)]]
        self._rng = random.Random(group.plan.seed * 1_000_003 + number)
        self._cookies = [f"granada={secrets.token_urlsafe(32)}" for _ in range(group.plan.seats)]
        self._sockets: list[CountingConnection] = []
        self._listeners: list[asyncio.Task[None]] = []
        self._turn: tuple[int, int, list[str]] | None = None
        self._is_turn = asyncio.Event()
        self._answer: asyncio.Future[_Message] | None = None
        #: The acting seat, the number of actions before, and the time of sending.
        self._sent = (-1, -1, 0.0)
        self._id = ""
        self._count = 0
        self.is_measured = False
        self.is_dead = False

    async def open(self) -> None:
        """Open a table, take the seats, start the game, and connect all players."""
        seats = [{"kind": "person"}, *[{"kind": "open"} for _ in self._cookies[1:]]]
        opened = await self._post(0, "/tables", {"seats": seats, "options": self._game})
        self._id = opened.table.id if opened.table is not None else ""
        for seat in range(1, len(self._cookies)):
            await self._post(seat, f"/tables/{self._id}/seats/{seat + 1}/take", {})
        await self._post(0, f"/tables/{self._id}/start", {})
        self._turn = None
        self._is_turn.clear()
        for seat in range(len(self._cookies)):
            await self._connect(seat)

    async def close(self) -> None:
        """Disconnect all players."""
        for listener in self._listeners:
            listener.cancel()
        await asyncio.gather(*self._listeners, return_exceptions=True)
        await asyncio.gather(*[socket.close() for socket in self._sockets], return_exceptions=True)
        self._listeners.clear()
        self._sockets.clear()

    def count_for(self, figures: Figures) -> None:
        """Count the bytes received at this table in these figures."""
        for socket in self._sockets:
            socket.figures = figures

    async def act(self) -> None:
        """Play an action for the deciding seat and wait for the reply; a finished game is replaced by a new one."""
        figures = self._group.figures
        try:
            async with asyncio.timeout(TIMEOUT):
                await self._is_turn.wait()
                assert self._turn is not None
                seat, n, actions = self._turn
                self._is_turn.clear()
                self._count += 1
                command = {"type": "act", "id": f"c{self._count}", "n": n, "action": self._choose(actions)}
                self._answer = asyncio.get_running_loop().create_future()
                self._sent = (seat, n, time.perf_counter())
                await self._sockets[seat].send(msgspec.json.encode(command), text=True)
                message = await self._answer
        except (TimeoutError, OSError, WebSocketException) as error:
            figures.errors[type(error).__name__] += 1
            self.is_dead = True
            return
        if message.type != "table":
            figures.errors[message.code or message.type] += 1
        elif message.table is not None and message.table.phase == "over":
            figures.renewed += 1
            try:
                await self.close()
                await self.open()
            except (httpx.HTTPError, OSError, WebSocketException) as error:
                figures.errors[type(error).__name__] += 1
                self.is_dead = True

    def _choose(self, actions: list[str]) -> str:
        """Choose any action but rebuilding, with which a game would never end (3.7)."""
        building = [action for action in actions if not action.startswith(("remove", "swap", "add"))]
        return self._rng.choice(building or actions)

    async def _connect(self, seat: int) -> None:
        socket = await connect(
            f"{self._group.plan.url.replace('http', 'ws', 1)}/api/tables/{self._id}/socket",
            additional_headers={"cookie": self._cookies[seat]},
            compression="deflate",  # as browsers do; the server decides
            create_connection=CountingConnection,
            ping_interval=None,
            open_timeout=TIMEOUT,
            max_size=None,
        )
        assert isinstance(socket, CountingConnection)
        socket.figures = self._group.figures
        socket.figures.compressed += bool(socket.protocol.extensions)
        self._sockets.append(socket)
        self._listeners.append(asyncio.create_task(self._listen(seat, socket)))

    async def _listen(self, seat: int, socket: ClientConnection) -> None:
        try:
            while True:
                text = await socket.recv(decode=False)
                now = time.perf_counter()
                self._group.figures.messages += 1
                self._group.figures.size += len(text)
                self._on_message(seat, _decoder.decode(text), now)
        except (WebSocketException, OSError) as error:
            self._group.figures.errors[type(error).__name__] += 1
            self.is_dead = True

    def _on_message(self, seat: int, message: _Message, now: float) -> None:
        figures = self._group.figures
        sender, n, sent = self._sent
        if message.answers is not None:
            if self.is_measured and message.type == "table":
                figures.answers.append(1000 * (now - sent))
            if self._answer is not None and not self._answer.done():
                self._answer.set_result(message)
        elif self.is_measured and seat != sender and message.n == n + 1:
            figures.arrivals.append(1000 * (now - sent))
        if message.own is not None and message.own.actions and (self._turn is None or message.n > self._turn[1]):
            self._turn = (seat, message.n, message.own.actions)
            self._is_turn.set()

    async def _post(self, seat: int, path: str, body: object) -> _Message:
        response = await self._group.http.post(
            f"/api{path}",
            content=msgspec.json.encode(body),
            headers={"cookie": self._cookies[seat], "content-type": "application/json"},
        )
        response.raise_for_status()
        return _decoder.decode(response.content)


class PlayerGroup:
    """The tables of one process."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.figures = Figures()
        # Close idle connections before the server does (after 5 s), which could interrupt a request.
        limits = httpx.Limits(max_connections=OPENING, max_keepalive_connections=OPENING, keepalive_expiry=1.0)
        self.http = httpx.AsyncClient(base_url=plan.url, timeout=TIMEOUT, limits=limits, trust_env=False)
        self.tables = [TableOfPlayers(self, number) for number in range(plan.tables)]

    async def open(self) -> None:
        """Open all tables, and play a random number of actions at each."""
        limit = asyncio.Semaphore(OPENING)
        rng = random.Random(self.plan.seed)

        async def open_one(table: TableOfPlayers, actions: int) -> None:
            async with limit:
                await table.open()
                for _ in range(actions):
                    await table.act()

        await asyncio.gather(*[open_one(table, rng.randint(0, self.plan.advance)) for table in self.tables])

    async def play(self, seconds: float) -> None:
        """Play at random times (a Poisson process) at all tables, and measure."""
        # Errors during the set-up are kept; all other measurements start here.
        before = self.figures
        self.figures = Figures(errors=before.errors, renewed=before.renewed, compressed=before.compressed)
        for table in self.tables:
            table.count_for(self.figures)
        deadline = time.perf_counter() + seconds
        lag = asyncio.create_task(self._measure_lag())
        await asyncio.gather(*[self._play_table(table, number, deadline) for number, table in enumerate(self.tables)])
        lag.cancel()
        await asyncio.gather(lag, return_exceptions=True)

    async def _play_table(self, table: TableOfPlayers, number: int, deadline: float) -> None:
        rng = random.Random(f"{self.plan.seed}/{number}")
        table.is_measured = True
        due = time.perf_counter() + rng.expovariate(1 / self.plan.interval)
        while due < deadline and not table.is_dead:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await table.act()
            due += rng.expovariate(1 / self.plan.interval)
        table.is_measured = False

    async def _measure_lag(self) -> None:
        """Measure the lag of this event loop, which the players add to the measured times."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(LAG_INTERVAL)
            self.figures.lags.append(1000 * (time.perf_counter() - before - LAG_INTERVAL))

    async def close(self) -> None:
        """Close all tables."""
        await asyncio.gather(*[table.close() for table in self.tables])
        await self.http.aclose()


def run(plan: Plan, pipe: Connection) -> None:
    """Run a process of players: open the tables, report that, wait for the duration, play, and send the figures."""
    allow_many_sockets()
    asyncio.run(_run(plan, pipe))


async def _run(plan: Plan, pipe: Connection) -> None:
    group = PlayerGroup(plan)
    try:
        await group.open()
        pipe.send("ready")
        seconds: float = await asyncio.to_thread(pipe.recv)
        before = time.process_time()
        await group.play(seconds)
        figures: dict[str, Any] = {**vars(group.figures), "cpu": time.process_time() - before}
        pipe.send(figures)
    finally:
        await group.close()


def allow_many_sockets() -> None:
    """Raise the limit of open files to the maximum; each socket is a file."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
