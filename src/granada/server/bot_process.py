"""A process in which bots think: jobs come in on its standard input, answers go out on its standard output.

Each message is a frame: four bytes that tell its length, then msgpack. An empty frame says that the process is ready.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct

from granada.bots import BOTS, make_bot
from granada.notation import action_text
from granada.replay import Replay

#: How many bytes tell the length of a frame.
SIZE: Final = 4
#: Bots give way to the server.
_NICENESS: Final = 10
#: No reason for a failure is longer.
_MAX_REASON: Final = 300


class Job(Struct):
    """A record that ends where a seat has to decide, and the bot that decides."""

    record: str
    level: str
    seed: str


class Choice(Struct, tag=True):
    """The action that the bot chose."""

    action: str


class Failure(Struct, tag=True):
    """Why the bot chose nothing that could be played."""

    reason: str


Answer = Choice | Failure


def frame(content: bytes) -> bytes:
    """A message as it goes through a pipe."""
    return len(content).to_bytes(SIZE, "big") + content


def choose(job: Job) -> str:
    """What the bot plays for the seat that decides at the end of the record."""
    # Not read as a partial record: that is slower, and would step back from a last action whose draws are missing.
    state = Replay(job.record, trusted=True).run(until=_count_actions(job.record))
    offers = state.offers()
    action = make_bot(job.level, job.seed).choose(state.view(state.seat, remembers=True), offers)
    if action not in offers:
        raise ValueError(f"'{action_text(action)}' is not offered")
    return action_text(action)


def _count_actions(record: str) -> int:
    """How many lines of the body begin with the number of a seat."""
    body = record.partition("\n\n")[2]
    return len([line for line in body.split("\n") if line[:1].isdigit()])


def _answer(job: Job) -> Answer:
    try:
        return Choice(choose(job))
    except BaseException as error:  # whatever a bot raises, even SystemExit, is its failure
        return Failure(f"{type(error).__name__}: {error}"[:_MAX_REASON])


def _read_jobs(pipe: BinaryIO, jobs: SimpleQueue[Job]) -> None:
    """Pass on the jobs; when the server is gone, end at once, whatever a bot is thinking."""
    decoder = msgspec.msgpack.Decoder(Job)
    while head := pipe.read(SIZE):
        jobs.put(decoder.decode(pipe.read(int.from_bytes(head, "big"))))
    os._exit(0)


def main(plugins: list[str]) -> None:
    """Work until the server closes the pipe or is gone; each plugin is a module whose BOTS are added to ours."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the server answers it
    if sys.platform != "win32":
        os.nice(_NICENESS)
    # The pipes are kept from bots that print or read: those get the log of the server, and nothing.
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    for plugin in plugins:
        BOTS.update(import_module(plugin).BOTS)
    jobs = SimpleQueue[Job]()
    Thread(target=_read_jobs, args=(source, jobs), daemon=True).start()
    sink.write(frame(b""))
    while True:
        sink.write(frame(msgspec.msgpack.encode(_answer(jobs.get()))))


if __name__ == "__main__":
    main(sys.argv[1:])
