"""The server's time: it never goes back and never jumps, whatever happens to the machine's clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

Nanoseconds = Callable[[], int]


class ServerTime:
    """Begins with the clock of the machine, then goes on with a clock that nobody can set."""

    def __init__(self, wall: Nanoseconds = time.time_ns, steady: Nanoseconds = time.monotonic_ns) -> None:
        self._steady: Final = steady
        self._offset = wall() - steady()

    def now(self) -> int:
        """The time in milliseconds."""
        return (self._steady() + self._offset) // 1_000_000

    def begin_after(self, at: int) -> None:
        """Go on after what was stored before a restart, even if the clock of the machine was set back since."""
        self._offset += max(0, at - self.now()) * 1_000_000


server_time: Final = ServerTime()


def clock() -> int:
    """The time in milliseconds."""
    return server_time.now()
