"""S2: 50 sockets of one address with 45 questions a second each delay the answers to another visitor.

python benchmarks/attacks/questions.py --code /work/base/build/compiled build/compiled

The questions are where a tile can be built, which the rules work out.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from benchmarks.attacks.harness import (
    ATTACKER,
    AttackedServer,
    Client,
    Row,
    answer_times,
    ask,
    attacking,
    compare,
    milliseconds,
    played,
)

SOCKETS = 50
TABLES = 5
QUESTIONS = 45


async def attack(url: str, begun: Callable[[], None]) -> None:
    """Ask where a tile fits, over all sockets."""
    async with AsyncExitStack() as stack:
        attacker = await stack.enter_async_context(Client(url, ATTACKER))
        tables = [await played(attacker, 40) for _ in range(TABLES)]
        sockets: list[ClientConnection] = []
        for number in range(SOCKETS):
            try:
                sockets.append(await stack.enter_async_context(attacker.socket(tables[number % TABLES])))
            except InvalidStatus:
                break  # no more are let in
        begun()

        async def ask_on(socket: ClientConnection) -> None:
            yard = (await ask(socket, type="look"))["view"]["yard"]
            tile = next(tile for space in yard for tile in space if tile is not None)
            question = json.dumps({"id": "q", "type": "ask", "how": "place", "tile": tile})
            reading = asyncio.create_task(_read(socket))
            try:
                due = time.monotonic()
                while True:
                    await asyncio.wait_for(socket.send(question), 5)
                    due += 1 / QUESTIONS
                    await asyncio.sleep(max(0.0, due - time.monotonic()))
            except (ConnectionClosed, TimeoutError):
                pass
            finally:
                reading.cancel()

        await asyncio.gather(*[ask_on(socket) for socket in sockets])
        await asyncio.Event().wait()


async def _read(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


async def measure(server: AttackedServer) -> Row:
    """Answers without and with the attack."""
    quiet = await answer_times(server.url, 4)
    with attacking(attack, server.url):
        return milliseconds(quiet, await answer_times(server.url, 8))


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", measure))
