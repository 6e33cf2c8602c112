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
        self._begun = 0.0
        self._end = 0.0
        self._is_cancelled = False
        #: The seconds for the current part of the search.
        self.length = self.seconds

    def begin(self, part: float = 1.0) -> None:
        """Start the clock of a decision; only this part of the time may be used until `extend` adds the rest."""
        self._is_cancelled = False
        if self.seconds is not None:
            self.length = part * self.seconds
            self._begun = time.perf_counter()
            self._end = self._begun + self.length

    def extend(self) -> None:
        """Add the rest of the time."""
        if self.seconds is not None:
            self.length = self.seconds
            self._end = self._begun + self.seconds

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

    def rows(self, lucks: Sequence[int]) -> Iterator[int]:
        """Yield seeds of roll-outs while there is time; none is started that would probably end too late."""
        before = self.left()
        for luck in lucks:
            yield luck
            after = self.left()
            if after <= 0.0 or after < before - after:
                return
            before = after

    def is_spent(self, nodes: int) -> bool:
        """Return whether the search has to end after this many nodes."""
        return (self.nodes is not None and nodes >= self.nodes) or self.left() <= 0.0
