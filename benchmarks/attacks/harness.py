"""The harness of the attack scripts: a real server, clients at several addresses, a normal visitor, and the report.

    python -m benchmarks.attacks.NAME                              this tree (compiled if build/compiled exists)
    python -m benchmarks.attacks.NAME --code OLD/src src           before and after, one row each
    python -m benchmarks.attacks.NAME --code OLD/build/compiled build/compiled

The server runs as `granada serve` on 127.0.0.1 behind one trusted proxy, so that each client chooses its address with
`X-Forwarded-For`. The attack runs in its own process; the visitor is measured in this one. The machine is shared, so
each row also has the figures of the visitor without the attack, on the same server.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import re
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

ROOT = Path(__file__).parent.parent.parent
#: Addresses reserved for documentation (RFC 5737).
ATTACKER = "203.0.113.7"
VISITOR = "198.51.100.4"
#: Seconds to wait for a server to start, or for a response.
TIMEOUT = 120.0
#: Seconds after which the visitor stops playing against a bot.
MAX_BOT_GAME = 30.0
#: Seconds between actions of the normal visitor.
PACE = 0.04

Message = dict[str, Any]
#: An attack: gets the server's address and a function to call when it has started; it runs until it is cancelled.
Attack = Callable[[str, Callable[[], None]], Coroutine[Any, Any, None]]
Row = dict[str, str]


class AttackedServer:
    """A server with its own database, running the code in a folder."""

    def __init__(self, code: Path, data: Path, **settings: str) -> None:
        self.data = data
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("GRANADA_")},
            "PYTHONPATH": str(code),
            "GRANADA_DATA_DIR": str(data),
            "GRANADA_LOG": "json",
            "GRANADA_TRUSTED_PROXIES": "1",
            **settings,
        }
        command = [sys.executable, "-P", "-m", "granada", "serve", "--no-browser", "--port", "0"]
        with (data / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True, cwd="/"
            )
        assert self._process.stdout is not None
        found = re.search(r":(\d+)/", self._process.stdout.readline())
        if found is None:
            raise SystemExit(f"the server did not start: {(data / 'server.log').read_text()[-2000:]}")
        self.url = f"http://127.0.0.1:{found[1]}"
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            try:
                httpx.get(f"{self.url}/healthz", timeout=5).raise_for_status()
                return
            except httpx.HTTPError:
                time.sleep(0.1)
        self.stop()
        raise SystemExit("the server does not answer")

    def stop(self) -> None:
        """Stop it, and kill it if it does not stop."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


Measure = Callable[[AttackedServer], Coroutine[Any, Any, Row]]


class Client:
    """A browser with its own cookie at an address."""

    def __init__(self, url: str, address: str) -> None:
        self.url = url
        self.address = address
        self.cookie = f"granada={secrets.token_urlsafe(32)}"
        self.headers = {"x-forwarded-for": address, "cookie": self.cookie}
        self.http = httpx.AsyncClient(
            base_url=url, timeout=TIMEOUT, headers=self.headers, limits=httpx.Limits(max_connections=None)
        )

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def post(self, path: str, body: object | None = None) -> Message:
        """Send a request and return the response; exits if it is rejected."""
        response = await self.http.post(f"/api{path}", json={} if body is None else body)
        if not response.is_success:
            raise SystemExit(f"{path} was rejected: {response.text}")
        found: Message = response.json()
        return found

    async def open_table(self, seats: Sequence[str], starts: bool = True, **options: object) -> str:
        """Open a table and start it; each seat is `person`, `open` or the level of a bot."""
        requests = [{"kind": seat} if seat in ("open", "person") else {"kind": "bot", "level": seat} for seat in seats]
        table: str = (await self.post("/tables", {"seats": requests, "options": options}))["table"]["id"]
        if starts:
            await self.post(f"/tables/{table}/start")
        return table

    @asynccontextmanager
    async def socket(self, table: str) -> AsyncIterator[ClientConnection]:
        """Open a socket at a table."""
        url = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        async with connect(
            url, additional_headers=self.headers, open_timeout=TIMEOUT, max_size=None, ping_interval=None
        ) as connection:
            yield connection


