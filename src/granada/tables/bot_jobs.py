"""Jobs for bots that run outside the event loop, and their answers."""

from __future__ import annotations

from msgspec import Struct

from granada.bots.analysis import Analysis
from granada.tables.requests import Idea


class Job(Struct, tag=True):
    """A record that ends where a seat has to decide, and the bot that decides."""

    record: str
    #: A bot and what it may use: `strongest:1s`.
    spec: str
    seed: str


class AdviceJob(Job, tag=True):
    """The same, but the bot only advises: its best actions, at most `count`, with what it expects of them."""

    count: int = 3


class AnalysisJob(Struct, tag=True):
    """A finished game, the bot that analyses all its decisions, and the seconds that it may take for all of them."""

    record: str
    level: str
    seed: str
    seconds: float
    open_money: bool = False


Work = Job | AdviceJob | AnalysisJob


class Choice(Struct, tag=True):
    """The action that the bot chose."""

    action: str


class Ideas(Struct, tag=True):
    """What the bot advises, the best first."""

    ideas: list[Idea]


class Progress(Struct, tag=True):
    """The part of an analysis that is done, from 0 to 1; more answers follow."""

    part: float


class Analysed(Struct, tag=True):
    """The result of an analysis."""

    analysis: Analysis


class Failure(Struct, tag=True):
    """Why the bot gave no valid answer."""

    reason: str


Answer = Choice | Ideas | Progress | Analysed | Failure
