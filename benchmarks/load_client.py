"""The players of a load test: many tables in one process, each with its sockets, which act at random times.

It is kept cheap, for it shares the machine with the server: of a message only what decides the next action is read.
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
#: What is played: by turns, unless one is asked for.
GAMES: dict[str, dict[str, object]] = {
    "alhambra": {"edition": "alhambra"},
    "granada": {"edition": "granada", "modules": ["vizier"]},
    "combined": {"edition": "combined", "modules": ALL_MODULES},
}
#: An answer that takes longer is an error, and so is a server that does not let anybody in for so long.
PATIENCE = 30.0
#: So many tables are opened at the same time, and so many seconds lie between two looks at the own event loop.
OPENING = 16
LOOK = 0.02


@dataclass(frozen=True)
class Plan:
    """What one process of players does."""

    url: str
    tables: int
    seats: int
    games: tuple[str, ...]
    interval: float
    advance: int
    seed: int


@dataclass
class Figures:
    """What the players saw; times in milliseconds."""

    answers: list[float] = field(default_factory=list)
    arrivals: list[float] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    size: int = 0
    renewed: int = 0
    #: Bytes that came over sockets, and how many sockets negotiated compression.
    wire: int = 0
    compressed: int = 0


class CountingConnection(ClientConnection):
    """A socket that counts what comes over the wire."""

    figures: Figures | None = None

    def data_received(self, data: bytes) -> None:
        """Count, and read."""
        if self.figures is not None:
            self.figures.wire += len(data)
        super().data_received(data)


class _Around(msgspec.Struct):
    id: str
    phase: str


class _Own(msgspec.Struct):
    seat: int
    actions: list[str]


class _News(msgspec.Struct):
    """As much of a message as a player has to read."""

    type: str
    n: int = 0
    table: _Around | None = None
    own: _Own | None = None
    answers: str | None = None
    code: str | None = None


_decoder = msgspec.json.Decoder(_News)


class TableOfPlayers:
    """A table, and everybody who sits there."""

    def __init__(self, company: Company, number: int) -> None:
        self._company = company
        self._game = GAMES[company.plan.games[number % len(company.plan.games)]]
        self._rng = random.Random(company.plan.seed * 1_000_003 + number)
        self._cookies = [f"granada={secrets.token_urlsafe(32)}" for _ in range(company.plan.seats)]
        self._sockets: list[CountingConnection] = []
        self._listeners: list[asyncio.Task[None]] = []
        self._turn: tuple[int, int, list[str]] | None = None
        self._is_turn = asyncio.Event()
        self._answer: asyncio.Future[_News] | None = None
        #: The seat that acts, how many actions there were before, and when it was sent.
        self._sent = (-1, -1, 0.0)
        self._id = ""
        self._count = 0
        self.is_measured = False
        self.is_dead = False

    async def open(self) -> None:
        """Open the table, sit down, start, and connect everybody."""
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
        """Let everybody go."""
        for listener in self._listeners:
            listener.cancel()
        await asyncio.gather(*self._listeners, return_exceptions=True)
        await asyncio.gather(*[socket.close() for socket in self._sockets], return_exceptions=True)
        self._listeners.clear()
        self._sockets.clear()

    def count_for(self, figures: Figures) -> None:
        """Count what comes over the sockets there."""
        for socket in self._sockets:
            socket.figures = figures

    async def act(self) -> None:
        """Let the seat that decides play something, and wait for the answer; a game that is over is begun anew."""
        figures = self._company.figures
        try:
            async with asyncio.timeout(PATIENCE):
                await self._is_turn.wait()
                assert self._turn is not None
                seat, n, actions = self._turn
                self._is_turn.clear()
                self._count += 1
                command = {"type": "act", "id": f"c{self._count}", "n": n, "action": self._choose(actions)}
                self._answer = asyncio.get_running_loop().create_future()
                self._sent = (seat, n, time.perf_counter())
                await self._sockets[seat].send(msgspec.json.encode(command), text=True)
                news = await self._answer
        except (TimeoutError, OSError, WebSocketException) as error:
            figures.errors[type(error).__name__] += 1
            self.is_dead = True
            return
        if news.type != "table":
            figures.errors[news.code or news.type] += 1
        elif news.table is not None and news.table.phase == "over":
            figures.renewed += 1
            try:
                await self.close()
                await self.open()
            except (httpx.HTTPError, OSError, WebSocketException) as error:
                figures.errors[type(error).__name__] += 1
                self.is_dead = True

    def _choose(self, actions: list[str]) -> str:
        """Anything but rebuilding, with which a game would never end (3.7)."""
        building = [action for action in actions if not action.startswith(("remove", "swap", "add"))]
        return self._rng.choice(building or actions)

    async def _connect(self, seat: int) -> None:
        socket = await connect(
            f"{self._company.plan.url.replace('http', 'ws', 1)}/api/tables/{self._id}/socket",
            additional_headers={"cookie": self._cookies[seat]},
            compression="deflate",  # as browsers ask; the server decides
            create_connection=CountingConnection,
            ping_interval=None,
            open_timeout=PATIENCE,
            max_size=None,
        )
        assert isinstance(socket, CountingConnection)
        socket.figures = self._company.figures
        socket.figures.compressed += bool(socket.protocol.extensions)
        self._sockets.append(socket)
        self._listeners.append(asyncio.create_task(self._listen(seat, socket)))

    async def _listen(self, seat: int, socket: ClientConnection) -> None:
        try:
            while True:
                text = await socket.recv(decode=False)
                now = time.perf_counter()
                self._company.figures.messages += 1
                self._company.figures.size += len(text)
                self._hear(seat, _decoder.decode(text), now)
        except (WebSocketException, OSError) as error:
            self._company.figures.errors[type(error).__name__] += 1
            self.is_dead = True

    def _hear(self, seat: int, news: _News, now: float) -> None:
        figures = self._company.figures
        sender, n, sent = self._sent
        if news.answers is not None:
            if self.is_measured and news.type == "table":
                figures.answers.append(1000 * (now - sent))
            if self._answer is not None and not self._answer.done():
                self._answer.set_result(news)
        elif self.is_measured and seat != sender and news.n == n + 1:
            figures.arrivals.append(1000 * (now - sent))
        if news.own is not None and news.own.actions and (self._turn is None or news.n > self._turn[1]):
            self._turn = (seat, news.n, news.own.actions)
            self._is_turn.set()

    async def _post(self, seat: int, path: str, body: object) -> _News:
        response = await self._company.http.post(
            f"/api{path}",
            content=msgspec.json.encode(body),
            headers={"cookie": self._cookies[seat], "content-type": "application/json"},
        )
        response.raise_for_status()
        return _decoder.decode(response.content)


class Company:
    """All tables of one process."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.figures = Figures()
        # Idle connections are given up before the server closes them (after 5 s), possibly under a request.
        limits = httpx.Limits(max_connections=OPENING, max_keepalive_connections=OPENING, keepalive_expiry=1.0)
        self.http = httpx.AsyncClient(base_url=plan.url, timeout=PATIENCE, limits=limits, trust_env=False)
        self.tables = [TableOfPlayers(self, number) for number in range(plan.tables)]

    async def open(self) -> None:
        """Open all tables, and play each on for a while, so that they stand at different places in the game."""
        gate = asyncio.Semaphore(OPENING)
        rng = random.Random(self.plan.seed)

        async def open_one(table: TableOfPlayers, actions: int) -> None:
            async with gate:
                await table.open()
                for _ in range(actions):
                    await table.act()

        await asyncio.gather(*[open_one(table, rng.randint(0, self.plan.advance)) for table in self.tables])

    async def play(self, seconds: float) -> None:
        """Let every table act at random times (a Poisson process), and measure."""
        # The dead of the set-up are reported as errors there; what is measured now begins anew.
        before = self.figures
        self.figures = Figures(errors=before.errors, renewed=before.renewed, compressed=before.compressed)
        for table in self.tables:
            table.count_for(self.figures)
        until = time.perf_counter() + seconds
        looking = asyncio.create_task(self._look())
        await asyncio.gather(*[self._play_table(table, number, until) for number, table in enumerate(self.tables)])
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)

    async def _play_table(self, table: TableOfPlayers, number: int, until: float) -> None:
        rng = random.Random(f"{self.plan.seed}/{number}")
        table.is_measured = True
        due = time.perf_counter() + rng.expovariate(1 / self.plan.interval)
        while due < until and not table.is_dead:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            await table.act()
            due += rng.expovariate(1 / self.plan.interval)
        table.is_measured = False

    async def _look(self) -> None:
        """How late the own event loop is: what the players add to the times that they measure."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(LOOK)
            self.figures.lags.append(1000 * (time.perf_counter() - before - LOOK))

    async def close(self) -> None:
        """Let everybody go."""
        await asyncio.gather(*[table.close() for table in self.tables])
        await self.http.aclose()


def run(plan: Plan, pipe: Connection) -> None:
    """A process of players: it opens its tables and says so, plays when it is told to, and hands in its figures."""
    allow_many_sockets()
    asyncio.run(_run(plan, pipe))


async def _run(plan: Plan, pipe: Connection) -> None:
    company = Company(plan)
    try:
        await company.open()
        pipe.send("ready")
        seconds: float = await asyncio.to_thread(pipe.recv)
        before = time.process_time()
        await company.play(seconds)
        figures: dict[str, Any] = {**vars(company.figures), "cpu": time.process_time() - before}
        pipe.send(figures)
    finally:
        await company.close()


def allow_many_sockets() -> None:
    """As many open files as the system allows: each socket is one."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
