"""A progress bar for long commands."""

from __future__ import annotations

import sys
import time
from typing import Final


class ProgressBar:
    """A bar on standard error, if that is a terminal."""

    WIDTH: Final = 40
    #: Seconds between two updates.
    PAUSE: Final = 0.1

    def __init__(self, games: int, is_wanted: bool, done: int = 0) -> None:
        self._games: Final = games
        #: Games of an earlier run do not count for the speed.
        self._before: Final = done
        self._is_seen: Final = is_wanted and sys.stderr is not None and sys.stderr.isatty()
        self._start: Final = time.perf_counter()
        self._next = 0.0

    def __enter__(self) -> ProgressBar:
        return self

    def show(self, done: int) -> None:
        """Update the bar, if the last update was long enough ago."""
        now = time.perf_counter()
        if self._is_seen and now >= self._next:
            self._next = now + self.PAUSE
            bar = "#" * (self.WIDTH * done // self._games)
            text = f"\r[{bar:.<{self.WIDTH}}] {done}/{self._games} games"
            rate = (done - self._before) / max(now - self._start, 1e-9)
            if rate:
                text += f", {_rate(rate)}, {_time((self._games - done) / rate)} left "
            print(text, end="\x1b[K", file=sys.stderr, flush=True)

    def __exit__(self, *exception: object) -> None:
        if self._is_seen:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _rate(rate: float) -> str:
    return f"{rate:.1f} games/s" if rate >= 1 else f"{1 / rate:.1f} s/game"


def _time(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02} min"
