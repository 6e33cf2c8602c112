"""A server, a browser, and people in front of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from granada.server.http.page import PAGE
from tests.server.running import RunningServer, running
from tests.web.browser import launch
from tests.web.visitors import PATIENCE, Look, NewPage, Visit, visiting

expect.set_options(timeout=PATIENCE)


# Not for the whole session: as long as Playwright runs, no other test in the same process can use asyncio.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for all tests; each visitor has a window of its own in it."""
    with sync_playwright() as playwright:
        launched = launch(playwright)
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with the page as it was built."""
    assert (PAGE / "index.html").is_file(), "the page is not built: run make page"
    with running(tmp_path_factory.mktemp("web"), GRANADA_BOT_THINK="10", GRANADA_BOT_NODES="60") as started:
        yield started


@pytest.fixture
def new_visit(browser: Browser, server: RunningServer) -> Iterator[Callable[..., Visit]]:
    """Lets somebody come; faults in their pages fail the test at its end."""
    with ExitStack() as visits:

        def come(look: Look | None = None, **changes: Any) -> Visit:
            return visits.enter_context(visiting(browser, server.url, look, **changes))

        yield come


@pytest.fixture
def new_page(new_visit: Callable[..., Visit]) -> NewPage:
    """A page for somebody else: another browser, with its own cookie."""

    def come(look: Look | None = None, **changes: Any) -> Page:
        return new_visit(look, **changes).page

    return come


@pytest.fixture
def visit(new_visit: Callable[..., Visit]) -> Visit:
    """Somebody at a laptop."""
    return new_visit()


@pytest.fixture
def page(visit: Visit) -> Page:
    """Their page."""
    return visit.page
