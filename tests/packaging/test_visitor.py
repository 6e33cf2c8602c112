"""A first visit: what the README says, word by word, in an empty directory and with an empty home."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.packaging.installing import PATIENCE, README, ROOT, Built, commands
from tests.packaging.network import without_network
from tests.web.browser import browsing, install
from tests.web.driver import Game, Pointer, Table, eager
from tests.web.screens import ready
from tests.web.visitors import visiting

#: Nobody waits here for minutes until the rules are compiled: the visitor's machine has no compiler.
COMPILERS = re.compile(r"(.*-)?(cc|gcc|clang|c\+\+|g\+\+|c[89]9)(-[\d.]+)?")
#: Settings of this machine that say where packages are downloaded from, and what is downloaded already.
NETWORK = re.compile(r"(PIP|npm_config|NODE|UV|SSL|CURL|REQUESTS)_\w+|(https?|no|all)_proxy", re.IGNORECASE)
#: Configuration and cache of pip and npm in the home of whoever runs the tests, and the variables that name them.
HOME = {
    "PIP_CONFIG_FILE": (".config/pip/pip.conf", ".pip/pip.conf"),
    "PIP_CACHE_DIR": (".cache/pip",),
    "npm_config_userconfig": (".npmrc",),
    "npm_config_cache": (".npm",),
}

pytestmark = pytest.mark.timeout(3 * PATIENCE)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An empty directory with an empty home beside it."""
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def fresh_copy(target: Path) -> None:
    """Copy the sources as a clone has them: without anything that is ignored."""
    lines = [line.strip("/") for line in (ROOT / ".gitignore").read_text("utf-8").splitlines()]

    def ignored(folder: str, names: list[str]) -> list[str]:
        inside = Path(folder).relative_to(ROOT)
        paths = {name: (inside / name).as_posix() for name in names}
        return [
            name
            for name, path in paths.items()
            if name == ".git" or any(fnmatch.fnmatch(path if "/" in line else name, line) for line in lines)
        ]

    shutil.copytree(ROOT, target, ignore=ignored)


def programs(folder: Path) -> Path:
    """Return a folder with links to the programs of this machine, without compilers and what the tests run in."""
    folder.mkdir()
    (folder / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    own = Path(sys.prefix) / "bin"
    for place in [Path(place) for place in os.environ["PATH"].split(os.pathsep) if place]:
        if place.is_dir() and place != own:
            for program in place.iterdir():
                link = folder / program.name
                if not COMPILERS.fullmatch(program.name) and not link.is_symlink():
                    link.symlink_to(program)
    return folder


def visitor(place: Path, browser: Path) -> dict[str, str]:
    """Return the environment of a visitor whose browser writes the address that it opens into a file."""
    home = Path.home()
    settings = {key: value for key, value in os.environ.items() if NETWORK.fullmatch(key)}
    for name, paths in HOME.items():
        found = next((home / path for path in paths if (home / path).exists()), None)
        if found is not None:
            settings.setdefault(name, str(found))
    folder = programs(place.parent / "programs")
    opener = folder / "open-browser"
    opener.write_text(f'#!/bin/sh\necho "$1" > "{browser}"\n', "utf-8")
    opener.chmod(0o755)
    return {
        **settings,
        "HOME": str(place.parent / "home"),
        "PATH": str(folder),
        "LC_ALL": "C.UTF-8",
        "BROWSER": f"{opener} %s",
        "npm_config_prefer_offline": "true",
        "GRANADA_PORT": "0",  # another server may be running here
    }


@contextmanager
def opened_by(command: str, place: Path, environment: dict[str, str], browser: Path) -> Iterator[str]:
    """Run a command that starts a server, and provide the address that it opens in the browser."""
    log = place.parent / "output"
    with log.open("w") as output:
        running = subprocess.Popen(
            ["/bin/sh", "-c", command], cwd=place, env=environment, stdout=output, stderr=output, start_new_session=True
        )
    try:
        until = time.monotonic() + PATIENCE
        while not (browser.exists() and browser.read_text("utf-8").endswith("\n")):
            assert running.poll() is None, f"{command} ended:\n{log.read_text('utf-8')}"
            assert time.monotonic() < until, f"{command} opened no browser:\n{log.read_text('utf-8')}"
            time.sleep(0.1)
        yield browser.read_text("utf-8").strip()
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGINT)
        running.wait(PATIENCE)
    assert "Traceback" not in log.read_text("utf-8")


def begin_a_game(page: Page) -> None:
    """Begin a game on the start page and play two actions."""
    page.goto("/")
    ready(page)
    page.locator(".hero-act [type=submit]").click()
    expect(page.locator("[data-table]")).to_be_visible()
    table = Table(page)
    assert Game(table, Pointer(table), eager("visitor")).play(limit=2) == 2


def visit(address: str) -> None:
    """Open an address in Chromium and begin a game."""
    with browsing() as browser, visiting(browser, address.rstrip("/")) as guest:
        begin_a_game(guest.page)


def test_every_command_of_the_readme_is_followed_here() -> None:
    assert commands() == [
        "make play",
        "make test",  # runs this test
        "pip install 'granada[server]'",  # tests/packaging/installing.py
        "granada serve",
        "granada arena --bot-file my_bot.py --players my_bot,builder --games 40 --rotate --paired",
        "granada doctor",
        "granada serve --database postgresql://granada@localhost/granada --workers 2",  # tests/server/test_workers.py
    ]


def test_make_play_in_a_fresh_copy(place: Path) -> None:
    fresh_copy(place / "granada")
    browser = place.parent / "opened"
    environment = visitor(place, browser)
    with opened_by("make play", place / "granada", environment, browser) as address:
        assert re.fullmatch(r"http://localhost:\d+/", address)
        visit(address)
    (database,) = (place.parent / "home").rglob("granada.sqlite")
    assert database.stat().st_size > 0


def test_granada_serve_after_installing_the_package(built: Built, place: Path) -> None:
    browser = place.parent / "opened"
    environment = {**visitor(place, browser), "PATH": str(built.machine.programs)}
    install()  # as long as there is a network
    with without_network(), opened_by("granada serve", place, environment, browser) as address:
        visit(address)


def test_the_commands_for_bot_authors_and_operators(built: Built, place: Path) -> None:
    text = README.read_text("utf-8")
    (bot,) = re.findall(r"```python\n# my_bot\.py\n(.*?)```", text, re.DOTALL)
    (place / "my_bot.py").write_text(bot, "utf-8")
    (arena,) = [command for command in commands() if command.startswith("granada arena")]
    report = built.machine.shell(arena, cwd=place)
    assert "my_bot" in report
    assert "No problems found." in built.machine.shell("granada doctor", cwd=place)
    (site,) = set(re.findall(r"`(granada site [^`]*)`", text))
    built.machine.shell(site, cwd=place)
    assert (place / "site" / "index.html").is_file()


def test_the_example_of_the_library(built: Built, place: Path) -> None:
    shutil.copy(README, place)
    assert built.machine.shell("python -m doctest README.md", cwd=place) == ""
