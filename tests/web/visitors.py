"""Visitors with their own browser context, and the faults that fail a test."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

#: Milliseconds to wait in a page, enough for a busy machine.
TIMEOUT = 20_000


@dataclass(frozen=True)
class Look:
    """The configuration of a browser context."""

    width: int = 1280
    height: int = 720
    locale: str = "en-GB"
    colours: Literal["light", "dark"] = "light"
    #: Whether animations are enabled.
    moves: bool = False
    touch: bool = False
    scale: float = 1

    @property
    def name(self) -> str:
        return f"{self.width}x{self.height}"

    def settings(self) -> dict[str, Any]:
        """Return the options for Playwright."""
        return {
            "viewport": {"width": self.width, "height": self.height},
            "locale": self.locale,
            "timezone_id": "Europe/Berlin",
            "color_scheme": self.colours,
            "reduced_motion": "no-preference" if self.moves else "reduce",
            "has_touch": self.touch,
            "device_scale_factor": self.scale,
        }


#: The sizes that every screen must fit.
SIZES = tuple(
    Look(width, height, touch=width < 1000)
    for width, height in ((360, 740), (390, 844), (768, 1024), (1280, 720), (1920, 1080), (844, 390))
)
PHONE, TABLET, LAPTOP, DESKTOP = SIZES[1:5]


class Visit:
    """A page in its own browser context, and the faults seen in it."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self._url = url
        self._ignored: list[re.Pattern[str]] = []
        self.faults: list[str] = []
        context.set_default_timeout(TIMEOUT)
        context.on("page", self._watch)
        context.on("request", self._on_request)
        # Report violations of the content security policy as errors.
        context.add_init_script(
            "addEventListener('securitypolicyviolation', (event) =>"
            " console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile ?? ''}`))"
        )
        # Other players' turns need no time to be read; a test that shows them chooses another pace.
        context.add_init_script(
            "try { if (localStorage.getItem('granada.settings') === null)"
            """ localStorage.setItem('granada.settings', '{"pace":"instant"}'); } catch { }"""
        )
        self.context = context
        self.page = context.new_page()

    def ignore(self, pattern: str) -> None:
        """Ignore faults that match a pattern, because the test provokes them."""
        self._ignored.append(re.compile(pattern))

    def check(self) -> None:
        """Fail if there were faults that are not ignored."""
        left = [fault for fault in self.faults if not any(pattern.search(fault) for pattern in self._ignored)]
        assert not left, "faults in the page:\n" + "\n".join(left)

    def _watch(self, page: Page) -> None:
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error.stack or error.message}"))
        page.on("crash", lambda _: self.faults.append("the page crashed"))

    def _on_console(self, message: ConsoleMessage) -> None:
        url = message.location.get("url", "")
        # For an unknown address, the page itself is served with status 404.
        is_page_404 = "status of 404" in message.text and message.page is not None and url == message.page.url
        if message.type in ("error", "warning") and not is_page_404:
            self.faults.append(f"{message.type}: {message.text} ({url})")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self._url}/", "data:", "blob:")):
            self.faults.append(f"request to another host: {request.url}")


def choose(page: Page, **settings: str | float) -> None:
    """Choose settings for the pages that are opened from now on, as their first reader has them."""
    page.add_init_script(
        "try { localStorage.setItem('granada.settings', JSON.stringify({ ..."
        "JSON.parse(localStorage.getItem('granada.settings') ?? '{}'), "
        f"...{json.dumps(settings)} }})); }} catch {{ }}"
    )


class NewPage(Protocol):
    """Opens a page with a look, with some of its fields changed."""

    def __call__(self, look: Look = ..., **changes: Any) -> Page: ...


@contextmanager
def visiting(browser: Browser, url: str, look: Look | None = None, **changes: Any) -> Iterator[Visit]:
    """Open a visit, and check its faults at the end."""
    look = replace(look or Look(), **changes)
    context = browser.new_context(base_url=url, **look.settings())
    try:
        visit = Visit(context, url)
        yield visit
        visit.check()
    finally:
        context.close()
