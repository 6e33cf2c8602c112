"""What is noted of one game, as plain data and as a line of JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from math import exp, floor, log
from typing import Any, Final

from granada.arena.simulation import Points
from granada.arena.tournament import Pairing
from granada.rules.events import DIRK

#: How a game ended: by the rules (8.4), after so many turns (3.7), by the fault of a bot, or by nobody's fault.
FINISHED: Final = "finished"
STOPPED: Final = "stopped"
FORFEIT: Final = "forfeit"
VOID: Final = "void"
#: A bot is late if it takes more than so many times its budget.
LATE: Final = 1.2
#: Times are counted in classes each of which is so much longer than the one before: enough for a percentile.
_STEP: Final = log(1.1)
_SHORTEST: Final = 1e-7


@dataclass
class Thinking:
    """How long a bot took for its decisions, and how that compares with its budget."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    #: How many decisions took how long, by classes of time.
    classes: dict[int, int] = field(default_factory=dict)
    #: Decisions beyond 120 % of the budget, the seconds by which they all went beyond it, and the worst one.
    late: int = 0
    excess: float = 0.0
    worst: float = 0.0

    def add(self, seconds: float, budget: float | None) -> None:
        """Count a decision."""
        self.decisions += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)
        length = floor(log(max(seconds, _SHORTEST)) / _STEP)
        self.classes[length] = self.classes.get(length, 0) + 1
        if budget is not None and seconds > LATE * budget:
            self.late += 1
            self.excess += seconds - budget
            self.worst = max(self.worst, seconds - budget)

    def join(self, other: Thinking) -> None:
        """Count the decisions of another game, too."""
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)
        for length, count in other.classes.items():
            self.classes[length] = self.classes.get(length, 0) + count
        self.late += other.late
        self.excess += other.excess
        self.worst = max(self.worst, other.worst)

    def percentile(self, part: float) -> float:
        """The time within which a part of the decisions was made, to 10 %."""
        left = part * self.decisions
        for length in sorted(self.classes):
            left -= self.classes[length]
            if left <= 0:
                return min(self.longest, exp((length + 1) * _STEP))
        return self.longest


@dataclass(frozen=True)
class Fault:
    """A bot that could not be played on with: its seat, and what it did."""

    seat: int
    reason: str


@dataclass(frozen=True)
class Outcome:
    """One game: how it ended, who won, all points with their reasons, and how long the bots thought."""

    pairing: Pairing
    end: str
    winners: tuple[int, ...] = ()
    turns: int = 0
    decisions: int = 0
    points: tuple[Points, ...] = ()
    fault: Fault | None = None
    #: Why a game is void.
    reason: str = ""
    #: By seat; nothing if the process that played it died.
    thinking: tuple[Thinking, ...] = ()

    @property
    def is_decided(self) -> bool:
        """Whether it has a winner."""
        return self.end in (FINISHED, FORFEIT)

    def totals(self) -> list[int]:
        """The points of each seat."""
        found = [0] * len(self.pairing.line_up)
        for seat, _, _, points in self.points:
            if seat >= 0:  # Dirk is nobody's rival (9.7)
                found[seat] += points
        return found

    def without_times(self) -> Outcome:
        """What is the same whenever and wherever the game is played."""
        return Outcome(
            self.pairing, self.end, self.winners, self.turns, self.decisions, self.points, self.fault, self.reason
        )

    def line(self) -> str:
        """One line of JSON."""
        data: dict[str, Any] = {
            "game": self.pairing.number,
            "deal": self.pairing.deal,
            "line_up": self.pairing.line_up,
            "end": self.end,
            "winners": self.winners,
            "turns": self.turns,
            "decisions": self.decisions,
            "points": self.points,
            "fault": None if self.fault is None else {"seat": self.fault.seat, "reason": self.fault.reason},
            "reason": self.reason,
            "thinking": [
                {
                    "decisions": t.decisions,
                    "seconds": round(t.seconds, 7),
                    "longest": round(t.longest, 7),
                    "classes": sorted(t.classes.items()),
                    "late": t.late,
                    "excess": round(t.excess, 7),
                    "worst": round(t.worst, 7),
                }
                for t in self.thinking
            ],
        }
        return json.dumps(data, separators=(",", ":"))

    @staticmethod
    def parse(line: str, players: int) -> Outcome:
        """Read a line of a tournament of so many; ValueError, KeyError, TypeError or AttributeError if it is none."""
        data: dict[str, Any] = json.loads(line)
        fault = data["fault"]
        found = Outcome(
            Pairing(data["game"], data["deal"], tuple(data["line_up"])),
            data["end"],
            tuple(data["winners"]),
            data["turns"],
            data["decisions"],
            tuple([(seat, scoring, item, points) for seat, scoring, item, points in data["points"]]),
            None if fault is None else Fault(fault["seat"], fault["reason"]),
            data["reason"],
            tuple([_thinking(part) for part in data["thinking"]]),
        )
        found._check(players)
        return found

    def _check(self, players: int) -> None:
        """Raise ValueError or TypeError if it cannot be the outcome of a game between some of so many."""
        seats = range(len(self.pairing.line_up))
        told = [*self.winners, *([] if self.fault is None else [self.fault.seat])]
        told += [seat for seat, _, _, _ in self.points if seat != DIRK]
        if (
            self.end not in (FINISHED, STOPPED, FORFEIT, VOID)
            or min(self.pairing.number, self.pairing.deal) < 1
            or not all([0 <= number < players for number in self.pairing.line_up])
            or not all([seat in seats for seat in told])
            or len(self.thinking) not in (0, len(seats))
            or not all([isinstance(points, int) for *_, points in self.points])
        ):
            raise ValueError(self.pairing.number)


def _thinking(data: dict[str, Any]) -> Thinking:
    classes = dict(data["classes"])
    return Thinking(
        data["decisions"], data["seconds"], data["longest"], classes, data["late"], data["excess"], data["worst"]
    )
