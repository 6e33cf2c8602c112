"""S2: 50 sockets of one address with 45 questions per second each delay the replies to another visitor.

    python -m benchmarks.attacks.questions --code OLD/build/compiled build/compiled

The questions ask where a tile can be placed, which the rules must compute.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.attacks.harness import ATTACKER, Client, ask, compare, delay_of_answers, played, read_all

SOCKETS = 50
TABLES = 5
QUESTIONS = 45


async def attack(url: str, started: Callable[[], None]) -> None:
    """Ask where a tile can be placed, over all sockets."""
    async with AsyncExitStack() as stack:
        attacker = await stack.enter_async_context(Client(url, ATTACKER))
        tables = [await played(attacker, 40) for _ in range(TABLES)]
        sockets: list[ClientConnection] = []
        for number in range(SOCKETS):
            try:
                sockets.append(await stack.enter_async_context(attacker.socket(tables[number % TABLES])))
            except InvalidStatus:
                break  # the limit is reached
        started()

        async def ask_on(socket: ClientConnection) -> None:
            yard = (await ask(socket, type="look"))["view"]["yard"]
            tile = next(tile for space in yard for tile in space if tile is not None)
            question = json.dumps({"id": "q", "type": "ask", "how": "place", "tile": tile})
            reading = asyncio.create_task(read_all(socket))
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


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", delay_of_answers(attack)))
