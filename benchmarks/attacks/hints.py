"""S1: 45 hints asked for at the same time, from one address, delay the bots of another visitor.

python benchmarks/attacks/hints.py --code /work/base/build/compiled build/compiled

Each hint comes from a session of its own, so that only the address is the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from benchmarks.attacks.harness import (
    ATTACKER,
    AttackedServer,
    Client,
    Row,
    ask,
    attacking,
    bot_times,
    compare,
    seconds,
)

HINTS = 45


async def attack(url: str, begun: Callable[[], None]) -> None:
    """Ask for hints at many tables, each with a cookie of its own, and act so that there is more to ask."""
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(url, ATTACKER)) for _ in range(HINTS)]
        tables = [await client.open_table(["person", "person"]) for client in clients]

        async def keep_asking(client: Client, table: str) -> None:
            while True:
                with contextlib.suppress(httpx.HTTPError):
                    await client.http.post(f"/api/tables/{table}/hint", json={})
                async with client.socket(table) as socket:
                    message = await ask(socket, type="look")
                    await ask(socket, type="act", n=message["n"], action=message["own"]["actions"][0])
                await asyncio.sleep(0.05)

        working = [
            asyncio.create_task(keep_asking(client, table)) for client, table in zip(clients, tables, strict=True)
        ]
        await asyncio.sleep(1)
        begun()
        await asyncio.gather(*working)


async def measure(server: AttackedServer) -> Row:
    """Bot moves without and with the attack."""
    quiet = await bot_times(server.url, 3)
    with attacking(attack, server.url):
        return seconds(quiet, await bot_times(server.url, 5))


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", measure, GRANADA_CREATIONS="0", GRANADA_RATE="0"))
