"""S2: a player comes and goes as often as the limit allows, before 100 spectators of the same address.

    python benchmarks/attacks/comings.py --code /work/base/src src

Everybody at the table is told each time, which delays the answers to another visitor.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
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
    attacking,
    compare,
    milliseconds,
    played,
)

SPECTATORS = 100
#: Half of what the limit on requests allows, for each coming is also a going.
RATE = 45


async def attack(url: str, begun: Callable[[], None]) -> None:
    """Let the spectators read, and the player come and go."""
    async with AsyncExitStack() as stack:
        player = await stack.enter_async_context(Client(url, ATTACKER))
        table = await played(player, 40)
        spectators: list[ClientConnection] = []
        for _ in range(SPECTATORS):
            with contextlib.suppress(InvalidStatus):
                spectators.append(await stack.enter_async_context(Client(url, ATTACKER).socket(table)))
        begun()
        await asyncio.gather(_come_and_go(player, table), *[_read(socket) for socket in spectators])


async def _come_and_go(player: Client, table: str) -> None:
    while True:
        with contextlib.suppress(InvalidStatus, ConnectionClosed):
            async with player.socket(table):
                pass
        await asyncio.sleep(1 / RATE)


async def _read(socket: ClientConnection) -> None:
    with contextlib.suppress(ConnectionClosed):
        async for _ in socket:
            pass


async def measure(server: AttackedServer) -> Row:
    """Answers without and with the attack."""
    quiet = await answer_times(server.url, 4)
    with attacking(attack, server.url):
        return milliseconds(quiet, await answer_times(server.url, 8))


if __name__ == "__main__":
    sys.exit(compare(__doc__ or "", measure))
