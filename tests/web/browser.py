"""Chromium for the tests of the page: that on the path; `python -m tests.web.browser install` gets it if need be."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

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
    found = find()
    if found is None and shutil.which("apt-get") and not os.environ.get("GRANADA_CHROMIUM"):
        with (Path(tempfile.gettempdir()) / "granada-apt.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # of several test processes one installs
            found = find() or _install()
    assert found is not None, MISSING
    return found


def _install() -> str | None:
    become = _becoming_root()
    if become is None:
        return None
    print("Chromium is missing: it is installed by apt-get.", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", "chromium"]):
        done = subprocess.run(
            [*become, "apt-get", *command], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0 or command[0] == "update", f"{MISSING}\napt-get: {done.stderr[-2000:]}"
    return find()


def _becoming_root() -> list[str] | None:
    """What to write before a command so that root runs it; none if we may not."""
    if os.geteuid() == 0:
        return []
    if (
        shutil.which("sudo")
        and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0
    ):
        return ["sudo", "-n"]
    return None


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
