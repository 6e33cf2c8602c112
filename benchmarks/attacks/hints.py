"""S1: 45 concurrent hint requests from one address delay the bots of another visitor.

    python -m benchmarks.attacks.hints --code OLD/build/compiled build/compiled

Each request has its own cookie, so only the address is the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack

import httpx

from benchmarks.attacks.harness import ATTACKER, Client, ask, compare, delay_of_bots

HINTS = 45


async def attack(url: str, started: Callable[[], None]) -> None:
    """Request hints at many tables, each with its own cookie, and act so that there is more to request."""
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
        started()
        await asyncio.gather(*working)


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", delay_of_bots(attack), GRANADA_CREATIONS="0", GRANADA_RATE="0"))
