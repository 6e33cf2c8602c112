"""The same work on several cores at once, each with other luck: for one decision, in processes that end with it."""

from __future__ import annotations

import json
import os
import signal
import warnings
from collections.abc import Callable
from typing import BinaryIO

#: What a core found out: for each candidate its chances and its leads.
Found = list[tuple[list[float], list[float]]]


def spread(cores: int, work: Callable[[int], Found], is_cancelled: Callable[[], bool]) -> list[Found]:
    """What each core found; the first works in this process. Where processes cannot be forked, it works alone."""
    if cores < 2 or not hasattr(os, "fork"):
        return [work(0)]
    children = [_start(work, core) for core in range(1, cores)]
    found = [work(0)]
    for pid, pipe in children:
        if is_cancelled():
            os.kill(pid, signal.SIGKILL)  # what it would find comes too late
        with pipe:
            text = pipe.read()
        os.waitpid(pid, 0)
        if text:
            found.append([(chances, leads) for chances, leads in json.loads(text)])
    return found


def _start(work: Callable[[int], Found], core: int) -> tuple[int, BinaryIO]:
    """A process that does its part and tells it through a pipe; it has everything that this one has, by copy."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # The child only computes, and ends: no lock of another thread can be in its way.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        try:
            os.close(reading)
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(json.dumps(work(core)).encode())
        finally:
            os._exit(0)
    os.close(writing)
    return pid, os.fdopen(reading, "rb")
