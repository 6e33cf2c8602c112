"""Examines many games in several processes, and continues where an earlier run stopped."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from granada.puzzles.files import Examined, line_of, read_lines, read_packed
from granada.puzzles.finder import Effort, find_in_game, seed_of

_CONTEXT: Final = get_context("spawn")


def examine_games(seed: int, games: int, effort: Effort, jobs: int, path: Path) -> Iterator[Examined]:
    """Examine the games with the numbers 1 to `games` that are not yet in the file, and append each to it.

    The same seed gives the same puzzles with any number of processes; only the order of the lines differs.
    """
    done = _repaired(path)
    waiting = [number for number in range(1, games + 1) if number not in done]
    work = partial(_examine, seed, effort)
    with path.open("a", encoding="utf-8", newline="\n") as file:
        for examined in _run(work, waiting, jobs):
            file.write(line_of(examined) + "\n")
            file.flush()
            yield examined


def done_in(path: Path) -> list[Examined]:
    """Return the games in a file that a run writes."""
    if not path.exists():
        return []
    if path.suffix == ".gz":
        return list(read_packed(path.read_bytes()))
    return list(read_lines(path.read_text("utf-8").splitlines()))


def _repaired(path: Path) -> set[int]:
    """Return the numbers of the games in a file, without a last line that was cut off by a kill."""
    if path.exists():
        data = path.read_bytes()
        end = data.rfind(b"\n") + 1
        if end < len(data):
            os.truncate(path, end)
    return {one.number for one in done_in(path)}


def _run(work: partial[Examined], numbers: list[int], jobs: int) -> Iterator[Examined]:
    if jobs == 1 or len(numbers) < 2:
        yield from map(work, numbers)
        return
    with _CONTEXT.Pool(min(jobs, len(numbers)), _ignore_interrupts) as pool:
        yield from pool.imap_unordered(work, numbers)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C


def _examine(seed: int, effort: Effort, number: int) -> Examined:
    return Examined(number, tuple(find_in_game(seed_of(seed, number), effort)))
