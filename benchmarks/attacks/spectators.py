"""S4: 500 spectators at a table lock out a player.

    python -m benchmarks.attacks.spectators --code OLD/build/compiled build/compiled

The spectators use ten addresses.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack

from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.attacks.harness import VISITOR, AttackedServer, Client, Row, compare

SPECTATORS = 500
ADDRESSES = 10
EXTRA = 100


async def measure(server: AttackedServer) -> Row:
    """Check who can connect."""
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(Client(server.url, VISITOR))
        table = await host.open_table(["person", "person"])
        watching = 0
        for number in range(SPECTATORS):
            client = Client(server.url, f"203.0.113.{1 + number % ADDRESSES}")
            socket = await stack.enter_async_context(client.socket(table))
            await socket.recv()
            watching += 1
        rejected = 0
        for number in range(EXTRA):
            rejected += not await _can_connect(Client(server.url, f"203.0.113.{1 + number % ADDRESSES}"), table)
        seated = await _can_connect(host, table)
    return {
        "spectators": str(watching),
        "further ones rejected": f"{rejected} of {EXTRA}",
        "player": "can connect" if seated else "is locked out",
    }


async def _can_connect(client: Client, table: str) -> bool:
    """Whether a socket receives a message."""
    try:
        async with client.socket(table) as socket:
            await asyncio.wait_for(socket.recv(), 10)
    except (ConnectionClosed, InvalidStatus, TimeoutError):
        return False
    return True


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", measure, GRANADA_RATE="0"))
