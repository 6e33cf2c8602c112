"""Fixtures: a copy of the site that a test may change, and visits to it in which every fault fails the test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.web.static_site import StaticSite, built_site, serving
from tests.web.visitors import Visit, visiting


@pytest.fixture
def host(built_folder: Path, tmp_path: Path) -> Iterator[StaticSite]:
    """A static host with a copy of the site below /games/."""
    folder = shutil.copytree(built_site(built_folder, "/games/"), tmp_path / "hosted")
    with serving(folder, "/games/") as started:
        yield started


@pytest.fixture
def new_visit(browser: Browser, host: StaticSite) -> Iterator[Callable[..., Visit]]:
    """Return a function that opens a new visit to that site."""
    with ExitStack() as visits:

        def open_visit(**changes: Any) -> Visit:
            return visits.enter_context(visiting(browser, host.origin, **changes))

        yield open_visit
