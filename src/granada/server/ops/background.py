"""Long work outside the event loop: in one thread, which addresses share fairly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from granada.tables.errors import TableError
from granada.tables.fair_queue import FairTurns, Owner

T = TypeVar("T")
#: One: more threads would not be quicker, and each takes time away from the event loop.
THREADS: Final = 1
#: The most jobs of one address that wait.
MOST_WAITING: Final = 40


class BackgroundThread:
    """Runs jobs in a thread; many jobs of one address delay only that address."""

    def __init__(self) -> None:
        self._turns: Final = FairTurns(THREADS)
        self._threads: Final = ThreadPoolExecutor(THREADS, thread_name_prefix="beside")

    async def do(self, address: str | None, work: Callable[[], T]) -> T:
        """Return the result of a job that is run for an address; TableError if too many of its jobs wait already.

        A job without an address is the server's own and never refused.
        """
        owner = Owner(address or "")
        if address is not None and self._turns.waiting_of(owner) >= MOST_WAITING:
            raise TableError("too_many", "the server is still working on your other requests; wait for their answers")
        async with self._turns.turn(owner):
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Let go of the thread."""
        self._threads.shutdown(wait=False, cancel_futures=True)
