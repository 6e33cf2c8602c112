"""Pace: how long bots wait, so that the people at a table can read what was played."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from granada.tables.history import RecentTurn

Speed = Literal["follow", "quick", "instant"]
#: Seconds to read a turn, and to see one action of it, by speed; the slowest comes first.
READING: Final[dict[Speed, float]] = {"follow": 2.5, "quick": 1.0, "instant": 0.0}
STEP: Final[dict[Speed, float]] = {"follow": 0.7, "quick": 0.25, "instant": 0.0}
_SLOWEST: Final = list(READING)
#: Seconds that `follow` adds for each action after the second of a turn, and the most that it gives a turn.
FURTHER: Final = 0.5
MAX_READING: Final = 4.0
#: Seconds that a table may make a bot wait, unless its operator allows less.
MAX_PAUSE: Final = MAX_READING
#: Actions that show nothing on the table.
_SILENT: Final = ("keep", "decline")


@dataclass(frozen=True)
class Reader:
    """A player with all their seats, or all spectators, who have no seat: how quickly they want bots to play."""

    seats: frozenset[int] = frozenset()
    #: Until a person has chosen, a short pause is right: their client may show nothing.
    speed: Speed = "quick"
    #: The number of actions that they have read: bots do not wait for these.
    seen: int = -1

    def wait(self, recent: RecentTurn | None, n: int, bot: int, turn: int) -> float:
        """Return for how many seconds a bot has to wait, in seat `bot` after n actions, in the current turn."""
        if self.seen >= n:
            return 0.0
        if recent is None:
            return READING[self.speed]
        is_going_on = (recent.seat, recent.turn) == (bot, turn)
        if is_going_on or recent.seat in self.seats or recent.verb in _SILENT:
            return STEP[self.speed]
        seconds = READING[self.speed]
        if self.speed == "follow":
            seconds += FURTHER * max(0, recent.actions - 2)
        return min(seconds, MAX_READING)

    def joined(self, other: Reader) -> Reader:
        """Return the same reader with what another connection says."""
        # A player has read what they saw in one of their pages; of spectators, everybody has to.
        seen = max(self.seen, other.seen) if self.seats else min(self.seen, other.seen)
        return replace(self, speed=min(self.speed, other.speed, key=_SLOWEST.index), seen=seen)

    def __str__(self) -> str:
        seats = "+".join([str(seat) for seat in sorted(self.seats)]) or "-"
        return f"{seats}:{self.speed}:{self.seen}"


def merged(readers: Iterable[Reader]) -> tuple[Reader, ...]:
    """Return one reader for each player, and one for all spectators."""
    found: dict[frozenset[int], Reader] = {}
    for reader in readers:
        before = found.get(reader.seats)
        found[reader.seats] = reader if before is None else before.joined(reader)
    return tuple(sorted(found.values(), key=str))


def pause_for(readers: Collection[Reader], recent: RecentTurn | None, n: int, bot: int, turn: int) -> float:
    """Return for how many seconds a bot has to wait: for the slowest player, or without players, spectator."""
    players = [reader for reader in readers if reader.seats]
    return max([reader.wait(recent, n, bot, turn) for reader in players or readers], default=0.0)


def readers_text(readers: Collection[Reader]) -> str:
    """Return readers as they are sent to other processes."""
    return ",".join([str(reader) for reader in readers])


def read_readers(text: str) -> tuple[Reader, ...]:
    """Return the readers that another process sent."""
    found: list[Reader] = []
    for one in text.split(","):
        seats, speed, seen = one.split(":")
        named = frozenset([int(seat) for seat in seats.split("+") if seat.isdigit()])
        found += [Reader(named, known, int(seen)) for known in READING if known == speed]
    return tuple(found)