async def ask(socket: ClientConnection, **command: object) -> Message:
    """Send a command and return the reply or the error."""
    sent = secrets.token_hex(8)
    await socket.send(json.dumps({"id": sent, **command}))
    while True:
        message: Message = json.loads(await asyncio.wait_for(socket.recv(), TIMEOUT))
        if message.get("answers") == sent:
            return message


async def read_all(socket: ClientConnection) -> None:
    """Read messages until the socket is closed."""
    with contextlib.suppress(ConnectionClosed):
        async for _ in socket:
            pass


def random_record(players: int, seed: int | str) -> str:
    """Return the record of a random game of Granada, whose rules are the same in old and new code."""
    from granada import Luck, Options
    from granada.arena.simulation import play_game
    from granada.bots import RandomBot

    bots = [RandomBot(seat) for seat in range(players)]
    return str(play_game(Options("granada", players), bots, Luck(random.Random(seed))).record)


async def played(attacker: Client, actions: int) -> str:
    """Return a table with large cities, after some actions."""
    table = await attacker.open_table(["person"] * 6, edition="combined", modules=["vizier", "exchange", "huts"])
    chosen = random.Random(1)
    async with attacker.socket(table) as socket:
        message = await ask(socket, type="look")
        for _ in range(actions):
            offered = message["own"]["actions"]
            building = [one for one in offered if one.startswith(("place", "buy"))]
            message = await ask(socket, type="act", n=message["n"], action=chosen.choice(building or offered))
            await asyncio.sleep(0.025)
    return table


# The normal visitor


async def answer_times(url: str, seconds: float) -> list[float]:
    """Return how long a visitor waits for the reply to each action, in milliseconds."""
    times: list[float] = []
    deadline = time.monotonic() + seconds
    async with Client(url, VISITOR) as visitor:
        while not times or time.monotonic() < deadline:
            table = await visitor.open_table(["person", "person", "person"])
            async with visitor.socket(table) as socket:
                message: Message = json.loads(await socket.recv())
                while (not times or time.monotonic() < deadline) and message["table"]["phase"] == "playing":
                    start = time.perf_counter()
                    message = await ask(socket, type="act", n=message["n"], action=message["own"]["actions"][0])
                    times.append(1000 * (time.perf_counter() - start))
                    await asyncio.sleep(PACE)
    return times


async def bot_times(url: str, moves: int, level: str = "strongest") -> list[float]:
    """Return how long a visitor waits for each action of a bot, in seconds.

    After MAX_BOT_GAME the visitor stops; the last figure is then the waiting time so far.
    """
    times: list[float] = []
    deadline = time.perf_counter() + MAX_BOT_GAME
    async with Client(url, VISITOR) as visitor:
        table = await visitor.open_table(["person", level])
        async with visitor.socket(table) as socket:
            message: Message = json.loads(await socket.recv())
            while len(times) < moves and time.perf_counter() < deadline:
                if message["own"]["actions"]:
                    actions = [one for one in message["own"]["actions"] if one.startswith(("take", "keep", "pass"))]
                    action = (actions or message["own"]["actions"])[0]
                    message = await ask(socket, type="act", n=message["n"], action=action)
                    continue
                start, n = time.perf_counter(), message["n"]
                with contextlib.suppress(TimeoutError):
                    while message["n"] == n:
                        left = max(0.0, deadline - time.perf_counter())
                        message = json.loads(await asyncio.wait_for(socket.recv(), left))
                times.append(time.perf_counter() - start)
    return times


