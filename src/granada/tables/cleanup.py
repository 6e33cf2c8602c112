"""Removing tables and programs that nobody has used for a long time."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from typing import Final

from granada.tables.clock import clock
from granada.tables.log import log
from granada.tables.ports import Store

DAY: Final = 24 * 3600 * 1000
#: Milliseconds after the start before anything is removed, and between two times.
DELAY: Final = 3600 * 1000
#: A time for which nothing was stored, not even that the server ran, counts for this much at most.
LONGEST_GAP: Final = 7 * DAY


def oldest_kept(stamps: Iterable[int], now: int, uptime: int, keep: int) -> int:
    """Everything last used before this time is too old; 0 if nothing is.

    A clock that is months ahead must not make everything old. So age is measured against the newest stamp, time that
    this process has been running counts in full, and a gap in the stamps counts for a week at most.
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
    """Removes what is too old, beginning an hour after the start; before that it logs what will be removed."""

    def __init__(self, store: Store, keep_days: int, steady: Callable[[], float] = time.monotonic) -> None:
        self._store: Final = store
        self._keep: Final = keep_days * DAY
        self._steady: Final = steady
        self._began: Final = steady()
        #: The milliseconds after the start at which it looks next.
        self._next = 0

    async def look(self, used: Collection[str]) -> None:
        """Remove what is too old, except for tables that are in use now or meanwhile; raises Unavailable."""
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
            # Removing many takes a while, in which somebody may come to one of them.
            if table not in used and await self._store.remove(table, before):
                removed += 1
        programs = await self._store.remove_unused(before)
        if removed or programs:
            log("old tables removed", tables=removed, programs=programs)
        self._next = uptime + DELAY
