"""Building Python for the site: when it is out of date, error messages, and what is packed."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import build_site
from build_page import Node
from build_site import SiteError


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a built site and its sources."""
    places = {
        "ROOT": ".",
        "WEB": "web",
        "SOURCE": "src",
        "SITE": "src/granada/site",
        "STAMP": "src/granada/site/.stamp",
        "RUNTIME": "web/runtime",
        "REQUIREMENTS": "requirements/browser.txt",
        "WHEELS": "build/wheels",
        "__file__": "build_site.py",
    }
    for name, place in places.items():
        monkeypatch.setattr(build_site, name, str(tmp_path / place) if name == "__file__" else tmp_path / place)
    for name in (
        "build_site.py",
        "requirements/browser.txt",
        "web/runtime/pack.js",
        "src/granada/rules/state.py",
        "src/granada/data/huts.csv",
        "src/granada/server/server.py",
        "src/granada/site/components.json",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name, "utf-8")
    _lock(tmp_path, "1.0.0")
    (tmp_path / "src/granada/site/.stamp").write_text(build_site.source_hash(), "utf-8")
    return tmp_path


def _lock(folder: Path, version: str) -> None:
    packages = {"node_modules/pyodide": {"version": version}, "node_modules/vite": {"version": "8.0.0"}}
    (folder / "web/package-lock.json").write_text(json.dumps({"packages": packages}), "utf-8")


def test_a_site_is_built_again_only_if_something_in_it_has_changed(sources: Path) -> None:
    assert build_site.is_built()
    assert not build_site.build()
    for untouched in ("src/granada/server/server.py", "src/granada/learning/new.py", "src/granada/rules/state.pyc"):
        (sources / untouched).parent.mkdir(parents=True, exist_ok=True)
        (sources / untouched).write_text("changed", "utf-8")
        assert build_site.is_built(), untouched
    for changed in ("src/granada/rules/state.py", "src/granada/data/huts.csv", "web/runtime/pack.js"):
        before = build_site.source_hash()
        (sources / changed).write_text("changed", "utf-8")
        assert build_site.source_hash() != before
        assert not build_site.is_built()


def test_a_site_is_built_again_with_another_version_of_pyodide(sources: Path) -> None:
    _lock(sources, "1.0.1")
    assert not build_site.is_built()


def test_a_site_without_sources_is_up_to_date(sources: Path) -> None:
    (sources / "web/runtime/pack.js").unlink()
    (sources / "web/runtime").rmdir()
    assert build_site.is_built()
    (sources / "src/granada/site/components.json").unlink()
    with pytest.raises(SiteError, match="its sources are missing"):
        build_site.build()


def test_a_wheel_is_used_only_if_its_hash_is_pinned(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = sources / "build/wheels/msgspec-1.0-cp314.whl"
    wheel.parent.mkdir(parents=True)
    wheel.write_bytes(b"wheel")
    pinned = hashlib.sha256(b"wheel").hexdigest()
    (sources / "requirements/browser.txt").write_text(f"msgspec==1.0 --hash=sha256:{pinned}\n", "utf-8")
    assert build_site.download() == wheel
    wheel.write_bytes(b"another wheel")
    asked: list[list[str]] = []

    def run(arguments: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(arguments)
        return subprocess.CompletedProcess(arguments, 1, "", "ERROR: NewConnectionError: Name or service not known")

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(SiteError, match=r"pip cannot download msgspec for Pyodide.*internet.*build/wheels"):
        build_site.download()
    assert "--require-hashes" in asked[0]
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: subprocess.CompletedProcess([], 1, "", "no such option"))
    with pytest.raises(SiteError, match="pip download failed"):
        build_site.download()


def test_a_failed_rehearsal_fails_the_build_and_keeps_the_old_site(
    sources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sources / "web/runtime/pack.js").write_text("process.exit(1)", "utf-8")
    pyodide = sources / "web/node_modules/pyodide"
    pyodide.mkdir(parents=True)
    (pyodide / "pyodide-lock.json").write_text('{"info": {}, "packages": {}}', "utf-8")
    monkeypatch.setattr(build_site, "PYODIDE", pyodide)
    wheel = sources / "empty.whl"
    with zipfile.ZipFile(wheel, "w"):
        pass
    monkeypatch.setattr(build_site, "download", lambda: wheel)
    monkeypatch.setattr(build_site, "install_modules", lambda _: None)
    # A Node that always fails.
    program = sources / "bin" / "node"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.exit('no module named x')\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(build_site, "require_node", lambda: Node(("npm",), program.parent))
    with pytest.raises(SiteError, match=r"packing Python failed(.|\n)*no module named x"):
        build_site.build()
    assert (sources / "src/granada/site/components.json").is_file()
    assert not list((sources / "build").glob("site-*"))


@pytest.fixture(scope="module")
def archives(site_folder: Path) -> dict[str, zipfile.ZipFile]:
    """The archives of the built site by name."""
    found = {path.name.partition("-")[0]: path for path in (site_folder / "python").glob("*.zip.txt")}
    return {name: zipfile.ZipFile(io.BytesIO(path.read_bytes())) for name, path in found.items()}


def test_the_description_names_all_files_with_their_sizes(site_folder: Path) -> None:
    (path,) = (site_folder / "python").glob("runtime-*.json")
    runtime = json.loads(path.read_text("utf-8"))
    files = [runtime["wasm"], runtime["library"], *runtime["archives"]]
    sizes = [(site_folder / "python" / file["path"]).stat().st_size for file in files]
    assert sizes == [file["bytes"] for file in files]
    assert runtime["bytes"] == sum(sizes)
    assert runtime["lock"]["packages"] == {}


def test_files_whose_content_changes_have_it_in_their_names(site_folder: Path) -> None:
    for path in [*(site_folder / "python").glob("*.zip.txt"), *(site_folder / "python").glob("*.json")]:
        content = path.read_bytes()
        known = hashlib.sha256(content.removesuffix(b"\n") if path.suffix == ".json" else content).hexdigest()
        assert path.name.partition("-")[2].partition(".")[0] == known[:10]


def test_archives_are_stored_and_contain_only_code_and_data(archives: dict[str, zipfile.ZipFile]) -> None:
    assert set(archives) == {"library", "granada", "msgspec"}
    for archive in archives.values():
        for entry in archive.infolist():
            assert entry.compress_type == zipfile.ZIP_STORED
            assert not entry.filename.endswith(".py")


def test_what_needs_a_server_or_numpy_is_not_packed(archives: dict[str, zipfile.ZipFile]) -> None:
    names = archives["granada"].namelist()
    for needed in ("granada/browser/app.pyc", "granada/tables/service.pyc", "granada/rules/state.pyc"):
        assert needed in names
    for left in ("server", "cli", "arena", "learning", "page", "site"):
        assert not [name for name in names if name.startswith(f"granada/{left}")]
    assert "granada/engine/training.pyc" not in names
    assert "granada/locales/de/picture.json" in names
    assert "granada/locales/de/home.json" not in names


def test_the_components_of_the_site_offer_the_levels_that_it_has(site_folder: Path) -> None:
    components = json.loads((site_folder / "components.json").read_text("utf-8"))
    levels = [level["id"] for level in components["levels"]]
    assert {"novice", "greedy", "builder", "search"} <= set(levels)
    assert len(components["tiles"]) > 100
