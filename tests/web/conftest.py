"""Fixtures: a server, a browser, and visitors with their own windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from granada.server.http.page import PAGE
from tests.server.running import RunningServer, running
from tests.web.browser import launch
from tests.web.static_site import StaticSite, built_site, serving
from tests.web.visitors import TIMEOUT, Look, NewPage, Visit, visiting

expect.set_options(timeout=TIMEOUT)


# Package scope: while Playwright is running, no other test in the process can use asyncio.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests; each visitor has a separate context."""
    with sync_playwright() as playwright:
        launched = launch(playwright)
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with the built web client."""
    assert (PAGE / "index.html").is_file(), "the page is not built: run make page"
    with running(tmp_path_factory.mktemp("web"), GRANADA_BOT_THINK="10", GRANADA_BOT_NODES="60") as started:
        yield started


@pytest.fixture(scope="session")
def site_folder(built_folder: Path) -> Path:
    """The built site for the top of a host."""
    return built_site(built_folder)


@pytest.fixture
def games_site(built_folder: Path) -> Iterator[StaticSite]:
    """A static host with the site below /games/."""
    with serving(built_site(built_folder, "/games/"), "/games/") as host:
        yield host


@pytest.fixture
def new_visit(browser: Browser, server: RunningServer) -> Iterator[Callable[..., Visit]]:
    """Return a function that opens a new visit; faults in its pages fail the test."""
    with ExitStack() as visits:

        def open_visit(look: Look | None = None, **changes: Any) -> Visit:
            return visits.enter_context(visiting(browser, server.url, look, **changes))

        yield open_visit


@pytest.fixture
def new_page(new_visit: Callable[..., Visit]) -> NewPage:
    """Return a function that opens a page in a separate browser context, with its own cookie."""

    def open_page(look: Look | None = None, **changes: Any) -> Page:
        return new_visit(look, **changes).page

    return open_page


@pytest.fixture
def visit(new_visit: Callable[..., Visit]) -> Visit:
    """A visit at laptop size."""
    return new_visit()


@pytest.fixture
def page(visit: Visit) -> Page:
    """The page of that visit."""
    return visit.page
