"""Bots of others leave with the test that loaded them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from granada.bots import BOTS, plugins


@pytest.fixture(autouse=True)
def _guests_leave() -> Iterator[None]:
    bots, files, programs = dict(BOTS), dict(plugins._files), dict(plugins._programs)
    yield
    BOTS.clear()
    BOTS.update(bots)
    plugins._files.clear()
    plugins._files.update(files)
    plugins._programs.clear()
    plugins._programs.update(programs)