def percentile(values: Sequence[float], part: float) -> float:
    """Return the value that a fraction of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


# Attacks and the report


@contextmanager
def attacking(attack: Attack, url: str) -> Iterator[None]:
    """Run an attack in its own process; the body is executed once it has started."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_attack, args=(attack, url, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(TIMEOUT):
            raise SystemExit("the attack did not start")
        ours.recv()
        yield
    finally:
        ours.close()
        process.join(10)
        if process.is_alive():
            process.kill()
            process.join()


def _attack(attack: Attack, url: str, pipe: Connection) -> None:
    """Run an attack until the other end of the pipe is closed."""
    allow_many_sockets()

    async def run() -> None:
        loop = asyncio.get_running_loop()
        working = asyncio.create_task(attack(url, lambda: pipe.send("started")))
        ended = asyncio.Event()
        loop.add_reader(pipe.fileno(), ended.set)
        waiting = asyncio.create_task(ended.wait())
        await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
        loop.remove_reader(pipe.fileno())
        waiting.cancel()
        if working.done() and working.exception() is not None:
            print(f"the attack failed: {working.exception()!r}", file=sys.stderr)
        working.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await working

    asyncio.run(run())


def allow_many_sockets() -> None:
    """Raise the limit of open files to the maximum."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def delay_of_answers(attack: Attack) -> Measure:
    """Return a measurement of a visitor's replies without and with an attack."""

    async def measure(server: AttackedServer) -> Row:
        quiet = await answer_times(server.url, 4)
        with attacking(attack, server.url):
            return milliseconds(quiet, await answer_times(server.url, 8))

    return measure


def delay_of_bots(attack: Attack) -> Measure:
    """Return a measurement of bot moves at a visitor's table without and with an attack."""

    async def measure(server: AttackedServer) -> Row:
        quiet = await bot_times(server.url, 3)
        with attacking(attack, server.url):
            return seconds(quiet, await bot_times(server.url, 5))

    return measure


def compare(description: str, measure: Measure, **settings: str) -> int:
    """Measure each given code on a new server, and print one row for each."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    default = ROOT / "build/compiled" if (ROOT / "build/compiled/granada").is_dir() else ROOT / "src"
    parser.add_argument("--code", nargs="+", default=[str(default)], help="folders with the code to run (PYTHONPATH)")
    options = parser.parse_args()
    allow_many_sockets()
    rows: list[Row] = []
    for code in options.code:
        with tempfile.TemporaryDirectory(prefix="granada-attack-") as data:
            server = AttackedServer(Path(code).resolve(), Path(data), **settings)
            try:
                rows.append({"code": code, **asyncio.run(measure(server))})
            finally:
                server.stop()
    show(rows)
    return 0


def show(rows: Sequence[Row]) -> None:
    """Print a table."""
    heads = list(rows[0])
    widths = [max([len(head), *[len(row[head]) for row in rows]]) for head in heads]
    for row in [dict(zip(heads, heads, strict=True)), *rows]:
        print("  ".join([row[head].ljust(width) for head, width in zip(heads, widths, strict=True)]).rstrip())


def milliseconds(quiet: Sequence[float], attacked: Sequence[float]) -> Row:
    """Return the columns for a visitor's replies, without and with the attack."""
    return {
        "quiet p50": f"{percentile(quiet, 0.5):.1f} ms",
        "quiet p99": f"{percentile(quiet, 0.99):.1f} ms",
        "attack p50": f"{percentile(attacked, 0.5):.1f} ms",
        "attack p99": f"{percentile(attacked, 0.99):.1f} ms",
        "answers": str(len(attacked)),
    }


def seconds(quiet: Sequence[float], attacked: Sequence[float]) -> Row:
    """Return the columns for bot moves, without and with the attack."""
    return {
        "quiet median": f"{percentile(quiet, 0.5):.2f} s",
        "quiet max": f"{max(quiet):.2f} s",
        "attack median": f"{percentile(attacked, 0.5):.2f} s",
        "attack max": f"{max(attacked):.2f} s",
        "median ratio": f"{percentile(attacked, 0.5) / percentile(quiet, 0.5):.1f}",
        "moves": str(len(attacked)),
    }
