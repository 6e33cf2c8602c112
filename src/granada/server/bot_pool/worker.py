"""A bot process: reads jobs from standard input and writes answers to standard output.

Each message is a frame: its length in four bytes, then msgpack. An empty frame means that the process is ready.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO, Final

import msgspec

from granada.bots import BOTS, make_bot
from granada.bots.analysis import GameAnalysis, analyse
from granada.bots.external.plugins import load_bots
from granada.bots.turns import is_turn
from granada.bots.win_chance import quick_chances
from granada.records.notation import action_text
from granada.records.replay import Replay
from granada.rules.state import State
from granada.tables.bot_jobs import (
    AdviceJob,
    Analysed,
    AnalysisJob,
    Answer,
    Choice,
    Failure,
    Ideas,
    Job,
    Progress,
    Work,
)
from granada.tables.reasons import idea_of
from granada.tables.requests import Idea

#: The number of bytes for the length of a frame.
SIZE: Final = 4
#: Bots have a lower priority than the server.
_NICENESS: Final = 10
#: Analyses of finished games have the lowest priority.
_ANALYSIS_NICENESS: Final = 19
#: The number of progress reports per analysis.
_REPORTS: Final = 50
#: The most characters of the reason for a failure.
_MAX_REASON: Final = 300


def frame(content: bytes) -> bytes:
    """Return a message with its length, for a pipe."""
    return len(content).to_bytes(SIZE, "big") + content


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


def _position(job: Job) -> State:
    """Return the position at the end of the record."""
    # Not read as a partial record: that is slower, and would drop a last action whose draws are missing.
    return Replay(job.record, trusted=True).run(until=_count_actions(job.record))


def _count_actions(record: str) -> int:
    """Count the lines of the body that start with a seat number."""
    body = record.partition("\n\n")[2]
    return len([line for line in body.split("\n") if line[:1].isdigit()])


def _answer(work: Work, send: Callable[[Answer], None]) -> Answer:
    try:
        if isinstance(work, AnalysisJob):
            return Analysed(_review(work, send))
        return Ideas(advise(work)) if isinstance(work, AdviceJob) else Choice(choose(work))
    except BaseException as error:  # a bot may raise anything, even SystemExit
        return Failure(f"{type(error).__name__}: {error}"[:_MAX_REASON])


def _review(work: AnalysisJob, send: Callable[[Answer], None]) -> GameAnalysis:
    """Analyse a finished game with the lowest priority."""
    if sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, 0, _ANALYSIS_NICENESS)
    sent = -1

    def report(part: float) -> None:
        nonlocal sent
        if int(_REPORTS * part) != sent:
            sent = int(_REPORTS * part)
            send(Progress(part))

    return analyse(work.record, work.level, work.seed, work.seconds, quick_chances, report, work.open_money)


def _read_jobs(pipe: BinaryIO, jobs: SimpleQueue[Work]) -> None:
    """Read jobs into a queue; exit at once when the server closes the pipe, even if a bot is thinking."""
    decoder: msgspec.msgpack.Decoder[Work] = msgspec.msgpack.Decoder(Work)
    while head := pipe.read(SIZE):
        jobs.put(decoder.decode(pipe.read(int.from_bytes(head, "big"))))
    os._exit(0)


def main(plugins: list[str]) -> None:
    """Run jobs until the server closes the pipe; a plugin is a file with bots, or a module with a dictionary BOTS."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole process group; the server handles it
    if sys.platform != "win32":
        os.nice(_NICENESS)
    # Bots that print or read must not use the pipes: their output goes to the server's log, their input is empty.
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    load_bots([plugin for plugin in plugins if Path(plugin).is_absolute()])
    for plugin in plugins:
        if not Path(plugin).is_absolute():
            BOTS.update(import_module(plugin).BOTS)
    jobs = SimpleQueue[Work]()
    Thread(target=_read_jobs, args=(source, jobs), daemon=True).start()
    sink.write(frame(b""))

    def send(answer: Answer) -> None:
        sink.write(frame(msgspec.msgpack.encode(answer)))

    while True:
        send(_answer(jobs.get(), send))


if __name__ == "__main__":
    main(sys.argv[1:])
