"""What the server asks of a process in which bots think, and what it is answered."""

from __future__ import annotations

import math

from msgspec import Struct

from granada.bots import Advice
from granada.bots.analysis import Analysis
from granada.records.notation import action_text


class Job(Struct, tag=True):
    """A record that ends where a seat has to decide, and the bot that decides."""

    record: str
    #: A bot and what it may use: `strongest:1s`.
    spec: str
    seed: str


class AdviceJob(Job, tag=True):
    """The same, but the bot only says which actions it likes best, at most so many, and what it expects of them."""

    count: int = 3


class AnalysisJob(Struct, tag=True):
    """A game that is over, the bot that looks at all its decisions, and how many seconds it may take for them all."""

    record: str
    level: str
    seed: str
    seconds: float
    open_money: bool = False


Work = Job | AdviceJob | AnalysisJob


class Choice(Struct, tag=True):
    """The action that the bot chose."""

    action: str


class Thought(Struct, frozen=True):
    """An action that the bot likes, what it expects of it, and the rest of the turn (see `granada.bots.Advice`)."""

    action: str
    lead: float | None = None
    win: float | None = None
    then: list[str] = []

    @classmethod
    def of(cls, advice: Advice) -> Thought:
        """The same as text and sound numbers."""
        then = [action_text(action) for action in advice.then]
        return cls(action_text(advice.action), _sound(advice.lead), _sound(advice.win), then)


class Thoughts(Struct, tag=True):
    """What the bot advises, the best first."""

    thoughts: list[Thought]


class Progress(Struct, tag=True):
    """Which part of a review is done, from 0 to 1; more answers follow."""

    part: float


class Reviewed(Struct, tag=True):
    """What a review has found."""

    analysis: Analysis


class Failure(Struct, tag=True):
    """Why the bot gave no answer that is worth anything."""

    reason: str


def _sound(value: float | None) -> float | None:
    """A number that can be written; a bot may have none."""
    return None if value is None or not math.isfinite(value) else round(value, 4)


Answer = Choice | Thoughts | Progress | Reviewed | Failure
