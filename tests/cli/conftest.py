"""Records that the tests of several commands read."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from granada.arena.simulation import simulate
from granada.arena.tournament import FIXED, Tournament

#: These need terminals, which Windows does not have.
collect_ignore = [] if os.name == "posix" else ["terminal.py", "test_completion.py", "test_play.py"]
TOURNAMENT = Tournament(("greedy", "random"), "granada", ("vizier",), games=1, seed=11, mode=FIXED)


def written(tournament: Tournament, folder: Path) -> Path:
    list(simulate(tournament, records=str(folder)))
    return folder / "000001.record"


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a whole game: Granada, two players and Dirk, with the vizier."""
    return written(TOURNAMENT, tmp_path_factory.mktemp("whole"))


@pytest.fixture(scope="session")
def partial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of the same game, stopped after some turns."""
    return written(replace(TOURNAMENT, max_turns=30), tmp_path_factory.mktemp("partial"))
