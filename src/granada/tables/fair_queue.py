"""Fair queueing of scarce work: waiting addresses share it equally, regardless of how much each requests."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Owner(NamedTuple):
    """The owner of work: an address, and one of its tables (or sessions)."""

    address: str
    table: str = ""


class FairQueue(Generic[T]):
    """A queue that serves the address with the least use first, and the tables of an address round-robin.

    Use is what `charge` reports, in any unit, while items of the address wait. A new address starts with the use of the
    address that was served last. So an address with one item at a time waits only for the running job, and unused time
    is not saved up.
    """

    def __init__(self) -> None:
        self._waiting: Final[dict[str, OrderedDict[str, deque[T]]]] = {}
        #: The use of the waiting addresses.
        self._used: Final[dict[str, float]] = {}
        #: The use of the address that was served last, at that time.
        self._level = 0.0
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def put(self, owner: Owner, item: T) -> None:
        """Add an item."""
        tables = self._waiting.get(owner.address)
        if tables is None:
            tables = self._waiting[owner.address] = OrderedDict()
            self._used[owner.address] = self._level
        tables.setdefault(owner.table, deque()).append(item)
        self._size += 1

    def pop(self) -> T:
        """Remove and return the next item; the queue must not be empty."""
        address = min(self._waiting, key=lambda one: self._used[one])  # of equals, the first has waited longest
        self._level = self._used[address]
        tables = self._waiting[address]
        table, items = next(iter(tables.items()))
        item = items.popleft()
        if items:
            tables.move_to_end(table)
        else:
            del tables[table]
        # Move the address behind the others with the same use.
        del self._waiting[address]
        if tables:
            self._waiting[address] = tables
        else:
            del self._used[address]
        self._size -= 1
        return item

    def remove(self, owner: Owner, item: T) -> None:
        """Remove an item if it is still queued."""
        tables = self._waiting.get(owner.address, OrderedDict())
        if item not in tables.get(owner.table, ()):
            return
        tables[owner.table].remove(item)
        if not tables[owner.table]:
            del tables[owner.table]
        if not tables:
            del self._waiting[owner.address], self._used[owner.address]
        self._size -= 1

    def size_of(self, address: str) -> int:
        """Return the number of queued items of an address."""
        return sum([len(items) for items in self._waiting.get(address, {}).values()])

    def charge(self, owner: Owner, amount: float) -> None:
        """Add to the use of an address; ignored unless it has queued items."""
        if owner.address in self._used:
            self._used[owner.address] += amount


class FairTurns:
    """A fair semaphore: the time for which an owner holds a place is charged to it."""

    def __init__(self, places: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._places: Final = places
        self._clock: Final = clock
        self._queue: Final[FairQueue[asyncio.Future[None]]] = FairQueue()
        #: The number of occupied places.
        self.busy = 0
        self._is_idle: Final = asyncio.Event()
        self._is_idle.set()

    @property
    def waiting(self) -> int:
        """Return the number of queued turns."""
        return len(self._queue)

    def waiting_of(self, owner: Owner) -> int:
        """Return the number of queued turns of the owner's address."""
        return self._queue.size_of(owner.address)

    @asynccontextmanager
    async def turn(self, owner: Owner, patience: float | None = None) -> AsyncIterator[None]:
        """Wait for a place and hold it; raises TimeoutError after `patience` seconds in the queue."""
        await self._enter(owner, patience)
        started_at = self._clock()
        try:
            yield
        finally:
            self._queue.charge(owner, self._clock() - started_at)
            self._pass_on()

    def charge(self, owner: Owner, amount: float) -> None:
        """Charge an owner extra seconds."""
        self._queue.charge(owner, amount)

    async def idle(self) -> None:
        """Wait until no place is occupied and the queue is empty."""
        await self._is_idle.wait()

    async def _enter(self, owner: Owner, patience: float | None) -> None:
        self._is_idle.clear()
        if self.busy < self._places and not self._queue:
            self.busy += 1
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put(owner, mine)
        try:
            async with asyncio.timeout(patience):
                await mine
        except BaseException:
            self._queue.remove(owner, mine)
            if mine.done() and not mine.cancelled():
                self._pass_on()  # the place became free just when the wait timed out
            raise

    def _pass_on(self) -> None:
        """Give a free place to the next in the queue."""
        while self._queue:
            following = self._queue.pop()
            if not following.done():  # a cancelled task may not have left the queue yet
                following.set_result(None)
                return
        self.busy -= 1
        if not self.busy:
            self._is_idle.set()
