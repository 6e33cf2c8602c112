"""A bot process: reads jobs from standard input and writes answers to standard output.

Each message is a frame: its length in four bytes, then msgpack. An empty frame means that the process is ready.
"""

from __future__ import annotations

import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO, Final

import msgspec

from granada.bots import BOTS
from granada.bots.external.plugins import load_bots
from granada.tables.bot_jobs import AnalysisJob, Answer, Progress, Work
from granada.tables.bot_work import answer

#: The number of bytes for the length of a frame.
SIZE: Final = 4
#: Bots have a lower priority than the server.
_NICENESS: Final = 10
#: Analyses of finished games have the lowest priority.
_ANALYSIS_NICENESS: Final = 19


def frame(content: bytes) -> bytes:
    """Return a message with its length, for a pipe."""
    return len(content).to_bytes(SIZE, "big") + content


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

    def send(message: Answer) -> None:
        sink.write(frame(msgspec.msgpack.encode(message)))

    while True:
        work = jobs.get()
        if isinstance(work, AnalysisJob) and sys.platform != "win32":
            os.setpriority(os.PRIO_PROCESS, 0, _ANALYSIS_NICENESS)
        send(answer(work, lambda part: send(Progress(part))))


if __name__ == "__main__":
    main(sys.argv[1:])
