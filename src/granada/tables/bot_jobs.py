"""Jobs for bots that run outside the event loop, and their answers."""

from __future__ import annotations

from msgspec import Struct

from granada.bots.analysis import GameAnalysis
from granada.tables.requests import Idea


class Job(Struct, tag=True):
    """Choose an action for the seat that decides at the end of a record."""

    record: str
    #: A bot and its limits, for example `strongest:1s`.
    spec: str
    seed: str


class AdviceJob(Job, tag=True):
    """Recommend up to `count` actions, with the result that the bot expects from each."""

    count: int = 3


class AnalysisJob(Struct, tag=True):
    """Analyse all decisions of a finished game within a number of seconds."""

    record: str
    level: str
    seed: str
    seconds: float
    open_money: bool = False


class CompareJob(Job, tag=True):
    """Compare two whole turns at the end of a record."""

    better: list[str] = []
    worse: list[str] = []


Work = Job | AdviceJob | CompareJob | AnalysisJob


class Choice(Struct, tag=True):
    """The chosen action."""

    action: str


class Ideas(Struct, tag=True):
    """The recommended actions, best first."""

    ideas: list[Idea]


class Compared(Struct, tag=True):
    """By how much the first turn is better: in points of the final lead, and in win chance."""

    lead: float
    win: float


class Progress(Struct, tag=True):
    """The progress of an analysis, from 0 to 1; more answers follow."""

    part: float


class Analysed(Struct, tag=True):
    """The result of an analysis."""

    analysis: GameAnalysis


class Failure(Struct, tag=True):
    """Why the bot gave no valid answer."""

    reason: str


Answer = Choice | Ideas | Compared | Progress | Analysed | Failure
