"""Databases for the tests of the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.databases import Cluster, postgres


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A real PostgreSQL cluster; each test process has its own, so that a test can stop it."""
    with postgres() as running:
        yield running


@pytest.fixture
def postgres_url(cluster: Cluster) -> Iterator[str]:
    """An empty PostgreSQL database."""
    with cluster.database() as url:
        yield url


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The URL of a SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'granada.sqlite'}"


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database, once for each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url
