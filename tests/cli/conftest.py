"""Records that the tests of several commands read."""

from __future__ import annotations

from pathlib import Path

import pytest

from granada.simulation import Series


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a whole game: Granada, two players and Dirk, with the vizier."""
    series = Series(("greedy", "random"), "granada", ("vizier",), seed=11)
    path = tmp_path_factory.mktemp("records") / "whole.record"
    path.write_text(str(series.play(1, series.options()).record), encoding="utf-8", newline="\n")
    return path


@pytest.fixture(scope="session")
def partial(record: Path) -> Path:
    """The same record without its tail."""
    lines = record.read_text("utf-8").split("\n")
    path = record.with_name("partial.record")
    path.write_text("\n".join(lines[: len(lines) // 2]) + "\n", encoding="utf-8", newline="\n")
    return path
