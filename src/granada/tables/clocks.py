"""Clocks: so much time a turn, or a bank with an increment; worked out from the times of the entries alone."""

from __future__ import annotations

import math
from typing import Final

from granada.tables.messages import Clock

#: Milliseconds that somebody whose bank is empty gets to come back with.
MERCY: Final = 30_000
#: Milliseconds that every turn has at least, so that an empty bank does not shut anybody out.
LEAST: Final = 5_000


class Clocks:
    """The time of each seat; the clock of the seat that decides runs."""

    def __init__(self, clock: Clock, seats: int) -> None:
        self.mode: Final = clock.mode
        self._allowance: Final = clock.seconds * 1000
        self._increment: Final = clock.increment * 1000
        self._left: Final = [self._allowance] * seats
        #: The seat whose clock runs, since when, and in which turn of the game.
        self._seat: int | None = None
        self._since: float = 0
        #: In which turn of the game each seat was last given time.
        self._given: Final = [-1] * seats

    def run(self, seat: int | None, turns: int, at: int, wait: float = 0) -> None:
        """From now on a seat decides (None: nobody whose time counts); its clock starts after a wait."""
        if self.mode == "none":
            return
        if self._seat is not None:
            self._left[self._seat] = max(0, self._left[self._seat] - self._used(at))
        if seat is not None and turns != self._given[seat]:
            self._given[seat] = turns
            self._give(seat)
        self._seat, self._since = seat, at + wait

    def _used(self, at: int) -> int:
        """The milliseconds of the seat that decides that have passed since its clock started."""
        return 0 if at <= self._since else int(at - self._since)

    def _give(self, seat: int) -> None:
        """Once in every turn of the game in which a seat decides it gets time."""
        if self.mode == "turn":
            self._left[seat] = self._allowance
        else:
            left = min(self._left[seat] + self._increment, 10 * self._allowance)
            self._left[seat] = max(left, min(LEAST, self._allowance))

    def forgive(self, seat: int) -> None:
        """Somebody who comes back gets time to do so."""
        self._left[seat] = max(self._left[seat], min(MERCY, self._allowance))

    def resume(self, at: int) -> None:
        """The time since the last entry is nobody's."""
        self._since = max(self._since, at)

    @property
    def running(self) -> int | None:
        """The seat whose clock runs."""
        return self._seat if self.mode != "none" else None

    def expires_at(self) -> int | None:
        """When the time of the seat that decides is over; None if no clock runs."""
        if self.mode == "none" or self._seat is None or math.isinf(self._since):
            return None
        return int(self._since) + self._left[self._seat]

    def left(self, seat: int, at: int) -> int | None:
        """The milliseconds that a seat has left; None without a clock."""
        if self.mode == "none":
            return None
        used = self._used(at) if seat == self._seat else 0
        return max(0, self._left[seat] - used)
