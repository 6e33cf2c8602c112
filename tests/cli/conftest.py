"""Records that the tests of several commands read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from granada.arena.simulation import Series

SERIES = Series(("greedy", "random"), "granada", ("vizier",), seed=11)


def written(series: Series, path: Path) -> Path:
    path.write_text(str(series.play(1, series.options()).record), encoding="utf-8", newline="\n")
    return path


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a whole game: Granada, two players and Dirk, with the vizier."""
    return written(SERIES, tmp_path_factory.mktemp("records") / "whole.record")


@pytest.fixture(scope="session")
def partial(record: Path) -> Path:
    """The record of the same game, stopped after some turns."""
    return written(replace(SERIES, max_turns=30), record.with_name("partial.record"))
