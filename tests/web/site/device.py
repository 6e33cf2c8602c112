"""What the tests do with a page that has no server: configure its bots, wait for Python, go offline, break things."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, Route, expect

from tests.web.static_site import StaticSite
from tests.web.visitors import Visit

#: Milliseconds for loading Python on a busy machine.
LOADING = 60_000
#: Goes to an address as a link does, and marks what it leaves.
FOLLOW = """(to) => {
  for (const one of document.querySelectorAll("main, [data-table]")) one.dataset.left = "";
  history.pushState(null, "", new URL(to, location.origin));
  dispatchEvent(new PopStateEvent("popstate"));
}"""
#: Whether an address is that of the screen that is open, which would stay as it is.
IS_HERE = "(to) => new URL(to, location.origin).pathname === location.pathname"
#: What the screens store beforehand, which a page reads when it is loaded.
STORED = """() => JSON.stringify(
  ["name", "settings", "you", "puzzles", "daily"].map((key) => localStorage.getItem(`granada.${key}`))
)"""


def configure(context: BrowserContext, **options: float) -> None:
    """Set the pause and the thinking time of the bots, in seconds; `nodes` limits a search."""
    text = json.dumps(json.dumps({"pause": 0, "think": 10, "nodes": 60, **options}))
    # An empty page has no storage.
    context.add_init_script(f"if (location.protocol === 'http:') localStorage.setItem('granada.bots', {text})")


def wait_for_python(page: Page) -> None:
    """Wait until the page can answer requests."""
    page.wait_for_function("() => globalThis.granada?.isReady()", timeout=LOADING)


def follow_links(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the loaded page open other addresses, as long as nothing else was stored: Python starts only once."""
    load: Callable[[str], Any] = page.goto
    read = page.evaluate(STORED)

    def go(to: str) -> None:
        nonlocal read
        if page.evaluate(STORED) != read or page.evaluate(IS_HERE, to):
            load(to)
            read = page.evaluate(STORED)
            return
        page.evaluate(FOLLOW, to)
        expect(page.locator("[data-left]")).to_have_count(0)

    monkeypatch.setattr(page, "goto", go)


@contextmanager
def offline(visit: Visit, host: StaticSite) -> Iterator[None]:
    """Disconnect from the network, and stop the host, once the service worker has stored everything."""
    page = visit.page
    page.goto("/about")
    wait_for_python(page)
    page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null", timeout=LOADING)
    visit.context.set_offline(True)
    host.is_down = True
    try:
        yield
    finally:
        host.is_down = False


def debugger(page: Page) -> CDPSession:
    """Return a session of Chromium's debugging protocol."""
    return page.context.new_cdp_session(page)


def change_worker(visit: Visit, code: str) -> None:
    """Run code in the worker of the tables before its script."""

    def change(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=code + response.text())

    visit.context.route("**/tables_worker-*.js", change)
    # A service worker would answer before the route.
    visit.context.add_init_script("delete Navigator.prototype.serviceWorker")


def expect_storage(page: Page, state: str) -> None:
    """Wait until the page explains the state of its storage."""
    expect(page.locator(f"[data-storage={state}]")).to_be_visible(timeout=LOADING)
