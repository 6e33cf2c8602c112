"""Chromium for the tests of the page: that on the path; `python -m tests.web.browser install` gets it if need be."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.apt import find_or_install

#: Programs that will do; a path in GRANADA_CHROMIUM comes first.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "The tests of the page need Chromium: install it (Debian: apt-get install chromium), or name another by its path"
    " (GRANADA_CHROMIUM=/path/to/chrome). As root, or where sudo asks for no password, make test installs it itself."
)


def find() -> str | None:
    """The program, if there is one."""
    named = os.environ.get("GRANADA_CHROMIUM")
    if named:
        return shutil.which(named)
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def install() -> str:
    """The program, installed if that is allowed; an AssertionError says what to do."""
    return find_or_install(find, "chromium", MISSING)


def launch(playwright: Playwright, *arguments: str) -> Browser:
    """A browser without a window."""
    # Root has no sandbox, and containers have little shared memory.
    own = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(
        executable_path=install(),
        args=[*own, "--disable-dev-shm-usage", "--force-color-profile=srgb", "--hide-scrollbars", *arguments],
    )


@contextmanager
def browsing(*arguments: str) -> Iterator[Browser]:
    """A browser for programs outside of the tests."""
    with sync_playwright() as playwright:
        browser = launch(playwright, *arguments)
        try:
            yield browser
        finally:
            browser.close()


if __name__ == "__main__":
    try:
        place = install()
    except AssertionError as error:
        sys.exit(str(error))
    if sys.argv[1:] != ["install"]:
        print(place)
