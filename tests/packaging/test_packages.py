"""The source distribution and the wheel: what they contain, and a game on a machine with nothing else."""

from __future__ import annotations

import os
import re
import sys
import tarfile
import zipfile
from email.message import Message
from email.parser import HeaderParser
from pathlib import Path

import pytest
from playwright.sync_api import expect

from granada import __version__
from tests.packaging.installing import PATIENCE, Built, run
from tests.packaging.network import without_network
from tests.server.running import RunningServer, stopping
from tests.web.browser import browsing, install
from tests.web.driver import Game, Pointer, Table, eager
from tests.web.screens import ready
from tests.web.visitors import visiting

pytestmark = pytest.mark.timeout(3 * PATIENCE)


@pytest.fixture(scope="module")
def sources(built: Built) -> set[str]:
    """The files in the source distribution."""
    with tarfile.open(built.sdist) as packed:
        return {name.partition("/")[2] for name in packed.getnames()}


@pytest.fixture(scope="module")
def packed(built: Built) -> set[str]:
    """The files in the wheel."""
    with zipfile.ZipFile(built.wheel) as wheel:
        return set(wheel.namelist())


@pytest.fixture(scope="module", params=["wheel", "sdist"])
def metadata(request: pytest.FixtureRequest, built: Built) -> Message:
    """The metadata of a distribution."""
    if request.param == "wheel":
        with zipfile.ZipFile(built.wheel) as wheel:
            text = wheel.read(f"granada-{__version__}.dist-info/METADATA")
    else:
        with tarfile.open(built.sdist) as packed:
            file = packed.extractfile(f"granada-{__version__}/PKG-INFO")
            assert file is not None
            text = file.read()
    return HeaderParser().parsestr(text.decode())


def test_the_source_distribution_has_the_built_client_and_no_pictures_of_it(sources: set[str]) -> None:
    for name in (
        "pyproject.toml",
        "hatch_build.py",
        "Makefile",
        "LICENSE",
        "requirements/server.txt",
        "web/package.json",
    ):
        assert name in sources
    for name in ("page/index.html", "page/.stamp", "page/NOTICES.txt", "site/components.json", "site/.stamp"):
        assert f"src/granada/{name}" in sources
    assert [
        name
        for name in sources
        if re.match(r"docs/screens|\.(?!github|gitignore|gitattributes|pre-commit)|build/|dist/|web/node_modules", name)
    ] == []


def test_the_source_distribution_passes_the_tests_of_the_repository(built: Built, tmp_path: Path) -> None:
    with tarfile.open(built.sdist) as packed:
        packed.extractall(tmp_path, filter="data")
    (place,) = tmp_path.iterdir()
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "tests/packaging/test_repository.py")
    run(*command, cwd=place, environment={**os.environ, "PYTHONPATH": str(place / "src")})


def test_without_a_compiler_the_wheel_fits_every_platform(built: Built) -> None:
    assert built.wheel.name == f"granada-{__version__}-py3-none-any.whl"


def test_the_wheel_has_the_client_the_site_and_their_licences(packed: set[str]) -> None:
    for name in ("page/index.html", "page/NOTICES.txt", "site/components.json", "py.typed", "data/huts.csv"):
        assert f"granada/{name}" in packed
    assert [name for name in packed if re.match(r"granada/site/python/.*\.wasm$", name)]
    assert f"granada-{__version__}.dist-info/licenses/LICENSE" in packed
    assert {name.partition("/")[0] for name in packed} == {"granada", f"granada-{__version__}.dist-info"}


def test_the_metadata_names_licence_addresses_and_versions(metadata: Message) -> None:
    assert metadata["License-Expression"] == "MIT"
    labels = {address.partition(",")[0] for address in metadata.get_all("Project-URL", [])}
    assert labels == {"Repository", "Documentation", "Changelog", "Issues"}
    assert metadata["Requires-Python"] == "<3.15,>=3.11"
    assert metadata["Keywords"]
    # Fixed, because upload tools may reject newer metadata.
    assert metadata["Metadata-Version"] == "2.4"


def test_a_game_on_a_machine_without_node_compiler_and_network(built: Built, tmp_path: Path) -> None:
    server = RunningServer(tmp_path / "data", GRANADA_BOT_THINK="0.02")
    server.program = (str(built.machine.programs / "granada"),)
    server.surroundings = built.machine.environment
    install()  # as long as there is a network
    with without_network(), stopping(server), browsing() as browser, visiting(browser, server.url) as visit:
        page = visit.page
        page.goto("/")
        ready(page)
        page.locator(".hero-act [type=submit]").click()
        expect(page.locator("[data-table]")).to_be_visible()
        table = Table(page)
        assert Game(table, Pointer(table), eager("wheel")).play() > 10
        expect(page.locator("[data-table]")).to_have_count(0)  # the end has its own screen
