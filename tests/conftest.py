"""What holds for all tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from granada.bots import BOTS, LEVELS, PERSONALITIES
from granada.bots.external import plugins


def pytest_configure() -> None:
    """What a shell starts in the background ignores interrupts, and so would the programs that tests interrupt."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _guests_leave() -> Iterator[None]:
    """Bots of others leave with the test that loaded them, also those that a fixture of a whole file loaded."""
    yield
    for name in set(BOTS) - {*LEVELS, *PERSONALITIES}:
        del BOTS[name]
    for known in (plugins._files, plugins._programs, plugins._seen):
        known.clear()
