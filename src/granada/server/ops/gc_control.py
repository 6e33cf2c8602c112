"""Garbage collection of the server process: short collections of new objects, full ones when nobody waits.

Python's automatic collections stop the event loop for as long as it takes to walk through every table in memory, so
they are switched off. Nearly everything is freed by its last reference; this collects the reference cycles.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Callable
from typing import Final

from granada.server.ops import metrics

#: Seconds between two looks at the new objects, and how many more there must be than were freed to collect them.
INTERVAL: Final = 0.1
MANY: Final = 2_000
#: Seconds without any activity after which a full collection disturbs nobody.
QUIET: Final = 30.0
#: Seconds between two checks whether a full collection is due.
CHECK: Final = 10.0
#: Under load a full collection waits until there are this many times the memory blocks of the last one.
GROWTH: Final = 1.5
#: Growth below this many memory blocks (about 500 MB) is never a reason: it is live tables, and a full collection among
#: them stops everybody for half a second and finds next to nothing (370 objects at 2,000 tables).
LEAST_GROWTH: Final = 5_000_000


class GarbageCollection:
    """Owns the collector of this process from `start` to `stop`."""

    def __init__(self, activity: Callable[[], int]) -> None:
        #: A number that grows whenever the server does something for somebody.
        self._activity: Final = activity
        self._seen = 0
        self._seen_at = 0.0
        #: The activity and the memory blocks at the last full collection.
        self._collected_at_activity = 0
        self._blocks = 0
        self._was_enabled = False

    def start(self) -> None:
        """Switch automatic collections off; what exists now is never looked at until the next full collection."""
        self._was_enabled = gc.isenabled()
        gc.disable()
        self.collect_all()

    def stop(self) -> None:
        """Give the collector back as it was."""
        gc.unfreeze()
        if self._was_enabled:
            gc.enable()

    async def run(self) -> None:
        """Collect until cancelled."""
        next_check = time.monotonic() + CHECK
        while True:
            await asyncio.sleep(INTERVAL)
            self.look_at_new()
            now = time.monotonic()
            if now >= next_check:
                next_check = now + CHECK
                if self.is_due(now):
                    self.collect_all()

    def look_at_new(self) -> None:
        """Collect the objects made since the last look if they are many; the survivors are not looked at again."""
        # Python counts objects made minus objects freed. Playing frees as many as it makes, so there is little to find.
        if gc.get_count()[0] >= MANY:
            self.collect_new()
        gc.freeze()

    def collect_new(self) -> float:
        """Collect among the objects made since the last collection; returns the seconds it took."""
        begun = time.perf_counter()
        found = gc.collect(0)
        gc.freeze()
        return _note("new", begun, found)

    def collect_all(self) -> float:
        """Collect among all objects; returns the seconds it took."""
        begun = time.perf_counter()
        gc.unfreeze()
        found = gc.collect()
        gc.freeze()
        self._collected_at_activity = self._activity()
        self._blocks = sys.getallocatedblocks()
        return _note("all", begun, found)

    def is_due(self, now: float) -> bool:
        """Whether to collect everything: nobody has done anything for a while, or memory has grown a lot."""
        activity = self._activity()
        if activity != self._seen:
            self._seen, self._seen_at = activity, now
        if activity != self._collected_at_activity and now - self._seen_at >= QUIET:
            return True
        return sys.getallocatedblocks() > max(GROWTH * self._blocks, self._blocks + LEAST_GROWTH)


def _note(which: str, begun: float, found: int) -> float:
    seconds = time.perf_counter() - begun
    metrics.GARBAGE_SECONDS.labels(which).observe(seconds)
    metrics.GARBAGE_OBJECTS.labels(which).inc(found)
    return seconds
