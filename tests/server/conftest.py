"""The databases that the tests of the server run on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.databases import Cluster, postgres


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A real PostgreSQL; each process of the tests has its own, so that a test may stop it."""
    with postgres() as running:
        yield running


@pytest.fixture
def postgres_url(cluster: Cluster) -> Iterator[str]:
    """An empty PostgreSQL database."""
    with cluster.database() as url:
        yield url


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A file that is not yet there."""
    return f"sqlite:///{tmp_path / 'granada.sqlite'}"


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """An empty database of each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url
