"""S2: expensive requests from one address, at its rate limit: pictures, positions, score pads, records, logs.

    python -m benchmarks.attacks.costly_requests --code OLD/build/compiled build/compiled

One row per code: how long another visitor waits for a reply, for each kind of request.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import httpx

from benchmarks.attacks.harness import (
    ATTACKER,
    AttackedServer,
    Client,
    Row,
    answer_times,
    attacking,
    compare,
    milliseconds,
    played,
    random_record,
)

#: Requests per second, the default limit.
RATE = 50
SECONDS = 4.0


async def attack(kind: str, url: str, started: Callable[[], None]) -> None:
    """Send one kind of request at the rate limit."""
    async with Client(url, ATTACKER) as attacker:
        request = await REQUESTS[kind](attacker)
        started()
        pending: set[asyncio.Task[None]] = set()
        for number in itertools.count():
            task = asyncio.create_task(_ignore_errors(request(number)))
            pending.add(task)
            task.add_done_callback(pending.discard)
            await asyncio.sleep(1 / RATE)
            while len(pending) > 2 * RATE:
                await asyncio.sleep(0.01)


async def _ignore_errors(request: Coroutine[Any, Any, object]) -> None:
    with contextlib.suppress(httpx.HTTPError):
        await request


Requests = Callable[[int], Coroutine[Any, Any, object]]


async def _pictures(attacker: Client) -> Requests:
    """Pictures of a table with six cities, for all seats and languages."""
    from granada.locales import LANGUAGES

    table, languages = await played(attacker, 150), list(LANGUAGES)

    async def draw(number: int) -> object:
        seat, language = 1 + number // len(languages) % 6, languages[number % len(languages)]
        return await attacker.http.get(f"/api/tables/{table}/picture.svg?language={language}&seat={seat}")

    return draw


async def _records(attacker: Client) -> Requests:
    """Uploads of a complete game."""
    record = random_record(6, "attack")
    headers = {"content-type": "text/plain"}

    async def upload(number: int) -> object:
        return await attacker.http.post("/api/records", content=record, headers=headers)

    return upload


async def _positions(attacker: Client) -> Requests:
    """Late positions of a complete game, which is replayed for each request."""
    response = await (await _records(attacker))(0)
    assert isinstance(response, httpx.Response)
    message = response.raise_for_status().json()
    table, last = message["table"]["id"], message["n"]

    async def look(number: int) -> object:
        return await attacker.http.get(f"/api/tables/{table}/positions/{last - number % 50}?seat={1 + number % 6}")

    return look


async def _pads(attacker: Client) -> Requests:
    """Score pads with six players and three scorings."""
    entry = {"wall": 9, "counts": {"pavilion": 1, "palace": 1, "arcades": 1}}
    body = {"edition": "alhambra", "players": 6, "scorings": {letter: [entry] * 6 for letter in "ABC"}}

    async def score(number: int) -> object:
        return await attacker.http.post("/api/score", json=body)

    return score


async def _logs(attacker: Client) -> Requests:
    """The log of a long game."""
    table = await played(attacker, 150)

    async def read(number: int) -> object:
        return await attacker.http.get(f"/api/tables/{table}/log")

    return read


REQUESTS: dict[str, Callable[[Client], Coroutine[Any, Any, Requests]]] = {
    "pictures": _pictures,
    "positions": _positions,
    "records": _records,
    "pads": _pads,
    "logs": _logs,
}


async def measure(server: AttackedServer) -> Row:
    """Measure replies without and with each attack: 50th and 99th percentile in ms."""
    row: Row = {}
    quiet = await answer_times(server.url, 2)
    for kind in REQUESTS:
        with attacking(partial(attack, kind), server.url):
            found = milliseconds(quiet, await answer_times(server.url, SECONDS))
        row["quiet"] = f"{found['quiet p50'][:-3]}/{found['quiet p99'][:-3]}"
        row[kind] = f"{found['attack p50'][:-3]}/{found['attack p99'][:-3]}"
    return row


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", measure))
