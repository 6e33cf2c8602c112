"""Rate limits: token buckets."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

Clock = Callable[[], float]
#: The limit of remembered addresses; the least recently used is dropped first.
MAX_ADDRESSES: Final = 10_000


class Bucket:
    """A token bucket: `rate` tokens a second up to `burst`; a rate of 0 sets no limit."""

    __slots__ = ("_burst", "_clock", "_filled", "_rate", "_tokens")

    def __init__(self, rate: float, burst: float, clock: Clock = time.monotonic) -> None:
        self._rate: Final = rate
        self._burst: Final = max(burst, 1.0)
        self._clock: Final = clock
        self._tokens = self._burst
        self._filled = clock()

    def take(self, tokens: float = 1.0) -> float:
        """Take tokens and return 0, or return the seconds until there are enough."""
        if self._rate <= 0:
            return 0.0
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        # Rounding errors of many small fills may add up to a little less than a token.
        if self._tokens >= tokens - 1e-9:
            self._tokens -= tokens
            return 0.0
        return (tokens - self._tokens) / self._rate

    def refund(self, tokens: float = 1.0) -> None:
        """Put tokens back."""
        self._tokens = min(self._burst, self._tokens + tokens)

    def reserve(self, tokens: float = 1.0) -> float:
        """Take tokens in advance and return the seconds until they are available."""
        if self._rate <= 0:
            return 0.0
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._filled) * self._rate) - tokens
        self._filled = now
        return max(0.0, -self._tokens - 1e-9) / self._rate


class Buckets:
    """A bucket for each of a limited number of keys."""

    def __init__(self, rate: float, burst: float, most: int = MAX_ADDRESSES, clock: Clock = time.monotonic) -> None:
        self._rate: Final = rate
        self._burst: Final = burst
        self._most: Final = most
        self._clock: Final = clock
        self._buckets: Final[OrderedDict[str, Bucket]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str, tokens: float = 1.0) -> float:
        """Take tokens of a key and return 0, or return the seconds until there are enough."""
        return 0.0 if self._rate <= 0 else self._bucket(key).take(tokens)

    def refund(self, key: str, tokens: float = 1.0) -> None:
        """Put tokens of a key back."""
        if self._rate > 0:
            self._bucket(key).refund(tokens)

    def reserve(self, key: str, tokens: float = 1.0) -> float:
        """Take tokens of a key in advance and return the seconds until they are available."""
        return 0.0 if self._rate <= 0 else self._bucket(key).reserve(tokens)

    def _bucket(self, key: str) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._burst, self._clock)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        return bucket
