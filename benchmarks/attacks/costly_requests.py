"""S2: costly requests from one address, as many as it may send: pictures, positions, score pads, records.

    python benchmarks/attacks/costly_requests.py --code /work/base/build/compiled build/compiled

One row for each kind of request and each code: how long another visitor waits for an answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

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
)

#: What the limit on requests allows.
RATE = 50
SECONDS = 4.0


async def attack(kind: str, url: str, begun: Callable[[], None]) -> None:
    """Send one kind of request, as often as the limit allows."""
    async with Client(url, ATTACKER) as attacker:
        request = await REQUESTS[kind](attacker)
        begun()
        pending: set[asyncio.Task[None]] = set()
        for number in itertools.count():
            task = asyncio.create_task(_quietly(request(number)))
            pending.add(task)
            task.add_done_callback(pending.discard)
            await asyncio.sleep(1 / RATE)
            while len(pending) > 2 * RATE:
                await asyncio.sleep(0.01)


async def _quietly(request: Coroutine[Any, Any, object]) -> None:
    with contextlib.suppress(httpx.HTTPError):
        await request


Requests = Callable[[int], Coroutine[Any, Any, object]]


async def _pictures(attacker: Client) -> Requests:
    """Pictures of a table with six cities, for all seats and in all languages, while it is played."""
    from granada.locales import LANGUAGES

    table, languages = await played(attacker, 150), list(LANGUAGES)

    async def draw(number: int) -> object:
        seat, language = 1 + number // len(languages) % 6, languages[number % len(languages)]
        return await attacker.http.get(f"/api/tables/{table}/picture.svg?language={language}&seat={seat}")

    return draw


async def _record(attacker: Client) -> str:
    """The record of a long game, played in this process."""
    from granada import Luck, Options
    from granada.arena.simulation import play_game
    from granada.bots import RandomBot

    bots = [RandomBot(seat) for seat in range(6)]
    return str(play_game(Options("granada", 6), bots, Luck(random.Random("attack"))).record)


async def _records(attacker: Client) -> Requests:
    """Uploads of a whole game."""
    record = await _record(attacker)
    headers = {"content-type": "text/plain"}

    async def upload(number: int) -> object:
        return await attacker.http.post("/api/records", content=record, headers=headers)

    return upload


async def _positions(attacker: Client) -> Requests:
    """The last position of a whole game, which is replayed for each request."""
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
    """The log of a table that was played for some time."""
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
    """Answers without and with each attack; the columns name the 50th and the 99th percentile in ms."""
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
