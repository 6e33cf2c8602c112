"""Settings and fixtures for all tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

# The threads of NumPy wait for each other in busy loops, which costs ten times as much when tests run side by side.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest

from granada.bots import BOTS, LEVELS, PERSONALITIES
from granada.bots.external import plugins


def pytest_configure() -> None:
    """Restore SIGINT: background jobs of a shell ignore it, and so would the programs that tests interrupt."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def built_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all processes of a run of the tests share."""
    own = tmp_path_factory.getbasetemp()
    return (own if worker_id == "master" else own.parent) / "built"


@pytest.fixture(autouse=True)
def _unload_third_party_bots() -> Iterator[None]:
    """Unload third-party bots after the test that loaded them, including those of module fixtures."""
    yield
    for name in set(BOTS) - {*LEVELS, *PERSONALITIES}:
        del BOTS[name]
    for known in (plugins._files, plugins._programs, plugins._seen):
        known.clear()
