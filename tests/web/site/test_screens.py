"""Every screen without a server, online and offline: it opens with its content, fits, and breaks no policy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from tests.web.screens import SCREENS, Screen, finished, ready
from tests.web.site.device import configure, follow_links, offline, wait_for_python
from tests.web.static_site import StaticSite
from tests.web.test_screens import LARGE, faults_in
from tests.web.visitors import LAPTOP, PHONE, Visit

#: Screens that the site does not have, and why.
SERVER_ONLY = {
    "home-kept": "finished games are on the device already, so there is no button that keeps one",
    "table-away": "a second person at another browser",
    "table-watching": "the game of another browser",
    "table-reactions": "a second person at another browser",
    "table-left": "a second person at another browser",
    "end-lost": "two other persons at other browsers",
    "end-analysis": "needs a minute, and only a server's answer can be replaced; here the bot begins to think",
}


def analysing(page: Page) -> None:
    """Open a finished game, and let a bot begin to look at it."""
    finished("alhambra-2")(page)
    page.locator("[data-act=analyse]").click()
    expect(page.locator("[data-analysis] progress")).to_be_visible()


HERE = [*[screen for screen in SCREENS if screen.name not in SERVER_ONLY], Screen("end-analysing", analysing)]
#: What shows that the content of a screen is there: its own, or that of all screens whose names begin so.
CONTENT = {
    "home": ".hero button[type=submit]",
    "home-back": "[data-card=turn]",
    "home-done": "[data-card=daily] .lanterns",
    "new": "form.setup button[type=submit]",
    "record": ".panel.record .paste",
    "record-sent": ".tell h2",
    "settings": ".storage .buttons",
    "about": ".about-part",
    "me": ".me-carry [data-act=code]",
    "me-stored": ".me-points",
    "me-played": ".me-ladder",
    "me-games": "[data-game]",
    "me-code": ".code-qr",
    "me-enter": "dialog[open] .code-input",
    "me-erase": "dialog[open] [data-act=erase-all]",
    "learn": ".learn-go",
    "rules": ".rchapter",
    "pad": ".pad-setup, .pad-body",
    "lost": ".panel.lost",
    "puzzles": ".pcard",
    "daily": "[data-list=own]",
    "lobby": ".lobby-seats",
    "joining": ".lobby-seats",
    "curtain": ".curtain button",
    "table": "[data-table] [data-yard], [data-table] [data-tray]",
    "table-banner": "[data-yours=true] [data-banner]",
    "table-round": "[data-round]",
    "puzzle": "[data-table][data-puzzle]",
    "puzzle-solved": "[data-verdict=solved]",
    "puzzle-failed": "[data-verdict=failed]",
    "scoring": ".scoring .prows",
    "end": "[data-place] .pt",
    "end-analysing": "[data-analysis] progress",
    "replay": "main[data-n] .rp-tools",
}
#: Screens that are loaded without a network: those with an address of their own (tests/web/offline opens the others).
OFFLINE = (
    *("home", "record-sent", "me-games", "daily-past", "lobby", "curtain"),
    *("table-combined", "puzzle-failed", "end-combined", "replay"),
)


def content_of(name: str) -> str:
    return CONTENT.get(name) or CONTENT[name.partition("-")[0]]


@contextmanager
def named(screen: Screen, visit: Visit) -> Iterator[None]:
    """Add the name of the screen to every failure."""
    try:
        yield
        visit.check()
    except AssertionError as error:
        error.add_note(f"on the screen {screen.name}")
        raise


def open_screen(screen: Screen, page: Page) -> None:
    """Open a screen with its content."""
    screen.go(page)
    ready(page)
    expect(page.locator(content_of(screen.name)).first).to_be_visible()


@pytest.mark.timeout(300)
def test_every_screen_opens_without_a_server(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(visit.context)
    page = visit.page
    page.goto("/about")
    wait_for_python(page)
    follow_links(page, monkeypatch)
    found = []
    for screen in HERE:
        with named(screen, visit):
            open_screen(screen, page)
            found += [f"{screen.name} {fault}" for fault in faults_in(page, (PHONE, LARGE, LAPTOP))]
    assert not found, "\n".join(found)


@pytest.mark.timeout(300)
def test_screens_are_loaded_without_a_network(visit: Visit, server: StaticSite) -> None:
    configure(visit.context)
    with offline(visit, server):
        for screen in HERE:
            if screen.name in OFFLINE:
                with named(screen, visit):
                    open_screen(screen, visit.page)


def test_the_exceptions_are_screens() -> None:
    names = {screen.name for screen in SCREENS}
    assert set(SERVER_ONLY) <= names
    assert set(OFFLINE) <= names - set(SERVER_ONLY)
