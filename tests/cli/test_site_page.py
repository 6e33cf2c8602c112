"""The page, the headers and the service worker of a static site."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from build_page import WEB
from granada.cli.precache import content_hash, kept_files, service_worker, write_service_worker
from granada.cli.site_page import headers_file, home_files, site_page
from granada.server.http.security_headers import site_policy

INDEX = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
    <script type="module" crossorigin src="/assets/index-AbCd1234.js"></script>
    <link rel="stylesheet" crossorigin href="./assets/index-AbCd1234.css">
  </head>
  <body></body>
</html>
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for path in (
        "index.html",
        "404.html",
        "assets/a.js",
        "assets/a.js.br",
        "python/x.zip.txt",
        "_headers",
        ".nojekyll",
    ):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(path, "utf-8")
    return tmp_path


def listed(script: str) -> dict[str, object]:
    line = script.splitlines()[0]
    found: dict[str, object] = json.loads(line.removeprefix("self.granadaSite = ").removesuffix(";"))
    return found


def test_all_addresses_of_the_page_are_below_the_base() -> None:
    page = site_page(INDEX, "/games/", "python/runtime-1.json")
    assert page.count('="/games/assets/') == INDEX.count("/assets/")
    assert '="/assets/' not in page
    assert '<meta name="granada-site" content="/games/" />' in page
    assert '<meta name="granada-python" content="python/runtime-1.json" />' in page


def test_the_policy_comes_before_everything_it_applies_to() -> None:
    page = site_page(INDEX, "/", "")
    policy = page.index("Content-Security-Policy")
    assert policy < page.index("<link") < page.index("<script")
    assert site_policy().replace("'", "&#x27;") in page
    assert "granada-python" not in page


def test_a_page_without_a_place_for_the_policy_is_an_error() -> None:
    with pytest.raises(ValueError, match="no charset"):
        site_page("<html></html>", "/", "")


def test_the_files_of_the_home_page_are_preloaded_once() -> None:
    manifest = {
        "index.html": {"file": "assets/index.js", "imports": ["_base.js"], "css": ["assets/index.css"]},
        "_base.js": {"file": "assets/base.js"},
        "src/screens/Home.svelte": {
            "file": "assets/Home.js",
            "imports": ["_base.js", "_a.js"],
            "css": ["assets/a.css"],
        },
        "src/device/start.ts": {"file": "assets/start.js", "imports": ["_a.js", "_b.js"]},
        "_a.js": {"file": "assets/a.js", "imports": ["_b.js"], "css": ["assets/a.css"]},
        "_b.js": {"file": "assets/b.js", "imports": ["_a.js"]},
        "src/screens/Rules.svelte": {"file": "assets/Rules.js"},
    }
    files = home_files(json.dumps(manifest))
    assert files == ["assets/Home.js", "assets/a.css", "assets/start.js", "assets/a.js", "assets/b.js"]
    page = site_page(INDEX, "/games/", "", files)
    assert page.count('<link rel="modulepreload" crossorigin href="/games/assets/') == 4
    assert '<link rel="preload" as="style" crossorigin href="/games/assets/a.css" />' in page
    assert page.index("/games/assets/index-AbCd1234.js") < page.index("/games/assets/Home.js") < page.index("</head>")


def test_the_headers_hold_for_the_whole_site() -> None:
    rules: dict[str, list[str]] = {}
    for line in headers_file("/games/").splitlines():
        if line.startswith("/"):
            path = line
        else:
            rules.setdefault(path, []).append(line.strip())
    assert "x-content-type-options: nosniff" in rules["/games/*"]
    assert "cross-origin-resource-policy: cross-origin" in rules["/games/*"]
    policy = f"content-security-policy: {site_policy()}"
    pages = {"/games/", "/games/index.html", "/games/404.html", "/games/embed.html"}
    # Workers have the policy of their own files.
    files = {"/games/assets/*", "/games/python/*", "/games/sw.js"}
    assert {path for path, headers in rules.items() if policy in headers} == pages | files
    assert "cache-control: no-cache" in rules["/games/sw.js"]


def test_the_service_worker_lists_what_is_needed_offline(site: Path) -> None:
    write_service_worker(site, "run();\n")
    script = (site / "sw.js").read_text("utf-8")
    assert script.endswith(";\nrun();\n")
    expected = {path: content_hash(path.encode()) for path in ("assets/a.js", "index.html", "python/x.zip.txt")}
    assert listed(script)["files"] == expected == kept_files(site)


def test_every_change_is_a_new_version(site: Path) -> None:
    def version(script: str = "run();") -> object:
        return listed(service_worker(script, kept_files(site)))["version"]

    first = version()
    assert version() == first
    assert version("run(1);") != first
    (site / "assets/a.js").write_text("changed", "utf-8")
    assert version() != first


def test_the_service_worker_answers_for_every_screen() -> None:
    routes = (WEB / "src" / "routes.ts").read_text("utf-8")
    found = set(re.findall(r"\[/\^\\/(\w*)", routes))
    script = (WEB / "src" / "device" / "service_worker.ts").read_text("utf-8")
    screens = re.search(r"const SCREENS = \[(.*?)\];", script, re.DOTALL)
    assert screens is not None
    assert found == set(re.findall(r'"(\w*)"', screens[1]))
