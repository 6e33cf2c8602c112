"""S1: 45 tables with six `strongest` bots each, opened from one address, delay the bots of another visitor.

    python -m benchmarks.attacks.bots --code OLD/build/compiled build/compiled

The attacker watches every third table over a socket; the others have no viewers.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack

from benchmarks.attacks.harness import ATTACKER, Client, compare, delay_of_bots, read_all

TABLES = 45


async def attack(url: str, started: Callable[[], None]) -> None:
    """Open the tables, watch some, and wait."""
    async with AsyncExitStack() as stack:
        attacker = await stack.enter_async_context(Client(url, ATTACKER))
        tables = [await attacker.open_table(["strongest"] * 6) for _ in range(TABLES)]
        sockets = [await stack.enter_async_context(attacker.socket(table)) for table in tables[::3]]
        started()
        await asyncio.gather(*[read_all(socket) for socket in sockets])


if __name__ == "__main__":
    # Without the limit on new tables, which would delay the attack by a minute.
    sys.exit(compare(__doc__ or "", delay_of_bots(attack), GRANADA_CREATIONS="0", GRANADA_RATE="0"))
