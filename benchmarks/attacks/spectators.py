"""S4: 500 spectators at a table lock a seat holder out.

    python benchmarks/attacks/spectators.py --code /work/base/build/compiled build/compiled

The spectators come from ten addresses.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from websockets.exceptions import ConnectionClosed, InvalidStatus

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from benchmarks.attacks.harness import VISITOR, AttackedServer, Client, Row, compare

SPECTATORS = 500
ADDRESSES = 10
REFUSED = 100


async def measure(server: AttackedServer) -> Row:
    """Who gets in."""
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(Client(server.url, VISITOR))
        table = await host.open_table(["person", "person"])
        watching = 0
        for number in range(SPECTATORS):
            client = Client(server.url, f"203.0.113.{1 + number % ADDRESSES}")
            socket = await stack.enter_async_context(client.socket(table))
            await socket.recv()
            watching += 1
        refused = 0
        for number in range(REFUSED):
            refused += not await _gets_in(Client(server.url, f"203.0.113.{1 + number % ADDRESSES}"), table)
        seated = await _gets_in(host, table)
    return {
        "spectators": str(watching),
        "further ones refused": f"{refused} of {REFUSED}",
        "seat holder": "gets in" if seated else "is locked out",
        "memory kept for the refused": "see tests/server/test_admission.py",
    }


async def _gets_in(client: Client, table: str) -> bool:
    """Whether a socket is served."""
    try:
        async with client.socket(table) as socket:
            await asyncio.wait_for(socket.recv(), 10)
    except (ConnectionClosed, InvalidStatus, TimeoutError):
        return False
    return True


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", measure, GRANADA_RATE="0"))
