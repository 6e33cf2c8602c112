"""How much a bot may think: time, roll-outs, cores; and whether somebody has called it off."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final

#: What a bot that thinks long may use if nobody says otherwise.
DEFAULT_SECONDS: Final = 1.0


class Budget:
    """So many seconds, or so many nodes (positions looked at), a decision; `cancel` ends the thinking early.

    A number of nodes gives the same choice on every machine, a time does not.
    """

    def __init__(self, seconds: float | None = None, nodes: int | None = None, cores: int = 1) -> None:
        self.seconds: Final = DEFAULT_SECONDS if seconds is None and nodes is None else seconds
        self.nodes: Final = nodes
        self.cores: Final = cores
        self._begun = 0.0
        self._end = 0.0
        self._is_cancelled = False
        #: How many seconds may be used for the part of the thinking that has begun.
        self.length = self.seconds

    def begin(self, part: float = 1.0) -> None:
        """A decision begins now; only a part of the time may be used until `extend` grants the rest."""
        self._is_cancelled = False
        if self.seconds is not None:
            self.length = part * self.seconds
            self._begun = time.perf_counter()
            self._end = self._begun + self.length

    def extend(self) -> None:
        """Grant the rest of the time."""
        if self.seconds is not None:
            self.length = self.seconds
            self._end = self._begun + self.seconds

    def cancel(self) -> None:
        """Call the thinking off, from another thread: the best that is known so far is chosen."""
        self._is_cancelled = True

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody has called the thinking off."""
        return self._is_cancelled

    def left(self) -> float:
        """How many seconds are left; infinitely many if only nodes are counted."""
        if self._is_cancelled:
            return 0.0
        return self._end - time.perf_counter() if self.seconds is not None else float("inf")

    def rows(self, lucks: Sequence[int]) -> Iterator[int]:
        """As many of the lucks as there is time for: none is begun that would probably end too late."""
        before = self.left()
        for luck in lucks:
            yield luck
            after = self.left()
            if after <= 0.0 or after < before - after:
                return
            before = after

    def is_spent(self, nodes: int) -> bool:
        """Whether the thinking has to end, after so many nodes."""
        return (self.nodes is not None and nodes >= self.nodes) or self.left() <= 0.0
