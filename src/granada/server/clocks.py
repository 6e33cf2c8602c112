"""Clocks: so much time a turn, or a bank with an increment; worked out from the times of the entries alone."""

from __future__ import annotations

from typing import Final

from granada.server.messages import Clock

#: Milliseconds that somebody whose bank is empty gets to come back with.
MERCY: Final = 30_000


class Clocks:
    """The time of each seat; the clock of the seat that decides runs."""

    def __init__(self, clock: Clock, seats: int) -> None:
        self.mode: Final = clock.mode
        self._allowance: Final = clock.seconds * 1000
        self._increment: Final = clock.increment * 1000
        self._left: Final = [self._allowance] * seats
        #: The seat whose clock runs, since when, and in which turn of the game.
        self._seat: int | None = None
        self._since = 0
        self._turns = -1

    def run(self, seat: int | None, turns: int, at: int) -> None:
        """From now on a seat decides (None: nobody whose time counts)."""
        if self.mode == "none":
            return
        if self._seat is not None:
            self._left[self._seat] = max(0, self._left[self._seat] - (at - self._since))
        if seat is not None and (seat != self._seat or turns != self._turns):
            self._begin(seat, turns)
        self._seat, self._since, self._turns = seat, at, turns

    def _begin(self, seat: int, turns: int) -> None:
        if self.mode == "turn":
            self._left[seat] = self._allowance
        elif turns != self._turns:
            self._left[seat] = min(self._left[seat] + self._increment, 10 * self._allowance)

    def forgive(self, seat: int) -> None:
        """Somebody who comes back gets time to do so."""
        self._left[seat] = max(self._left[seat], min(MERCY, self._allowance))

    def resume(self, at: int) -> None:
        """The time since the last entry is nobody's."""
        self._since = at

    @property
    def running(self) -> int | None:
        """The seat whose clock runs."""
        return self._seat if self.mode != "none" else None

    def expires_at(self) -> int | None:
        """When the time of the seat that decides is over."""
        if self.mode == "none" or self._seat is None:
            return None
        return self._since + self._left[self._seat]

    def left(self, seat: int, at: int) -> int | None:
        """The milliseconds that a seat has left; None without a clock."""
        if self.mode == "none":
            return None
        used = at - self._since if seat == self._seat else 0
        return max(0, self._left[seat] - used)
