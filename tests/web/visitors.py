"""Somebody with a browser of their own: what it looks like, and everything in it that must not happen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request

#: Milliseconds: nothing in a page takes longer, even on a busy machine.
PATIENCE = 20_000


@dataclass(frozen=True)
class Look:
    """How a browser is set up."""

    width: int = 1280
    height: int = 720
    locale: str = "en-GB"
    colours: Literal["light", "dark"] = "light"
    #: Things move only if they are meant to be seen moving.
    moves: bool = False
    touch: bool = False
    scale: float = 1

    @property
    def name(self) -> str:
        return f"{self.width}x{self.height}"

    def settings(self) -> dict[str, Any]:
        """The same in the words of Playwright."""
        return {
            "viewport": {"width": self.width, "height": self.height},
            "locale": self.locale,
            "timezone_id": "Europe/Berlin",
            "color_scheme": self.colours,
            "reduced_motion": "no-preference" if self.moves else "reduce",
            "has_touch": self.touch,
            "device_scale_factor": self.scale,
        }


#: The sizes that every screen has to fit.
SIZES = tuple(
    Look(width, height, touch=width < 1000)
    for width, height in ((360, 740), (390, 844), (768, 1024), (1280, 720), (1920, 1080), (844, 390))
)
PHONE, TABLET, LAPTOP, DESKTOP = SIZES[1:5]


class Visit:
    """A page in a browser of its own, and the faults that were seen in it."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self._url = url
        self._forgiven: list[re.Pattern[str]] = []
        self.faults: list[str] = []
        context.set_default_timeout(PATIENCE)
        context.on("page", self._watch)
        context.on("request", self._on_request)
        # A policy that is broken is an error, wherever it is.
        context.add_init_script(
            "addEventListener('securitypolicyviolation', (event) =>"
            " console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile ?? ''}`))"
        )
        self.context = context
        self.page = context.new_page()

    def forgive(self, pattern: str) -> None:
        """Let faults of one kind pass: what a test provokes."""
        self._forgiven.append(re.compile(pattern))

    def check(self) -> None:
        """Fail if there were faults that nobody forgave."""
        left = [fault for fault in self.faults if not any(pattern.search(fault) for pattern in self._forgiven)]
        assert not left, "faults in the page:\n" + "\n".join(left)

    def _watch(self, page: Page) -> None:
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.faults.append(f"error: {error.stack or error.message}"))
        page.on("crash", lambda _: self.faults.append("the page crashed"))

    def _on_console(self, message: ConsoleMessage) -> None:
        url = message.location.get("url", "")
        # At an address where nothing is the page itself comes with that status.
        is_lost = "status of 404" in message.text and message.page is not None and url == message.page.url
        if message.type in ("error", "warning") and not is_lost:
            self.faults.append(f"{message.type}: {message.text} ({url})")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self._url}/", "data:", "blob:")):
            self.faults.append(f"another host was asked: {request.url}")


class NewPage(Protocol):
    """Opens a browser for somebody, as a look describes it, changed by what is named."""

    def __call__(self, look: Look = ..., **changes: Any) -> Page: ...


@contextmanager
def visiting(browser: Browser, url: str, look: Look | None = None, **changes: Any) -> Iterator[Visit]:
    """Somebody who comes, and whose page is checked when they go."""
    look = replace(look or Look(), **changes)
    context = browser.new_context(base_url=url, **look.settings())
    try:
        visit = Visit(context, url)
        yield visit
        visit.check()
    finally:
        context.close()
