"""A process in which bots think: jobs come in on its standard input, answers go out on its standard output.

Each message is a frame: four bytes that tell its length, then msgpack. An empty frame says that the process is ready.
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
from granada.bots.analysis import Analysis, analyse
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

#: How many bytes tell the length of a frame.
SIZE: Final = 4
#: Bots give way to the server.
_NICENESS: Final = 10
#: And a look at games of the past gives way to all others.
_LEAST_URGENT: Final = 19
#: So often it is told how far such a look has come.
_PARTS: Final = 50
#: No reason for a failure is longer.
_MAX_REASON: Final = 300


def frame(content: bytes) -> bytes:
    """A message as it goes through a pipe."""
    return len(content).to_bytes(SIZE, "big") + content


def choose(job: Job) -> str:
    """What the bot plays for the seat that decides at the end of the record."""
    state, bot = _position(job), make_bot(job.spec, job.seed)
    offers = state.offers()
    action = bot.choose(state.view(state.seat, remembers=True), offers)
    verdict = state.is_legal(action)  # 3.3: more is allowed than is offered
    if not verdict:
        raise ValueError(f"'{action_text(action)}' is not allowed: {verdict}")
    return action_text(action)


def advise(job: AdviceJob) -> list[Idea]:
    """What the bot advises the seat that decides at the end of the record; it sees what that seat may see (16)."""
    state, bot = _position(job), make_bot(job.spec, job.seed)
    offers = state.offers()
    ideas: list[Idea] = []
    for advice in bot.advise(state.view(state.seat, remembers=True), offers, job.count)[: job.count]:
        if advice.action not in offers:
            raise ValueError(f"'{action_text(advice.action)}' is not offered")
        if not is_turn(state, (advice.action, *advice.then)):
            advice = replace(advice, then=())  # a third-party bot may think of anything
        ideas.append(idea_of(state, state.seat, advice))
    if not ideas:
        raise ValueError("the bot advises nothing")
    return ideas


def _position(job: Job) -> State:
    """Where the record ends."""
    # Not read as a partial record: that is slower, and would step back from a last action whose draws are missing.
    return Replay(job.record, trusted=True).run(until=_count_actions(job.record))


def _count_actions(record: str) -> int:
    """How many lines of the body begin with the number of a seat."""
    body = record.partition("\n\n")[2]
    return len([line for line in body.split("\n") if line[:1].isdigit()])


def _answer(work: Work, tell: Callable[[Answer], None]) -> Answer:
    try:
        if isinstance(work, AnalysisJob):
            return Analysed(_review(work, tell))
        return Ideas(advise(work)) if isinstance(work, AdviceJob) else Choice(choose(work))
    except BaseException as error:  # whatever a bot raises, even SystemExit, is its failure
        return Failure(f"{type(error).__name__}: {error}"[:_MAX_REASON])


def _review(work: AnalysisJob, tell: Callable[[Answer], None]) -> Analysis:
    """Look at a game that is over, behind everything else that the machine has to do."""
    if sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, 0, _LEAST_URGENT)
    parts = -1

    def tell_part(part: float) -> None:
        nonlocal parts
        if int(_PARTS * part) != parts:  # nobody wants to hear more often
            parts = int(_PARTS * part)
            tell(Progress(part))

    return analyse(work.record, work.level, work.seed, work.seconds, quick_chances, tell_part, work.open_money)


def _read_jobs(pipe: BinaryIO, jobs: SimpleQueue[Work]) -> None:
    """Pass on the jobs; when the server is gone, end at once, whatever a bot is thinking."""
    decoder: msgspec.msgpack.Decoder[Work] = msgspec.msgpack.Decoder(Work)
    while head := pipe.read(SIZE):
        jobs.put(decoder.decode(pipe.read(int.from_bytes(head, "big"))))
    os._exit(0)


def main(plugins: list[str]) -> None:
    """Work until the server closes the pipe or is gone; a plugin is a file of bots, or a module with BOTS to add."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the server answers it
    if sys.platform != "win32":
        os.nice(_NICENESS)
    # The pipes are kept from bots that print or read: those get the log of the server, and nothing.
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

    def tell(answer: Answer) -> None:
        sink.write(frame(msgspec.msgpack.encode(answer)))

    while True:
        tell(_answer(jobs.get(), tell))


if __name__ == "__main__":
    main(sys.argv[1:])
