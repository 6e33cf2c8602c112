"""Chromium for the tests of the web client; `python -m tests.web.browser install` installs it if it is missing."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.apt import find_or_install

#: Names of the program; a path in GRANADA_CHROMIUM takes precedence.
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "The tests of the web client need Chromium: install it (Debian: apt-get install chromium), or set its path"
    " (GRANADA_CHROMIUM=/path/to/chrome). As root, or with sudo without a password, make test installs it."
)


def find() -> str | None:
    """Return the path of Chromium; None if it is not installed."""
    named = os.environ.get("GRANADA_CHROMIUM")
    if named:
        return shutil.which(named)
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def install() -> str:
    """Return the path of Chromium, after installing it if needed; AssertionError if that is not possible."""
    return find_or_install(find, "chromium", MISSING)


def arguments() -> list[str]:
    """Return the options for Chromium on this machine."""
    # The sandbox does not work as root, and containers have little shared memory.
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return [*sandbox, "--disable-dev-shm-usage", "--force-color-profile=srgb", "--hide-scrollbars"]


def launch(playwright: Playwright, *options: str) -> Browser:
    """Start a headless browser."""
    return playwright.chromium.launch(executable_path=install(), args=[*arguments(), *options])


@contextmanager
def browsing(*options: str) -> Iterator[Browser]:
    """Provide a browser for scripts."""
    with sync_playwright() as playwright:
        browser = launch(playwright, *options)
        try:
            yield browser
        finally:
            browser.close()


if __name__ == "__main__":
    try:
        path = install()
    except AssertionError as error:
        sys.exit(str(error))
    if sys.argv[1:] != ["install"]:
        print(path)
