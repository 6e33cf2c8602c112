"""The limits for a decision of a bot: time, roll-outs, cores, and cancellation."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final

#: The default time for bots that search.
DEFAULT_SECONDS: Final = 1.0


class Budget:
    """A limit in seconds or nodes (roll-outs) for each decision; `cancel` ends the search early.

    With a limit in nodes the choice is the same on every machine; with a time limit it is not.
    """

    def __init__(self, seconds: float | None = None, nodes: int | None = None, cores: int = 1) -> None:
        self.seconds: Final = DEFAULT_SECONDS if seconds is None and nodes is None else seconds
        self.nodes: Final = nodes
        self.cores: Final = cores
        self._end = 0.0
        self._is_cancelled = False
        #: The seconds and nodes for the current part of the search.
        self.length = self.seconds
        self.granted = self.nodes

    def begin(self, part: float = 1.0, more: float = 1.0) -> None:
        """Start a decision with this part of the time, and this part, times a factor, of the nodes."""
        self._is_cancelled = False
        self._end = time.perf_counter()
        self.start_part(part, more)

    def start_part(self, part: float, more: float = 1.0) -> None:
        """Start the next part of a decision; time left over from the last part is added."""
        if self.seconds is not None:
            self._end += part * self.seconds
            self.length = max(0.0, self._end - time.perf_counter())
        if self.nodes is not None:
            self.granted = round(part * more * self.nodes)

    def cancel(self) -> None:
        """End the search from another thread; the best action so far is chosen."""
        self._is_cancelled = True

    @property
    def is_cancelled(self) -> bool:
        """Whether the search was cancelled."""
        return self._is_cancelled

    def left(self) -> float:
        """Return the seconds left; infinity if only nodes are limited."""
        if self._is_cancelled:
            return 0.0
        return self._end - time.perf_counter() if self.seconds is not None else float("inf")

    def rows(self, samples: Sequence[int]) -> Iterator[int]:
        """Yield seeds of roll-outs while there is time; none is started that would probably end too late."""
        before = self.left()
        for sample in samples:
            yield sample
            after = self.left()
            if after <= 0.0 or after < before - after:
                return
            before = after

    def is_spent(self, nodes: int) -> bool:
        """Return whether the current part of the search has to end after this many nodes."""
        return (self.granted is not None and nodes >= self.granted) or self.left() <= 0.0
