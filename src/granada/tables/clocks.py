"""The players' clocks: time or days per turn, or a time bank with an increment; a function of the entries' times."""

from __future__ import annotations

import math
from typing import Final

from granada.tables.messages import Clock

#: The least time, in milliseconds, of a person who returns with an empty bank.
RETURN_TIME: Final = 30_000
#: The least time of a turn, in milliseconds, so that a player with an empty bank can still act.
MINIMUM: Final = 5_000
DAY: Final = 24 * 3600 * 1000


class Clocks:
    """The remaining time of each seat; only the clock of the seat that decides runs."""

    def __init__(self, clock: Clock, seats: int) -> None:
        self.mode: Final = clock.mode
        self._allowance: Final = clock.days * DAY if clock.mode == "days" else clock.seconds * 1000
        self._increment: Final = clock.increment * 1000
        self._left: Final = [self._allowance] * seats
        #: The seat whose clock runs, and since when.
        self._seat: int | None = None
        self._since: float = 0
        #: The turn of the game in which each seat last received time.
        self._given: Final = [-1] * seats

    def run(self, seat: int | None, turns: int, at: int, wait: float = 0) -> None:
        """Stop the running clock and start that of a seat after a wait; None: start no clock."""
        if self.mode == "none":
            return
        if self._seat is not None:
            self._left[self._seat] = max(0, self._left[self._seat] - self._used(at))
        if seat is not None and turns != self._given[seat]:
            self._given[seat] = turns
            self._give(seat)
        self._seat, self._since = seat, at + wait

    def _used(self, at: int) -> int:
        """Return the milliseconds since the running clock started."""
        return 0 if at <= self._since else int(at - self._since)

    def _give(self, seat: int) -> None:
        """Add the time of a turn; called once for each turn in which a seat decides."""
        if self.mode in ("turn", "days"):
            self._left[seat] = self._allowance
        else:
            left = min(self._left[seat] + self._increment, 10 * self._allowance)
            self._left[seat] = max(left, min(MINIMUM, self._allowance))

    def grant_return(self, seat: int) -> None:
        """Give a person who returns at least RETURN_TIME."""
        self._left[seat] = max(self._left[seat], min(RETURN_TIME, self._allowance))

    def resume(self, at: int, since: int | None = None) -> None:
        """Do not charge the time between two moments to any seat; without `since`, the time since the last entry."""
        self._since += max(0, at - max(self._since, -math.inf if since is None else since))

    @property
    def running(self) -> int | None:
        """Return the seat whose clock runs."""
        return self._seat if self.mode != "none" else None

    def expires_at(self) -> int | None:
        """Return when the running clock expires; None if no clock runs."""
        if self.mode == "none" or self._seat is None or math.isinf(self._since):
            return None
        return int(self._since) + self._left[self._seat]

    def left(self, seat: int, at: int) -> int | None:
        """Return the milliseconds that a seat has left; None without a clock."""
        if self.mode == "none":
            return None
        used = self._used(at) if seat == self._seat else 0
        return max(0, self._left[seat] - used)
