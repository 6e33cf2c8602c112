"""What all attack scripts share: a real server, clients from several addresses, a normal visitor, and a small table.

    python benchmarks/attacks/NAME.py                                    this tree (compiled if build/compiled exists)
    python benchmarks/attacks/NAME.py --code OLD/src src                 before and after, one row each
    python benchmarks/attacks/NAME.py --code OLD/build/compiled build/compiled

The server runs as `granada serve` on 127.0.0.1 behind one trusted proxy, so that each client chooses its address by
`X-Forwarded-For`. The attack runs in a process of its own; the visitor is measured here. The machine is shared: each
row has the figures of the visitor without the attack, from the same server, as its measure.
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

ROOT = Path(__file__).parent.parent.parent
#: The documentation's own addresses (RFC 5737): one attacker, one visitor.
ATTACKER = "203.0.113.7"
VISITOR = "198.51.100.4"
#: No server needs longer to start, and no answer longer to come.
PATIENCE = 120.0
#: Seconds for which the visitor plays against a bot at most.
LONGEST = 30.0
#: Seconds between two actions of the normal visitor.
PACE = 0.04

Message = dict[str, Any]
#: An attack: gets the server's address and what it says when it has begun; it runs until it is cancelled.
Attack = Callable[[str, Callable[[], None]], Coroutine[Any, Any, None]]
Row = dict[str, str]


class AttackedServer:
    """A server that runs some code, on a database of its own."""

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
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                httpx.get(f"{self.url}/healthz", timeout=5).raise_for_status()
                return
            except httpx.HTTPError:
                time.sleep(0.1)
        self.stop()
        raise SystemExit("the server does not answer")

    def stop(self) -> None:
        """End it, if need be by force."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


class Client:
    """Somebody with a browser at an address."""

    def __init__(self, url: str, address: str) -> None:
        self.url = url
        self.address = address
        self.cookie = f"granada={secrets.token_urlsafe(32)}"
        self.headers = {"x-forwarded-for": address, "cookie": self.cookie}
        self.http = httpx.AsyncClient(
            base_url=url, timeout=PATIENCE, headers=self.headers, limits=httpx.Limits(max_connections=None)
        )

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    async def post(self, path: str, body: object | None = None) -> Message:
        """What the server answers; it must not refuse."""
        response = await self.http.post(f"/api{path}", json={} if body is None else body)
        if not response.is_success:
            raise SystemExit(f"{path} was refused: {response.text}")
        found: Message = response.json()
        return found

    async def open_table(self, seats: Sequence[str], starts: bool = True, **options: object) -> str:
        """Open a table and start it; each seat is `person`, `open` or the level of a bot."""
        wishes = [{"kind": seat} if seat in ("open", "person") else {"kind": "bot", "level": seat} for seat in seats]
        table: str = (await self.post("/tables", {"seats": wishes, "options": options}))["table"]["id"]
        if starts:
            await self.post(f"/tables/{table}/start")
        return table

    @asynccontextmanager
    async def socket(self, table: str) -> AsyncIterator[ClientConnection]:
        """A socket at a table."""
        url = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        async with connect(
            url, additional_headers=self.headers, open_timeout=PATIENCE, max_size=None, ping_interval=None
        ) as connection:
            yield connection


async def ask(socket: ClientConnection, **command: object) -> Message:
    """Send a command and wait for its answer, or for the error."""
    sent = secrets.token_hex(8)
    await socket.send(json.dumps({"id": sent, **command}))
    while True:
        message: Message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        if message.get("answers") == sent:
            return message


async def played(attacker: Client, actions: int) -> str:
    """A table that was played for some time, so that there is much to draw."""
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
    """How long a visitor waits for the answers to his actions, in milliseconds."""
    times: list[float] = []
    until = time.monotonic() + seconds
    async with Client(url, VISITOR) as visitor:
        while not times or time.monotonic() < until:
            table = await visitor.open_table(["person", "person", "person"])
            async with visitor.socket(table) as socket:
                message: Message = json.loads(await socket.recv())
                while (not times or time.monotonic() < until) and message["table"]["phase"] == "playing":
                    begun = time.perf_counter()
                    message = await ask(socket, type="act", n=message["n"], action=message["own"]["actions"][0])
                    times.append(1000 * (time.perf_counter() - begun))
                    await asyncio.sleep(PACE)
    return times


async def bot_times(url: str, moves: int, level: str = "strongest") -> list[float]:
    """How long a visitor who plays against one bot waits for each of its actions, in seconds.

    After LONGEST he gives up: the last figure is then what he has waited so far.
    """
    times: list[float] = []
    until = time.perf_counter() + LONGEST
    async with Client(url, VISITOR) as visitor:
        table = await visitor.open_table(["person", level])
        async with visitor.socket(table) as socket:
            message: Message = json.loads(await socket.recv())
            while len(times) < moves and time.perf_counter() < until:
                if message["own"]["actions"]:
                    actions = [one for one in message["own"]["actions"] if one.startswith(("take", "keep", "pass"))]
                    action = (actions or message["own"]["actions"])[0]
                    message = await ask(socket, type="act", n=message["n"], action=action)
                    continue
                begun, n = time.perf_counter(), message["n"]
                with contextlib.suppress(TimeoutError):
                    while message["n"] == n:
                        left = max(0.0, until - time.perf_counter())
                        message = json.loads(await asyncio.wait_for(socket.recv(), left))
                times.append(time.perf_counter() - begun)
    return times


def percentile(values: Sequence[float], part: float) -> float:
    """The value that a part of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


# Attacks and reports


@contextmanager
def attacking(attack: Attack, url: str) -> Iterator[None]:
    """Run an attack in a process of its own, from the moment it says that it has begun."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_attack, args=(attack, url, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(PATIENCE):
            raise SystemExit("the attack did not begin")
        ours.recv()
        yield
    finally:
        ours.close()
        process.join(10)
        if process.is_alive():
            process.kill()
            process.join()


def _attack(attack: Attack, url: str, pipe: Connection) -> None:
    """Attack until the other end of the pipe is closed."""
    allow_many_sockets()

    async def run() -> None:
        loop = asyncio.get_running_loop()
        working = asyncio.create_task(attack(url, lambda: pipe.send("begun")))
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
    """Raise the limit of open files as far as it goes."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def compare(description: str, measure: Callable[[AttackedServer], Coroutine[Any, Any, Row]], **settings: str) -> int:
    """Measure each code that is asked for on a new server, and print a row for each."""
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
    """The columns of a visitor's answers, without and with the attack."""
    return {
        "quiet p50": f"{percentile(quiet, 0.5):.1f} ms",
        "quiet p99": f"{percentile(quiet, 0.99):.1f} ms",
        "attack p50": f"{percentile(attacked, 0.5):.1f} ms",
        "attack p99": f"{percentile(attacked, 0.99):.1f} ms",
        "answers": str(len(attacked)),
    }


def seconds(quiet: Sequence[float], attacked: Sequence[float]) -> Row:
    """The columns of a visitor's bot moves, without and with the attack; the ratio is that of the slowest moves."""
    return {
        "quiet median": f"{percentile(quiet, 0.5):.2f} s",
        "quiet max": f"{max(quiet):.2f} s",
        "attack median": f"{percentile(attacked, 0.5):.2f} s",
        "attack max": f"{max(attacked):.2f} s",
        "median ratio": f"{percentile(attacked, 0.5) / percentile(quiet, 0.5):.1f}",
        "moves": str(len(attacked)),
    }
