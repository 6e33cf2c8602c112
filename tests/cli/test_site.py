"""`granada site`: what it writes, where it refuses to write, and that it works at any moment of an update."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from granada.cli.errors import CommandError
from granada.cli.site import MARKER, write_site
from tests.cli.command import complaint

INDEX = '<!doctype html><head><meta charset="utf-8" /><script type="module" src="/assets/a.js"></script></head>'


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A built client."""
    files = {"index.html": INDEX, "index.html.br": "", "sw.js": "run();", ".stamp": "1", "embed.js": ""}
    names = ("index.html", "src/screens/Home.svelte", "src/device/start.ts")
    files["chunks.json"] = json.dumps({name: {"file": f"assets/{Path(name).stem}.js"} for name in names})
    return _written(tmp_path / "page", {**files, "assets/a.js": "a", "assets/a.js.gz": ""})


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    """Built Python for it."""
    files = {".stamp": "1", "components.json": "{}", "python/runtime-1.json": "{}"}
    return _written(tmp_path / "runtime", {**files, "python/1.0/pyodide.mjs": "p"})


def _written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def _tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()
    }


def test_a_site_contains_the_client_python_and_what_hosts_need(tmp_path: Path, page: Path, runtime: Path) -> None:
    out = tmp_path / "out" / "site"
    files = write_site(out, "/games/", page, runtime)
    found = _tree(out)
    assert {*files, MARKER} == set(found)
    own = {"index.html", "404.html", "embed.html", "sw.js", "_headers", ".nojekyll"}
    assert set(files) == own | {
        "assets/a.js",
        "components.json",
        "embed.js",
        "python/1.0/pyodide.mjs",
        "python/runtime-1.json",
    }
    assert found["404.html"] == found["embed.html"]
    preload = '<link rel="modulepreload" crossorigin href="/games/assets/Home.js" />'
    assert (preload in found["index.html"], preload in found["404.html"]) == (True, False)
    for name in ("index.html", "404.html"):
        assert '<link rel="preload" as="fetch" crossorigin href="/games/components.json" />' in found[name]
    assert 'src="/games/assets/a.js"' in found["index.html"]
    assert 'content="python/runtime-1.json"' in found["index.html"]
    kept = json.loads(found["sw.js"].partition(" = ")[2].partition(";\n")[0])["files"]
    assert set(kept) == {
        "index.html",
        "embed.html",
        "assets/a.js",
        "components.json",
        "python/1.0/pyodide.mjs",
        "python/runtime-1.json",
    }


def test_a_site_is_replaced_and_other_files_beside_it_stay(tmp_path: Path, page: Path, runtime: Path) -> None:
    out = tmp_path / "site"
    write_site(out, "/", page, runtime)
    _written(out, {"CNAME": "example.org", ".git/HEAD": "ref", "assets/mine.png": "picture"})
    (page / "assets/a.js").rename(page / "assets/b.js")
    files = write_site(out, "/other/", page, runtime)
    found = _tree(out)
    assert set(found) == {*files, MARKER, "CNAME", ".git/HEAD", "assets/mine.png"}
    assert "assets/a.js" not in found
    assert 'content="/other/"' in found["index.html"]


def test_writing_twice_gives_the_same_bytes(tmp_path: Path, page: Path, runtime: Path) -> None:
    write_site(tmp_path / "one", "/", page, runtime)
    write_site(tmp_path / "two", "/", page, runtime)
    write_site(tmp_path / "two", "/", page, runtime)
    assert _tree(tmp_path / "one") == _tree(tmp_path / "two")


def test_an_interrupted_update_can_be_repeated(
    tmp_path: Path, page: Path, runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "site"
    write_site(out, "/", page, runtime)
    before = _tree(out)
    (page / "assets/a.js").rename(page / "assets/b.js")
    replace = Path.replace

    def full(self: Path, target: Path) -> Path:
        if target.name == "index.html":
            raise OSError(28, "No space left on device", str(target))
        return replace(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        with pytest.raises(CommandError, match=r"cannot write .*index\.html: No space left on device"):
            write_site(out, "/", page, runtime)
    # The old pages are still there with everything that they name.
    assert {name: text for name, text in _tree(out).items() if name in before and name != MARKER} == {
        name: text for name, text in before.items() if name != MARKER
    }
    files = write_site(out, "/", page, runtime)
    assert set(_tree(out)) == {*files, MARKER}


@pytest.mark.parametrize("content", ["", "[]", '{"files": 3}', '{"files": ["a"'])
def test_a_damaged_marker_is_refused(tmp_path: Path, page: Path, runtime: Path, content: str) -> None:
    out = _written(tmp_path / "out", {MARKER: content, "mine.txt": "text"})
    with pytest.raises(CommandError, match=r"\.granada-site is damaged"):
        write_site(out, "/", page, runtime)


def test_nothing_outside_the_folder_is_removed(tmp_path: Path, page: Path, runtime: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("text", "utf-8")
    out = _written(tmp_path / "out", {MARKER: json.dumps({"files": ["../mine.txt", str(mine)]})})
    write_site(out, "/", page, runtime)
    assert mine.exists()


def test_a_folder_with_other_files_is_refused(tmp_path: Path, page: Path, runtime: Path) -> None:
    out = _written(tmp_path / "out", {"mine.txt": "text"})
    with pytest.raises(CommandError, match="not empty and was not written by granada site"):
        write_site(out, "/", page, runtime)
    with pytest.raises(CommandError, match="is not a folder"):
        write_site(out / "mine.txt", "/", page, runtime)
    assert _tree(out) == {"mine.txt": "text"}


@pytest.mark.parametrize("missing", ["page/index.html", "page/sw.js", "runtime/python/runtime-1.json"])
def test_an_installation_without_a_built_site_is_explained(
    tmp_path: Path, page: Path, runtime: Path, missing: str
) -> None:
    (tmp_path / missing).unlink()
    with pytest.raises(CommandError, match="has no built site: install granada from a wheel, or run make site"):
        write_site(tmp_path / "out", "/", page, runtime)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "base", ["", "name", "/name", "name/", "//", "/../", "/a/../b/", "/a b/", "/ä/", "/a?b/", "/.git/"]
)
def test_a_base_that_is_no_path_is_refused(tmp_path: Path, base: str) -> None:
    found = complaint("site", "--out", tmp_path / "out", "--base", base)
    assert "is not a path with a slash at both ends, like /name/" in found
    assert not (tmp_path / "out").exists()


def test_a_folder_has_to_be_named() -> None:
    assert "--out" in complaint("site")
