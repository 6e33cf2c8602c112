"""Long work beside the event loop: in one thread, in which addresses take turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from granada.server.problems import Refusal
from granada.server.turns import FairTurns, Owner

T = TypeVar("T")
#: One: more threads would not be quicker, and each takes time away from the event loop.
THREADS: Final = 1
#: So much work of one address waits at most.
MOST_WAITING: Final = 40


class Beside:
    """Does work without keeping the event loop waiting; much work of one address delays only its own."""

    def __init__(self) -> None:
        self._turns: Final = FairTurns(THREADS)
        self._threads: Final = ThreadPoolExecutor(THREADS, thread_name_prefix="beside")

    async def do(self, address: str | None, work: Callable[[], T]) -> T:
        """What some work brings, done for an address; Refusal if too much of its work waits already.

        Without an address it is done for the server itself, which is never refused.
        """
        owner = Owner(address or "")
        if address is not None and self._turns.waiting_of(owner) >= MOST_WAITING:
            raise Refusal("too_many", "the server is still busy with other requests of yours: wait for their answers")
        async with self._turns.turn(owner):
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Let go of the thread."""
        self._threads.shutdown(wait=False, cancel_futures=True)
