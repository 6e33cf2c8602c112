"""Removal of tables and programs that have not been used for a long time."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from typing import Final

from granada.tables.clock import clock
from granada.tables.log import log
from granada.tables.ports import PrunableStore

DAY: Final = 24 * 3600 * 1000
#: Milliseconds between the start of the server and the first removal, and between two removals.
DELAY: Final = 3600 * 1000
#: The most that a gap without any stored time stamps adds to an age.
LONGEST_GAP: Final = 7 * DAY


def oldest_kept(stamps: Iterable[int], now: int, uptime: int, keep: int) -> int:
    """Return the time before which everything last used is too old; 0 if nothing is.

    If the machine's clock jumps months ahead, tables must not look old. So the uptime of this process counts in full,
    but each gap between time stamps counts for a week at most.
    """
    age, later = 0, now
    most = uptime
    for at in sorted(stamps, reverse=True):
        age += min(max(0, later - at), most)
        if age >= keep:
            return at + 1
        later, most = min(later, at), LONGEST_GAP
    return 0


class Cleanup:
    """Removes old tables and programs; the first removal is logged at the start and done an hour later."""

    def __init__(self, store: PrunableStore, keep_days: int, steady: Callable[[], float] = time.monotonic) -> None:
        self._store: Final = store
        self._keep: Final = keep_days * DAY
        self._steady: Final = steady
        self._began: Final = steady()
        #: The uptime, in milliseconds, of the next removal.
        self._next = 0

    async def run(self, used: Collection[str]) -> None:
        """Remove what is too old and not in use, if it is time; raises Unavailable."""
        uptime = int((self._steady() - self._began) * 1000)
        if not self._keep or uptime < self._next:
            return
        now = clock()
        await self._store.note_day(now // DAY, now)
        stamps = await self._store.last_changes()
        before = oldest_kept([*stamps.values(), *await self._store.service_days()], now, uptime, self._keep)
        old = [table for table, at in stamps.items() if at < before and table not in used]
        if uptime < DELAY:
            if old:
                log("old tables will be removed", tables=len(old), minutes=(DELAY - uptime) // 60_000)
            self._next = DELAY
            return
        removed = 0
        for table in old:
            # Removing many tables takes a while, so check again whether this one is in use.
            if table not in used and await self._store.remove(table, before):
                removed += 1
        programs = await self._store.remove_unused(before)
        if removed or programs:
            log("old tables removed", tables=removed, programs=programs)
        self._next = uptime + DELAY
