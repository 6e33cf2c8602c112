"""Notifications between the tabs of a site, and locks that decide which tab runs a table's bots and clocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from typing import Final

from granada.browser.bridge import Channel, Locks
from granada.tables.log import fail


class BrowserNotifier:
    """Notifications by BroadcastChannel, and table locks that the browser releases when a tab is closed."""

    def __init__(self, channel: Channel, locks: Locks, on_notification: Callable[[str], None]) -> None:
        self._channel: Final = channel
        self._locks: Final = locks
        self._on_notification: Final = on_notification
        self._claimed: Final[set[str]] = set()
        self._lock: Final = asyncio.Lock()

    async def run(self) -> None:
        """Receive messages until cancelled."""
        while True:
            notification = await self._channel.receive()
            try:
                self._on_notification(notification)
            except Exception as error:  # the other tab may run another version of the program
                fail("notification failed", error)

    async def claim(self, table: str) -> bool:
        """Lock a table for this tab; False if another tab has locked it."""
        # Shielded from cancellation: a lock that was granted but not noted would never be released.
        return table in self._claimed or await asyncio.shield(self._take(table))

    async def _take(self, table: str) -> bool:
        async with self._lock:
            if table not in self._claimed and await self._locks.take(_name(table)):
                self._claimed.add(table)
            return table in self._claimed

    async def release_all_but(self, tables: Collection[str]) -> None:
        """Release all claimed tables except these."""
        async with self._lock:
            for table in [table for table in self._claimed if table not in tables]:
                self._claimed.discard(table)
                self._locks.release(_name(table))


def _name(table: str) -> str:
    return f"granada table {table}"
