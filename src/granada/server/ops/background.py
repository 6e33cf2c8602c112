"""A background thread for long work, shared fairly between addresses."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from granada.tables.errors import TableError
from granada.tables.fair_queue import FairTurns, Owner

T = TypeVar("T")
#: More threads would not be faster (because of the GIL), and each takes time from the event loop.
THREADS: Final = 1
#: The most waiting jobs of one address.
MAX_WAITING: Final = 40


class BackgroundThread:
    """Runs jobs in a thread; many jobs of one address delay only that address."""

    def __init__(self) -> None:
        self._turns: Final = FairTurns(THREADS)
        self._threads: Final = ThreadPoolExecutor(THREADS, thread_name_prefix="background")

    async def do(self, address: str | None, work: Callable[[], T]) -> T:
        """Run a job for an address and return its result; TableError if the address has too many waiting jobs.

        A job without an address belongs to the server and is not limited.
        """
        owner = Owner(address or "")
        if address is not None and self._turns.waiting_of(owner) >= MAX_WAITING:
            raise TableError("too_many", "the server is still processing your other requests; wait for their responses")
        async with self._turns.turn(owner):
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def close(self) -> None:
        """Cancel the waiting jobs and end the thread."""
        self._threads.shutdown(wait=False, cancel_futures=True)
