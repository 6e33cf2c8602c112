"""S2: a player reconnects as often as the limit allows, with 100 spectators from the same address at the table.

    python -m benchmarks.attacks.reconnects --code OLD/src src

Every listener is notified each time, which delays the replies to another visitor.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.attacks.harness import ATTACKER, Client, compare, delay_of_answers, played, read_all

SPECTATORS = 100
#: Connections per second, just below the limit.
RATE = 45


async def attack(url: str, started: Callable[[], None]) -> None:
    """Read with the spectators while the player reconnects."""
    async with AsyncExitStack() as stack:
        player = await stack.enter_async_context(Client(url, ATTACKER))
        table = await played(player, 40)
        spectators: list[ClientConnection] = []
        for _ in range(SPECTATORS):
            with contextlib.suppress(InvalidStatus):
                spectators.append(await stack.enter_async_context(Client(url, ATTACKER).socket(table)))
        started()
        await asyncio.gather(_reconnect(player, table), *[read_all(socket) for socket in spectators])


async def _reconnect(player: Client, table: str) -> None:
    while True:
        with contextlib.suppress(InvalidStatus, ConnectionClosed):
            async with player.socket(table):
                pass
        await asyncio.sleep(1 / RATE)


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", delay_of_answers(attack)))
