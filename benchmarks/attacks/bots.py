"""S1: 45 tables with six strongest bots each, from one address, delay the bots of another visitor.

    python benchmarks/attacks/bots.py --code /work/base/build/compiled build/compiled

Every third table is watched by the attacker over a socket; nobody looks at the others.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from benchmarks.attacks.harness import (
    ATTACKER,
    AttackedServer,
    Client,
    Row,
    attacking,
    bot_times,
    compare,
    seconds,
)

TABLES = 45


async def attack(url: str, begun: Callable[[], None]) -> None:
    """Open the tables, watch some, and wait."""
    async with AsyncExitStack() as stack:
        attacker = await stack.enter_async_context(Client(url, ATTACKER))
        tables = [await attacker.open_table(["strongest"] * 6) for _ in range(TABLES)]
        sockets = [await stack.enter_async_context(attacker.socket(table)) for table in tables[::3]]
        begun()

        async def read(index: int) -> None:
            async for _ in sockets[index]:
                pass

        await asyncio.gather(*[read(index) for index in range(len(sockets))])


async def measure(server: AttackedServer) -> Row:
    """Bot moves without and with the attack."""
    quiet = await bot_times(server.url, 3)
    with attacking(attack, server.url):
        return seconds(quiet, await bot_times(server.url, 5))


if __name__ == "__main__":
    # Without the limit on new tables, so that the attack begins at once; it would only take a minute longer.
    sys.exit(compare(__doc__ or "", measure, GRANADA_CREATIONS="0", GRANADA_RATE="0"))
