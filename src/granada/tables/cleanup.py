"""Removal of tables and programs that have not been used for a long time."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from granada.tables.clock import clock
from granada.tables.log import log, shortened
from granada.tables.ports import PrunableStore

DAY: Final = 24 * 3600 * 1000
#: Milliseconds between the start of the server and the first removal, and between two removals.
DELAY: Final = 3600 * 1000
#: The most that a gap without any stored time stamps adds to an age: this, or this part of the time that is kept.
LONGEST_GAP: Final = 7 * DAY
GAP_PART: Final = 4
#: The most tables that are logged one by one.
MOST_LOGGED: Final = 100


def oldest_kept(stamps: Iterable[int], now: int, uptime: int, keep: int) -> int:
    """Return the time before which everything last used is too old; 0 if nothing is.

    If the machine's clock jumps months ahead, tables must not look old. So the uptime of this process counts in full,
    but each gap between time stamps counts for a week at most, and for a quarter of `keep` if that is shorter.
    """
    age, later = 0, now
    most = 0
    for at in sorted(stamps, reverse=True):
        age = max(age + min(max(0, later - at), most), min(now - at, uptime))
        if age >= keep:
            return at + 1
        later, most = min(later, at), min(LONGEST_GAP, keep // GAP_PART)
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
                _log_each("table will be removed", old, stamps)
            self._next = DELAY
            return
        # Removing many tables takes a while, so check again whether each one is in use.
        removed = [table for table in old if table not in used and await self._store.remove(table, before)]
        programs = await self._store.remove_unused(before)
        if removed or programs:
            log("old tables removed", tables=len(removed), programs=programs)
            _log_each("table removed", removed, stamps)
        self._next = uptime + DELAY


def _log_each(event: str, tables: Collection[str], stamps: Mapping[str, int]) -> None:
    """Log tables with the days on which they were last used, the newest first: these show a wrong clock."""
    for table in sorted(tables, key=lambda table: -stamps[table])[:MOST_LOGGED]:
        day = datetime.fromtimestamp(stamps[table] // 1000, UTC).date()
        log(event, table=shortened(table), last_used=day.isoformat())
