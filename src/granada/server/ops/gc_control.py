"""Garbage collection of the server process: short collections of new objects, full ones when the server is idle.

Python's automatic collections would traverse all tables in memory and stop the event loop for that long, so they are
disabled. Almost all objects are freed by reference counting; this collects reference cycles.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Callable
from typing import Final

from granada.server.ops import metrics

#: Seconds between checks of new objects, and the number of new objects that triggers a collection.
INTERVAL: Final = 0.1
NEW_OBJECTS: Final = 2_000
#: Seconds without activity after which the server counts as idle.
IDLE_TIME: Final = 30.0
#: Seconds between checks whether a full collection is due.
FULL_CHECK_INTERVAL: Final = 10.0
#: Under load, a full collection starts when the number of memory blocks has grown by this factor.
GROWTH: Final = 1.5
#: Smaller growth (in memory blocks, about 500 MB) is ignored: it is live tables, and a full collection would stop the
#: event loop for half a second and free almost nothing (370 objects at 2,000 tables).
MIN_GROWTH: Final = 5_000_000


class GarbageCollection:
    """Controls the garbage collector of this process between `start` and `stop`."""

    def __init__(self, activity: Callable[[], int]) -> None:
        #: Returns a counter that grows while the server is in use.
        self._activity: Final = activity
        self._last_activity = 0
        self._active_at = 0.0
        #: The activity and the memory blocks at the last full collection.
        self._collected_at_activity = 0
        self._blocks = 0
        self._was_enabled = False

    def start(self) -> None:
        """Disable automatic collections; existing objects are frozen until the next full collection."""
        self._was_enabled = gc.isenabled()
        gc.disable()
        self.collect_all()

    def stop(self) -> None:
        """Restore the previous state of the collector."""
        gc.unfreeze()
        if self._was_enabled:
            gc.enable()

    async def run(self) -> None:
        """Collect until cancelled."""
        next_check = time.monotonic() + FULL_CHECK_INTERVAL
        while True:
            await asyncio.sleep(INTERVAL)
            self.check_new()
            now = time.monotonic()
            if now >= next_check:
                next_check = now + FULL_CHECK_INTERVAL
                if self.is_due(now):
                    self.collect_all()

    def check_new(self) -> None:
        """Collect the new objects if there are many, and freeze the remaining ones."""
        # The count is objects allocated minus objects freed; playing frees about as many as it allocates.
        if gc.get_count()[0] >= NEW_OBJECTS:
            self.collect_new()
        gc.freeze()

    def collect_new(self) -> float:
        """Collect the objects allocated since the last collection; returns the duration in seconds."""
        start = time.perf_counter()
        found = gc.collect(0)
        gc.freeze()
        return _record("new", start, found)

    def collect_all(self) -> float:
        """Collect all objects; returns the duration in seconds."""
        start = time.perf_counter()
        gc.unfreeze()
        found = gc.collect()
        gc.freeze()
        self._collected_at_activity = self._activity()
        self._blocks = sys.getallocatedblocks()
        return _record("all", start, found)

    def is_due(self, now: float) -> bool:
        """Whether a full collection is due: the server is idle, or memory has grown a lot."""
        activity = self._activity()
        if activity != self._last_activity:
            self._last_activity, self._active_at = activity, now
        if activity != self._collected_at_activity and now - self._active_at >= IDLE_TIME:
            return True
        blocks = sys.getallocatedblocks()
        metrics.BLOCKS.set(blocks)
        return blocks > max(GROWTH * self._blocks, self._blocks + MIN_GROWTH)


def _record(which: str, start: float, found: int) -> float:
    seconds = time.perf_counter() - start
    metrics.GARBAGE_SECONDS.labels(which).observe(seconds)
    metrics.GARBAGE_OBJECTS.labels(which).inc(found)
    return seconds
