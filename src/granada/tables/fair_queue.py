"""Fair turns for scarce work: waiting owners share it equally, however much each of them asks for."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Owner(NamedTuple):
    """Who some work is done for: an address, and one of its tables (or sessions)."""

    address: str
    table: str = ""


class FairQueue(Generic[T]):
    """Items by address and table: the next one is of the address that has used least, of its tables in turn.

    Use is what `charge` reports, in any unit, and is counted while items of the address wait. A new address starts
    level with the one that was chosen last: an address with one item at a time waits only for the running job, and
    time that was not used is not saved up.
    """

    def __init__(self) -> None:
        self._waiting: Final[dict[str, OrderedDict[str, deque[T]]]] = {}
        #: Of the addresses that wait.
        self._used: Final[dict[str, float]] = {}
        #: What the address that was last chosen had used then.
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
        """Take the next item; there must be one."""
        address = min(self._waiting, key=lambda one: self._used[one])  # the first of equals has waited longest
        self._level = self._used[address]
        tables = self._waiting[address]
        table, items = next(iter(tables.items()))
        item = items.popleft()
        if items:
            tables.move_to_end(table)
        else:
            del tables[table]
        # Its next item comes after those of other addresses that have used as much.
        del self._waiting[address]
        if tables:
            self._waiting[address] = tables
        else:
            del self._used[address]
        self._size -= 1
        return item

    def remove(self, owner: Owner, item: T) -> None:
        """Take an item out, if it still waits."""
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
        """How many items of an address wait."""
        return sum([len(items) for items in self._waiting.get(address, {}).values()])

    def charge(self, owner: Owner, amount: float) -> None:
        """Note what an item has used; it counts if more of its address wait."""
        if owner.address in self._used:
            self._used[owner.address] += amount


class FairTurns:
    """As many turns at once as there are places; the time that each takes is charged to its owner."""

    def __init__(self, places: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._places: Final = places
        self._clock: Final = clock
        self._queue: Final[FairQueue[asyncio.Future[None]]] = FairQueue()
        #: How many have a turn.
        self.busy = 0
        self._is_idle: Final = asyncio.Event()
        self._is_idle.set()

    @property
    def waiting(self) -> int:
        """How many wait for a turn."""
        return len(self._queue)

    def waiting_of(self, owner: Owner) -> int:
        """How many turns the address of an owner waits for."""
        return self._queue.size_of(owner.address)

    @asynccontextmanager
    async def turn(self, owner: Owner, patience: float | None = None) -> AsyncIterator[None]:
        """A turn, once it comes; TimeoutError if it does not come within the patience, in seconds."""
        await self._enter(owner, patience)
        begun = self._clock()
        try:
            yield
        finally:
            self._queue.charge(owner, self._clock() - begun)
            self._pass_on()

    def charge(self, owner: Owner, amount: float) -> None:
        """Charge an owner for more than the time of its turn, in seconds."""
        self._queue.charge(owner, amount)

    async def idle(self) -> None:
        """Wait until nobody has a turn or waits for one."""
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
                self._pass_on()  # the turn came at the moment of the timeout
            raise

    def _pass_on(self) -> None:
        """Give a turn that has ended to the next in the queue."""
        while self._queue:
            following = self._queue.pop()
            if not following.done():  # a cancelled task may not have left the queue yet
                following.set_result(None)
                return
        self.busy -= 1
        if not self.busy:
            self._is_idle.set()
