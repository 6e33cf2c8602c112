"""The limit of what somebody can ask the strongest bot at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from granada.tables.errors import TableError

#: The limit of answers that one person can wait for at once, at several tables and puzzles.
MAX_WAITING: Final = 4


class OneAtATime:
    """Lets each person ask one question at a time; a few more can wait."""

    def __init__(self) -> None:
        self._waiting: Final[Counter[str]] = Counter()
        self._locks: Final[dict[str, asyncio.Lock]] = {}

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[None]:
        """Wait until the other questions of somebody are answered; raises TableError if too many are waiting."""
        if self._waiting[who] >= MAX_WAITING:
            raise TableError(
                "too_many",
                "You are already waiting for several answers from the bot. Try again when they have arrived.",
            )
        lock = self._locks.setdefault(who, asyncio.Lock())
        self._waiting[who] += 1
        try:
            async with lock:
                yield
        finally:
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]
                self._locks.pop(who, None)
