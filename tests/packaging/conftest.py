"""Fixtures of the tests of the distributions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packaging.installing import Built, build


@pytest.fixture(scope="session")
def built(built_folder: Path) -> Built:
    """The distributions of this project, and a machine on which they are installed."""
    return build(built_folder)
