"""The outcome of one game, as plain data and as a line of JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from math import exp, floor, log
from typing import Any, Final

from granada.arena.tournament import Pairing
from granada.rules.events import DIRK

#: Points gained in a game for one reason: the seat (DIRK for Dirk), the scoring, the item, the points.
Points = tuple[int, str, str, int]
#: How a game ended: by the rules (8.4), at the turn limit (3.7), by a bot's fault, or without an outcome.
FINISHED: Final = "finished"
STOPPED: Final = "stopped"
FORFEIT: Final = "forfeit"
VOID: Final = "void"
#: A decision is late if it takes longer than this multiple of the budget.
LATE: Final = 1.2
#: Times are counted in a histogram whose classes grow by 10 %, which is enough for percentiles.
_STEP: Final = log(1.1)
_SHORTEST: Final = 1e-7


@dataclass
class Thinking:
    """How long a bot took for its decisions, and how that compares with its budget."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    #: The number of decisions in each class of time.
    classes: dict[int, int] = field(default_factory=dict)
    #: Decisions beyond 120 % of the budget, their total excess in seconds, and the worst one.
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
        """Add the decisions of another game."""
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)
        for length, count in other.classes.items():
            self.classes[length] = self.classes.get(length, 0) + count
        self.late += other.late
        self.excess += other.excess
        self.worst = max(self.worst, other.worst)

    def percentile(self, part: float) -> float:
        """Return the time within which this part of the decisions was made, exact to 10 %."""
        left = part * self.decisions
        for length in sorted(self.classes):
            left -= self.classes[length]
            if left <= 0:
                return min(self.longest, exp((length + 1) * _STEP))
        return self.longest


@dataclass(frozen=True)
class Fault:
    """What a bot did to lose its game at once."""

    seat: int
    reason: str


@dataclass(frozen=True)
class GameOutcome:
    """How a game ended, who won, all points with their reasons, and how long the bots thought."""

    pairing: Pairing
    end: str
    winners: tuple[int, ...] = ()
    turns: int = 0
    decisions: int = 0
    points: tuple[Points, ...] = ()
    fault: Fault | None = None
    #: Why a game is void.
    reason: str = ""
    #: By seat; empty if nobody measured it, or the process died.
    thinking: tuple[Thinking, ...] = ()

    @property
    def is_decided(self) -> bool:
        """Whether it has a winner."""
        return self.end in (FINISHED, FORFEIT)

    def totals(self) -> list[int]:
        """Return the points of each seat."""
        found = [0] * len(self.pairing.line_up)
        for seat, _, _, points in self.points:
            if seat >= 0:  # Dirk does not compete (9.7)
                found[seat] += points
        return found

    def without_times(self) -> GameOutcome:
        """Return what is the same in every run."""
        return GameOutcome(
            self.pairing, self.end, self.winners, self.turns, self.decisions, self.points, self.fault, self.reason
        )

    def line(self) -> str:
        """Return one line of JSON."""
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
    def parse(line: str, players: int) -> GameOutcome:
        """Read a line; ValueError, KeyError, TypeError or AttributeError if it is not an outcome."""
        data: dict[str, Any] = json.loads(line)
        fault = data["fault"]
        found = GameOutcome(
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
        """Raise ValueError or TypeError if this cannot be the outcome of a game between some of the players."""
        seats = range(len(self.pairing.line_up))
        named = [*self.winners, *([] if self.fault is None else [self.fault.seat])]
        named += [seat for seat, _, _, _ in self.points if seat != DIRK]
        if (
            self.end not in (FINISHED, STOPPED, FORFEIT, VOID)
            or min(self.pairing.number, self.pairing.deal) < 1
            or not all([0 <= number < players for number in self.pairing.line_up])
            or not all([seat in seats for seat in named])
            or len(self.thinking) not in (0, len(seats))
            or not all([isinstance(points, int) for *_, points in self.points])
        ):
            raise ValueError(self.pairing.number)


def _thinking(data: dict[str, Any]) -> Thinking:
    classes = dict(data["classes"])
    return Thinking(
        data["decisions"], data["seconds"], data["longest"], classes, data["late"], data["excess"], data["worst"]
    )
