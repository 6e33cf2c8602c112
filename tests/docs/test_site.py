"""The documentation site: it builds without a warning, is complete, and loads nothing from elsewhere."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import granada
from docs_site.links import linked_files, with_site_links
from docs_site.reference import PACKAGES, page_of
from docs_site.rule_figures import EXAMPLES
from docs_site.rules_pages import text_of
from granada.locales import LANGUAGES
from tests.docs.blocks import ROOT
from tests.docs.site import built_docs

#: What a page loads by itself; anchors are only followed.
LOADING = {
    "audio": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "script": "src",
    "source": "src",
    "video": "src",
}


class Reader(HTMLParser):
    """Collects what a page loads, where it leads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.without_words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors |= {value for name, value in attrs if name in ("id", "name") and value}
        if (address := values.get(LOADING.get(tag, ""))) and values.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(address)
        if tag == "a" and (link := values.get("href")):
            self.links.append(link)
        if tag == "img" and not values.get("alt"):
            self.without_words.append(str(values.get("src")))


@pytest.fixture(scope="module")
def site(built_folder: Path) -> Path:
    return built_docs(built_folder)


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Reader]:
    return {path: Reader(path.read_text("utf-8")) for path in sorted(site.glob("**/*.html"))}


def test_pages_load_only_files_of_the_site(site: Path, pages: dict[Path, Reader]) -> None:
    for path, page in pages.items():
        for address in page.loaded:
            parts = urlsplit(address)
            if parts.scheme == "data":
                continue
            assert not parts.scheme, f"{path.relative_to(site)}: {address}"
            assert not parts.netloc, f"{path.relative_to(site)}: {address}"
            target = site / parts.path.lstrip("/") if parts.path.startswith("/") else path.parent / unquote(parts.path)
            assert target.exists(), f"{path.relative_to(site)}: {address}"
    for sheet in site.glob("**/*.css"):
        assert re.findall(r"@import|url\(['\"]?(?:https?:)?//", sheet.read_text("utf-8")) == [], sheet


def test_all_links_and_anchors_lead_somewhere(site: Path, pages: dict[Path, Reader]) -> None:
    broken = []
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its addresses begin at the top of the host
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = pages[target].anchors if target in pages else set()
            if not target.exists() or (parts.fragment and target in pages and unquote(parts.fragment) not in anchors):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_every_public_name_is_in_the_reference(site: Path, pages: dict[Path, Reader]) -> None:
    found = set().union(*[pages[site / page_of(package).replace(".md", ".html")].anchors for package in PACKAGES])
    text = (site / "reference" / "granada.html").read_text("utf-8")
    assert [name for name in granada.__all__ if f">{name}<" not in text] == []
    assert {"granada.rules.city.City.build", "granada.learning.token_game.TokenGame.observe"} <= found


def test_the_reference_names_every_package() -> None:
    packages = {
        str(path.parent.relative_to(ROOT / "src")).replace("/", ".") for path in ROOT.glob("src/granada/**/__init__.py")
    }
    left_out = {"granada.server.store.migrations", "granada.data", "granada.site"}
    assert {package for package in packages if "migrations" not in package} - left_out == set(PACKAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_of_every_language_have_their_pictures(site: Path, pages: dict[Path, Reader], language: str) -> None:
    page = site / "play" / f"{language}.html"
    text = page.read_text("utf-8")
    assert f'<html lang="{language}"' in text
    headings = re.findall(r"^## .*\{#([\w-]+)(?: ([\w-]+))?\}$", text_of(language), re.MULTILINE)
    assert {anchor for anchor, _ in headings} <= pages[page].anchors
    assert text.count('<figure class="rules">') == len([picture for _, picture in headings if picture])
    assert "<!-- picture -->" not in text
    pictures = [address for address in pages[page].loaded if address.startswith("pictures/")]
    assert len(pictures) > sum(len(examples) for examples in EXAMPLES["cities"].values())
    assert all(f'lang="{language}"' in (page.parent / picture).read_text("utf-8") for picture in pictures)


def test_every_picture_has_a_text(site: Path, pages: dict[Path, Reader]) -> None:
    assert [
        f"{path.relative_to(site)}: {page.without_words}" for path, page in pages.items() if page.without_words
    ] == []


def test_the_search_knows_every_language(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    assert sorted(index["config"]["lang"]) == sorted(LANGUAGES)
    assert {f"play/{language}.html" for language in LANGUAGES} <= {entry["location"] for entry in index["docs"]}


def test_markdown_was_understood_everywhere(site: Path) -> None:
    """Lists and tables without an empty line before them work on code hosting sites, but not in MkDocs."""
    for path in site.glob("**/*.html"):
        assert re.findall(r"\n(?:- [\w`*\[]|\|[^|\n]+\||```)[^\n]*", _article(path)) == [], path.relative_to(site)


def _article(path: Path) -> str:
    text = re.sub(r"<(pre|code)\b.*?</\1>", "", path.read_text("utf-8"), flags=re.DOTALL)
    return text[text.find("<article") : text.find("</article>")]


def test_links_lead_to_the_same_thing_in_the_repository_and_on_the_site() -> None:
    text = "[a](../CONTRIBUTING.md#tests) [b](rules.md) [c](../src/granada/locales/de/rules.md) `[d](../x.md)`"
    text += " [e](../deploy/compose.yaml)"
    assert with_site_links("players.md", text) == (
        "[a](contributing.md#tests) [b](rules.md) [c](play/de.md) `[d](../x.md)` [e](files/deploy/compose.yaml)"
    )
    assert linked_files("players.md", text) == {"deploy/compose.yaml"}
    assert (
        with_site_links("examples/index.md", "[a](../docs/shuffle.md) [b](line_bot.py)")
        == "[a](../shuffle.md) [b](line_bot.md)"
    )
    assert (
        with_site_links("rules.md", "```text\n[a](../x.md)\n```\n\n    [b](../x.md)\n")
        == "```text\n[a](../x.md)\n```\n\n    [b](../x.md)\n"
    )
