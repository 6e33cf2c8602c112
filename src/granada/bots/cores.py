"""The same work on several cores at once, each with other luck: for one decision, in processes that end with it."""

from __future__ import annotations

import json
import os
import select
import signal
import warnings
from collections.abc import Callable
from typing import Final

#: What a core has told to its end ends with this.
END: Final = b"\n"
#: So many seconds pass, while another core is waited for, between two looks at whether the thinking is called off.
LOOK: Final = 0.02
#: What a core found out: for each candidate its chances and its leads.
Found = list[tuple[list[float], list[float]]]


def spread(cores: int, work: Callable[[int], Found], is_cancelled: Callable[[], bool]) -> list[Found]:
    """What each core found; the first works in this process. Where processes cannot be forked, it works alone."""
    if cores < 2 or not hasattr(os, "fork"):
        return [work(0)]
    children: list[tuple[int, int]] = []
    try:
        for core in range(1, cores):
            children.append(_start(work, core))
        found = [work(0)]
        for _, reading in children:
            text = _read(reading, is_cancelled)
            if text.endswith(END):
                found.append([(chances, leads) for chances, leads in json.loads(text)])
        return found
    finally:
        for pid, reading in children:
            os.close(reading)
            os.kill(pid, signal.SIGKILL)  # it has ended, or what it would find comes too late
            os.waitpid(pid, 0)


def _read(reading: int, is_cancelled: Callable[[], bool]) -> bytes:
    """What a core tells, to its end; but nothing more once the thinking is called off."""
    parts: list[bytes] = []
    while not is_cancelled():
        if select.select([reading], [], [], LOOK)[0]:
            part = os.read(reading, 1 << 16)
            if not part:
                break
            parts.append(part)
    return b"".join(parts)


def _start(work: Callable[[int], Found], core: int) -> tuple[int, int]:
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
                pipe.write(json.dumps(work(core)).encode() + END)
        finally:
            os._exit(0)
    os.close(writing)
    return pid, reading
