"""The work of one decision on several cores, each with other samples, in processes that end with it."""

from __future__ import annotations

import json
import os
import select
import signal
import warnings
from collections.abc import Callable
from typing import Final

#: Ends a complete result.
END: Final = b"\n"
#: Seconds between two checks for cancellation while waiting for another core.
CHECK_INTERVAL: Final = 0.02
#: The results of a core: for each candidate its chances and its leads.
Found = list[tuple[list[float], list[float]]]


def run_on_cores(cores: int, work: Callable[[int], Found], is_cancelled: Callable[[], bool]) -> list[Found]:
    """Return the results of all cores; the first works in this process, and alone where processes cannot be forked."""
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
            os.kill(pid, signal.SIGKILL)  # it has ended, or its result would be too late
            os.waitpid(pid, 0)


def _read(reading: int, is_cancelled: Callable[[], bool]) -> bytes:
    """Return the output of a core; reading stops if the search is cancelled."""
    parts: list[bytes] = []
    while not is_cancelled():
        if select.select([reading], [], [], CHECK_INTERVAL)[0]:
            part = os.read(reading, 1 << 16)
            if not part:
                break
            parts.append(part)
    return b"".join(parts)


def _start(work: Callable[[int], Found], core: int) -> tuple[int, int]:
    """Fork a process that does its part of the work and sends the result through a pipe."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # The child only computes and ends, so it cannot wait for a lock of another thread.
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
