"""The web page: complete, compressed, cached by browsers, and compatible with its security headers."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest
from starlette.testclient import TestClient

from build_page import WEB, is_built
from granada.server.http import page as serving
from granada.server.http.app import bare_app
from granada.server.http.page import HASHED, PAGE, SCREENS
from granada.server.http.security_headers import HEADERS
from granada.server.ops.settings import Settings
from granada.server.server import Server
from tests.server.running import Guest, RunningServer, running

assert (PAGE / "index.html").is_file(), "the page is not built: run make page"
ASSETS = sorted(path.name for path in (PAGE / "assets").iterdir() if path.suffix not in (".br", ".gz"))
SCRIPTS = [name for name in ASSETS if name.endswith(".js")]
PUBLIC = sorted(path.name for path in (WEB / "public" / "assets").iterdir())
TABLE = "/t/0123456789abcdef"
ADDRESSES = (
    *("/", "/new", "/record", "/settings", "/about", "/learn", "/learn/money", "/rules", "/pad"),
    *("/puzzles", "/puzzles/12"),
    *("/me", "/me/games", "/me/stored"),
    *("/daily", "/daily/granada", "/daily/combined/2026-11-18"),
    *(TABLE, f"{TABLE}/replay", "/embed", "/embed.html"),
)
TYPES_OF_CONTENT = {
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("page")) as server:
        yield server


@pytest.fixture(scope="module")
def http(server: RunningServer) -> Iterator[httpx.Client]:
    """A client without compression unless requested."""
    with httpx.Client(base_url=server.url, headers={"accept-encoding": "identity"}) as client:
        yield client


def plain(name: str) -> bytes:
    return (PAGE / "assets" / name).read_bytes()


# Served


def test_the_page_is_made_of_the_sources_that_are_there() -> None:
    assert is_built(), "the page is out of date: run make page"


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_page_is_served_at_the_addresses_of_all_screens(http: httpx.Client, address: str) -> None:
    response = http.get(address)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["content-security-policy"] == HEADERS["content-security-policy"]
    # The first response sets the cookie, so it must not be cached.
    is_first = "set-cookie" in response.headers
    assert response.headers["cache-control"] == ("private, no-store" if is_first else "no-cache")
    assert response.content == (PAGE / "index.html").read_bytes()
    assert http.get(address).headers["cache-control"] == "no-cache"


def test_the_addresses_are_those_of_the_client() -> None:
    source = (WEB / "src" / "routes.ts").read_text("utf-8")
    patterns = [found.replace("\\/", "/") for found in re.findall(r"\[\s*/(\^.*?\$)/,", source)]
    assert len(patterns) >= 10
    for address in ADDRESSES:
        assert any(re.fullmatch(pattern, address) for pattern in patterns), address
    for pattern in patterns:
        assert any(re.fullmatch(pattern, address) for address in ADDRESSES), pattern


@pytest.mark.parametrize(
    "address", ["/nothing", "/t/short", f"{TABLE}/x", "/learn/a/b", "/new/", "/index.html", "/api1"]
)
def test_elsewhere_the_page_says_that_nothing_is_there(http: httpx.Client, address: str) -> None:
    response = http.get(address)
    assert response.status_code == 404
    assert response.content == (PAGE / "index.html").read_bytes()
    etag = http.get("/").headers["etag"]
    assert http.get(address, headers={"if-none-match": etag}).status_code == 404
    assert SCREENS.fullmatch(address) is None


@pytest.mark.parametrize("address", ["/api", "/api/", "/api/none", "/assets/none.js", "/assets/%2e%2e/index.html"])
def test_what_is_missing_in_the_api_and_among_files_is_refused_in_words(server: RunningServer, address: str) -> None:
    # Sent over a raw socket, because clients normalise the path.
    with httpx.Client() as client:
        url = httpx.URL(server.url).copy_with(raw_path=address.encode())
        response = client.get(url)
    assert response.status_code == 404
    assert response.json()["code"] == "not_found"


def test_only_reading_is_allowed(http: httpx.Client) -> None:
    for address in ("/", "/nothing", f"/assets/{ASSETS[0]}"):
        refused = http.post(address)
        assert (refused.status_code, refused.json()["code"]) == (405, "method_not_allowed")
        assert set(refused.headers["allow"].split(", ")) == {"GET", "HEAD"}


@pytest.mark.parametrize("address", ["/", TABLE, "/assets/icon.svg"])
def test_heads_are_those_of_whole_answers(http: httpx.Client, address: str) -> None:
    http.get("/")  # the first answer with a page sets the cookie
    head, whole = http.head(address), http.get(address)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "content-length", "cache-control", "etag"):
        assert head.headers[name] == whole.headers[name]


def test_whoever_gets_the_page_gets_a_secret_once(server: RunningServer) -> None:
    with httpx.Client(base_url=server.url) as client:
        assert "set-cookie" not in client.head("/").headers
        given = client.get(TABLE).headers["set-cookie"]
        assert "HttpOnly" in given
        assert "SameSite=Lax" in given
        for address in ("/", "/nothing", "/assets/icon.svg"):
            assert "set-cookie" not in client.get(address).headers
    assert "set-cookie" not in httpx.get(f"{server.url}/assets/icon.svg").headers


@pytest.mark.parametrize("name", ASSETS)
def test_every_file_is_served_with_its_type(http: httpx.Client, name: str) -> None:
    response = http.get(f"/assets/{name}")
    assert response.status_code == 200
    assert response.headers["content-type"] == TYPES_OF_CONTENT[name.rpartition(".")[2]]
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["vary"] == "accept-encoding"
    assert response.content == plain(name)


@pytest.mark.parametrize("name", ASSETS)
def test_files_with_a_hash_are_kept_for_ever_and_others_asked_for_again(http: httpx.Client, name: str) -> None:
    response = http.get(f"/assets/{name}")
    kept = response.headers["cache-control"]
    assert kept == ("no-cache" if name in PUBLIC else "public, max-age=31536000, immutable")
    again = http.get(f"/assets/{name}", headers={"if-none-match": response.headers["etag"]})
    assert (again.status_code, again.content, again.headers["cache-control"]) == (304, b"", kept)


def test_no_public_file_looks_as_if_it_had_a_hash() -> None:
    assert [name for name in PUBLIC if HASHED.fullmatch(name)] == []


@pytest.mark.parametrize("address", ["/", *[f"/assets/{name}" for name in SCRIPTS if len(plain(name)) > 2000]])
def test_texts_are_sent_compressed_to_those_who_read_it(server: RunningServer, address: str) -> None:
    path = PAGE / (address.lstrip("/") or "index.html")
    for asked, coding, suffix in (
        ("gzip, deflate, br, zstd", "br", ".br"),
        ("gzip", "gzip", ".gz"),
        ("br;q=0, gzip;q=0.5", "gzip", ".gz"),
        ("identity", None, ""),
    ):
        url = f"{server.url}{address}"
        with httpx.stream("GET", url, headers={"accept-encoding": asked}) as response:
            sent = b"".join(response.iter_raw())
        assert response.headers.get("content-encoding") == coding
        assert sent == path.with_name(path.name + suffix).read_bytes()
        assert len(sent) == int(response.headers["content-length"])
    packed = path.with_name(f"{path.name}.gz").read_bytes()
    assert gzip.decompress(packed) == path.read_bytes()
    assert len(packed) < path.stat().st_size


@pytest.mark.parametrize("path", ["/api/tables", "/api/names"])
def test_answers_of_the_api_are_never_compressed(http: httpx.Client, path: str) -> None:
    response = http.get(path, headers={"accept-encoding": "gzip, br"})
    assert response.status_code == 200
    assert "content-encoding" not in response.headers


@pytest.mark.parametrize("path", ["/api/components", "/api/puzzles"])
def test_components_and_puzzles_are_compressed_for_they_are_nobodys_secret(http: httpx.Client, path: str) -> None:
    packed = http.get(path, headers={"accept-encoding": "gzip"})
    plain = http.get(path, headers={"accept-encoding": "identity"})
    assert (packed.headers.get("content-encoding"), plain.headers.get("content-encoding")) == ("gzip", None)
    assert packed.json() == plain.json()


def test_logs_are_compressed_for_nothing_in_them_is_chosen_by_others(server: RunningServer) -> None:
    """They have hidden cards, but no text of another player, whose length in the compressed reply could reveal them."""
    with Guest(server) as ana:
        table = ana.open_table(["person", "greedy"])
        ana.start(table)
        path = f"/api/tables/{table}/log"
        packed = ana.http.get(path, headers={"accept-encoding": "gzip"})
        plain = ana.http.get(path, headers={"accept-encoding": "identity"})
    assert (packed.headers.get("content-encoding"), plain.headers.get("content-encoding")) == ("gzip", None)
    assert packed.json()["lines"][:5] == plain.json()["lines"][:5] != []


def test_a_page_that_is_not_built_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "PAGE", tmp_path / "page")
    client = TestClient(bare_app(Server(Settings(data_dir=str(tmp_path)))))
    response = client.get("/")
    assert response.status_code == 503
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "make page" in response.text
    assert client.get("/assets/icon.svg").status_code == 404


# What the headers forbid, and what they cannot


class Elements(HTMLParser):
    """Collects the elements of a document with their attributes, and the text inside scripts and styles."""

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


def test_the_page_has_no_inline_script_or_style() -> None:
    assert INDEX.inline == []
    for tag, attributes in INDEX.found:
        assert tag != "style"
        assert tag != "script" or str(attributes.get("src")).startswith("/assets/")
        assert not [key for key in attributes if key == "style" or key.startswith("on")]


def test_the_page_names_only_files_that_are_there() -> None:
    # An empty address loads the page itself again.
    named = {attributes[key] for _, attributes in INDEX.found for key in ("src", "href") if attributes.get(key)}
    assert {str(address).removeprefix("/assets/") for address in named} <= set(ASSETS)
    scripts = "".join(plain(name).decode() for name in SCRIPTS)
    assert set(re.findall(r"[\"'`]\./([\w-]+-[\w-]{8}\.js)[\"'`]", scripts)) <= set(SCRIPTS)


def test_scripts_make_no_code_of_texts() -> None:
    for name in SCRIPTS:
        assert re.search(r"\beval\(|new Function\(|document\.write|javascript:", plain(name).decode()) is None, name


def test_nothing_foreign_is_loaded() -> None:
    for name in ASSETS:
        if name.endswith((".js", ".css", ".svg", ".webmanifest")):
            text = plain(name).decode().replace("http://www.w3.org/", "")
            # Text and links may name other hosts; nothing may be fetched from them.
            assert (
                re.search(r"@import|url\([\"']?https?:|(?:from|import)\s*\(?[\"'`]https?:|src=[\"']https?:", text)
                is None
            )


def test_the_manifest_names_icons_that_are_there_in_the_size_they_claim(http: httpx.Client) -> None:
    manifest = json.loads(plain("manifest.webmanifest"))
    address = "/assets/manifest.webmanifest"
    # Relative addresses, so that a static site can use the same file under its base.
    assert [urljoin(address, manifest[key]) for key in ("start_url", "scope")] == ["/", "/"]
    assert manifest["display"] == "standalone"
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"192x192", "512x512"}
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        response = http.get(urljoin(address, icon["src"]))
        assert response.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = (int.from_bytes(response.content[at : at + 4], "big") for at in (16, 20))
            assert f"{width}x{height}" == icon["sizes"]
    tokens = (WEB / "src" / "styles" / "tokens.css").read_text("utf-8")
    assert f"--ground: {manifest['background_color'].lower()};" in tokens
