"""The server's clock, which never jumps or goes back even if the system clock does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

Nanoseconds = Callable[[], int]


class ServerTime:
    """Starts from the system clock and advances with the monotonic clock."""

    def __init__(self, wall: Nanoseconds = time.time_ns, steady: Nanoseconds = time.monotonic_ns) -> None:
        self._steady: Final = steady
        self._offset = wall() - steady()

    def now(self) -> int:
        """Return the time in milliseconds."""
        return (self._steady() + self._offset) // 1_000_000

    def begin_after(self, at: int) -> None:
        """Continue after a stored time, even if the system clock was set back before a restart."""
        self._offset += max(0, at - self.now()) * 1_000_000


server_time: Final = ServerTime()


def clock() -> int:
    """Return the time in milliseconds."""
    return server_time.now()
