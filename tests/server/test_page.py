"""The page that is served: complete, in five languages, and nothing in it that the policy of the headers forbids."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path

import httpx
import pytest

from granada.bots import BOTS
from granada.rules.options import EDITIONS, MODULES
from granada.rules.tiles import TYPES
from granada.server.headers import HEADERS
from granada.server.problems import CODES
from tests.server.running import RunningServer, running

PAGE = Path(str(resources.files("granada"))) / "page"
ASSETS = sorted(path.name for path in (PAGE / "assets").iterdir())
SCRIPTS = {name: (PAGE / "assets" / name).read_text("utf-8") for name in ASSETS if name.endswith(".js")}
WORDS: dict[str, dict[str, str]] = json.loads((PAGE / "assets" / "words.json").read_text("utf-8"))
LANGUAGES = ("en", "de", "fr", "nl", "hu")
TYPES_OF_CONTENT = {
    "js": "text/javascript",
    "json": "application/json",
    "css": "text/css",
    "svg": "image/svg+xml",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("page")) as server:
        yield server


class Elements(HTMLParser):
    """The elements of a document with their attributes, and the text inside scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.inside.append("")

    def handle_data(self, data: str) -> None:
        if self.inside and self.inside[-1] in ("script", "style") and data.strip():
            self.inline.append(data)


INDEX = Elements((PAGE / "index.html").read_text("utf-8"))


# Served


@pytest.mark.parametrize("address", ["/", "/t/0123456789abcdef"])
def test_the_page_is_served_at_the_addresses_of_tables_too(server: RunningServer, address: str) -> None:
    response = httpx.get(server.url + address)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["content-security-policy"] == HEADERS["content-security-policy"]
    assert response.content == (PAGE / "index.html").read_bytes()


@pytest.mark.parametrize("name", ASSETS)
def test_every_asset_is_served_with_its_type(server: RunningServer, name: str) -> None:
    response = httpx.get(f"{server.url}/assets/{name}")
    assert response.status_code == 200
    assert response.headers["content-type"].partition(";")[0] == TYPES_OF_CONTENT[name.rpartition(".")[2]]
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.content == (PAGE / "assets" / name).read_bytes()


def test_the_page_names_only_assets_that_are_there() -> None:
    named = [attributes.get(key) for _, attributes in INDEX.found for key in ("src", "href") if key in attributes]
    named += [found for text in SCRIPTS.values() for found in re.findall(r"/assets/[\w.]+", text)]
    assert {str(address).removeprefix("/assets/") for address in named} <= set(ASSETS)
    imported = {found for text in SCRIPTS.values() for found in re.findall(r'from "\./([^"]+)"', text)}
    assert imported == set(SCRIPTS) - {"app.js"}


# What the policy forbids


def test_the_page_has_no_inline_script_or_style() -> None:
    assert INDEX.inline == []
    for tag, attributes in INDEX.found:
        assert tag != "style"
        assert tag != "script" or str(attributes.get("src")).startswith("/assets/")
        assert not [key for key in attributes if key == "style" or key.startswith("on")]


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_make_no_code_or_markup_of_texts(name: str) -> None:
    forbidden = r"\beval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\bstyle:|javascript:"
    assert re.search(forbidden, SCRIPTS[name]) is None


@pytest.mark.parametrize("name", [name for name in ASSETS if name != "icons.svg"])
def test_nothing_foreign_is_loaded(name: str) -> None:
    text = (PAGE / "assets" / name).read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
    assert re.search(r"https?://|url\(|@import", text) is None


# Words


def test_every_language_has_every_word() -> None:
    assert tuple(WORDS) == LANGUAGES
    for language, words in WORDS.items():
        assert list(words) == list(WORDS["en"]), language
        assert [key for key, text in words.items() if not text.strip()] == [], language


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_fill_in_the_same_values(language: str) -> None:
    for key, text in WORDS[language].items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", WORDS["en"][key])), key


def test_every_word_is_used() -> None:
    source = "".join(SCRIPTS.values())
    groups = set(re.findall(r"`(\w+)\.\$\{", source))
    unused = [key for key in WORDS["en"] if f'"{key}"' not in source and key.partition(".")[0] not in groups]
    assert unused == []


def test_every_word_that_is_used_is_there() -> None:
    used = {key for text in SCRIPTS.values() for key in re.findall(r'\bt\("([^"]+)"', text)}
    assert used - set(WORDS["en"]) == set()


def test_there_are_words_for_all_that_the_server_names() -> None:
    named = {
        "problem": CODES,
        "type": TYPES,
        "edition": EDITIONS,
        "module": MODULES,
        "level": BOTS,
    }
    for group, names in named.items():
        assert {f"{group}.{name}" for name in names} <= set(WORDS["en"])


def test_there_is_an_icon_for_every_type() -> None:
    icons = (PAGE / "assets" / "icons.svg").read_text("utf-8")
    for name in (*TYPES, "gulden", "dirham", "denar", "dukat"):
        assert f'<symbol id="icon-{name}"' in icons
