"""The answers of bots to jobs, independent of the process, thread or worker that runs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from granada.bots import make_bot
from granada.bots.analysis import GameAnalysis, analyse
from granada.bots.turns import is_turn
from granada.bots.win_chance import quick_chances
from granada.puzzles.explorer import compare_turns
from granada.puzzles.puzzle import read_turn
from granada.records.notation import action_text
from granada.records.replay import Replay
from granada.rules.state import State
from granada.tables.bot_jobs import (
    AdviceJob,
    Analysed,
    AnalysisJob,
    Answer,
    Choice,
    Compared,
    CompareJob,
    Failure,
    Ideas,
    Job,
    Work,
)
from granada.tables.reasons import idea_of
from granada.tables.requests import Idea

#: The number of progress reports per analysis.
_REPORTS: Final = 50
#: The most characters of the reason for a failure.
_MAX_REASON: Final = 300


def answer(work: Work, report: Callable[[float], None]) -> Answer:
    """Run a job and return its answer, or a Failure; an analysis calls `report` with the fraction done."""
    try:
        if isinstance(work, AnalysisJob):
            return Analysed(_review(work, report))
        if isinstance(work, CompareJob):
            return compare(work)
        return Ideas(advise(work)) if isinstance(work, AdviceJob) else Choice(choose(work))
    except BaseException as error:  # a bot may raise anything, even SystemExit
        return Failure(f"{type(error).__name__}: {error}"[:_MAX_REASON])


def choose(job: Job) -> str:
    """Return the bot's action for the position at the end of the record."""
    state, bot = _position(job), make_bot(job.spec, job.seed)
    offers = state.offers()
    action = bot.choose(state.view(state.seat, remembers=True), offers)
    verdict = state.is_legal(action)  # 3.3: not every legal action is offered
    if not verdict:
        raise ValueError(f"'{action_text(action)}' is not allowed: {verdict}")
    return action_text(action)


def advise(job: AdviceJob) -> list[Idea]:
    """Return the bot's advice for the position at the end of the record, from what the deciding seat may see (16)."""
    state, bot = _position(job), make_bot(job.spec, job.seed)
    offers = state.offers()
    ideas: list[Idea] = []
    for advice in bot.advise(state.view(state.seat, remembers=True), offers, job.count)[: job.count]:
        if advice.action not in offers:
            raise ValueError(f"'{action_text(advice.action)}' is not offered")
        if not is_turn(state, (advice.action, *advice.then)):
            advice = replace(advice, then=())  # a third-party bot may return an illegal continuation
        ideas.append(idea_of(state, state.seat, advice))
    if not ideas:
        raise ValueError("the bot advises nothing")
    return ideas


def compare(job: CompareJob) -> Compared:
    """Return by how much a turn is better than another, from what the deciding seat may see (16)."""
    state = _position(job)
    better, worse = (read_turn(turn, state.options) for turn in (job.better, job.worse))
    gaps = compare_turns(state, job.spec, job.seed, better, worse)
    return Compared(gaps.lead.mean, gaps.win.mean)


def _position(job: Job) -> State:
    """Return the position at the end of the record."""
    # Not read as a partial record: that is slower, and would drop a last action whose draws are missing.
    return Replay(job.record, trusted=True).run(until=_count_actions(job.record))


def _count_actions(record: str) -> int:
    """Count the lines of the body that start with a seat number."""
    body = record.partition("\n\n")[2]
    return len([line for line in body.split("\n") if line[:1].isdigit()])


def _review(work: AnalysisJob, report: Callable[[float], None]) -> GameAnalysis:
    """Analyse a finished game; reports only visible progress, because a report may cost a message."""
    reported = -1

    def progress(part: float) -> None:
        nonlocal reported
        if int(_REPORTS * part) != reported:
            reported = int(_REPORTS * part)
            report(part)

    return analyse(work.record, work.level, work.seed, work.seconds, quick_chances, progress, work.open_money)
