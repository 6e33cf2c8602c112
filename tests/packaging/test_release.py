"""`make release`: every check with input that passes and input that does not, and the list of components."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tomllib
from dataclasses import replace
from email.message import Message
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

from granada import __version__
from release.__main__ import DOCUMENTS, main
from release.checks import (
    check_address,
    check_changelog,
    check_citation,
    check_documents,
    check_licences,
    check_tag,
    check_version,
)
from release.components import Component, bill_of_materials, components
from release.licences import licence_of
from tests.packaging.installing import ROOT, run

CHANGELOG = "# Changelog\n\n## 1.2.0 (2026-11-19)\n\n- New.\n\n## 1.1.0 (2026-01-01)\n\n- Old.\n"
CITATION = "cff-version: 1.2.0\nversion: 1.2.0\ndate-released: 2026-11-19\n"
HOME = "https://github.com/someone/granada"


@pytest.mark.parametrize(
    ("advice", "expected"),
    [
        (check_version("1.2.0", ["v1.1.0"]), None),
        (check_version("1.2.0rc1", []), None),
        (check_version("1.2", []), "not a version"),
        (check_version("1.2.0.dev1", []), "not a version"),
        (check_version("1.2.0", ["v1.2.0"]), "raise __version__"),
        (check_changelog(CHANGELOG, "1.2.0"), None),
        (check_changelog(CHANGELOG, "1.3.0"), "Begin CHANGELOG.md with a section '## 1.3.0 (YYYY-MM-DD)'"),
        (check_changelog("", "1.2.0"), "Begin CHANGELOG.md"),
        (check_changelog(CHANGELOG.replace("2026-11-19", "unreleased"), "1.2.0"), "Replace 'unreleased'"),
        (check_changelog(CHANGELOG.replace("- New.\n", ""), "1.2.0"), "what is new in 1.2.0"),
        (check_citation(CITATION, CHANGELOG, "1.2.0"), None),
        (check_citation(CITATION, CHANGELOG, "1.3.0"), "Set 'version: 1.3.0'"),
        (check_citation(CITATION.replace("11-19", "11-20"), CHANGELOG, "1.2.0"), "Set 'date-released: 2026-11-19'"),
        (
            check_citation(CITATION.replace("date-released: 2026-11-19\n", ""), CHANGELOG, "1.2.0"),
            "Set 'date-released: ",
        ),
        (check_citation(CITATION, CHANGELOG.replace("2026-11-19", "unreleased"), "1.2.0"), "Remove 'date-released'"),
        (check_citation("version: 1.2.0\n", CHANGELOG.replace("2026-11-19", "unreleased"), "1.2.0"), None),
        (check_tag("1.2.0", ["v1.2.0"], []), None),
        (check_tag("1.2.0", ["v1.1.0"], []), "git tag -a v1.2.0"),
        (check_tag("1.2.0", ["v1.2.0"], ["README.md"]), "Commit or remove README.md"),
        (check_address(HOME, f"{HOME}.git"), None),
        (check_address(HOME, "git@github.com:someone/granada.git"), None),
        (check_address(HOME, "https://github.com/else/granada"), "Set the addresses in [project.urls]"),
        (check_address(HOME, ""), "Release from a clone"),
    ],
)
def test_a_check_passes_or_says_what_to_do(advice: str | None, expected: str | None) -> None:
    if expected is None:
        assert advice is None
    else:
        assert advice is not None
        assert expected in advice
        assert re.search(r"[^.]\.$|'\.$", advice)


def test_generated_documents_must_be_current(tmp_path: Path) -> None:
    def writing(text: str) -> str | None:
        program = f"open('made.md', 'w').write({text!r})"
        return check_documents(tmp_path, {"make it": ([sys.executable, "-c", program], ["made.md"])})

    assert writing("new") == "'make it' has changed made.md: check and commit the difference."
    assert writing("new") is None
    assert "'make it' has changed made.md" in str(writing("newer"))
    failing = {"make it": ([sys.executable, "-c", "raise SystemExit('no disk')"], ["made.md"])}
    assert check_documents(tmp_path, failing) == "Find out why 'make it' fails: no disk"


def git(place: Path, *arguments: str) -> None:
    """Run git, without anybody's settings."""
    identity = ("-c", "user.name=Someone", "-c", "user.email=someone@example.org")
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    run("git", *identity, *arguments, cwd=place, environment=environment)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository at the commit of a release that is not tagged yet."""
    for name in (
        "requirements/server.txt",
        "requirements/browser.txt",
        "web/package-lock.json",
        "src/granada/page/NOTICES.txt",
        *[
            path.relative_to(ROOT).as_posix()
            for path in (ROOT / "src" / "granada" / "site" / "python").glob("runtime-*.json")
        ],
        "pyproject.toml",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG.replace("1.2.0", __version__), "utf-8")
    (tmp_path / "CITATION.cff").write_text(CITATION.replace("version: 1.2.0", f"version: {__version__}"), "utf-8")
    (tmp_path / ".gitignore").write_text("dist/\n", "utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "remote", "add", "origin", repository())
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Release")
    return tmp_path


def repository() -> str:
    """Return the address of the repository."""
    address: str = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]
    return address


def test_a_release_is_ready_when_its_commit_is_tagged(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents = {"make it": ((sys.executable, "-c", "open('made.md', 'w').write('made')"), ("made.md",))}
    assert main(clone, documents) == 1
    assert "FAIL  documents  'make it' has changed made.md: check and commit" in capsys.readouterr().out
    assert main(clone, documents) == 1
    out = capsys.readouterr().out
    assert "FAIL  tag        Commit or remove made.md: " in out
    assert out.endswith("Not ready: tag.\n")
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "--message", "Document")
    assert main(clone, documents) == 1
    assert f"FAIL  tag        Tag this commit when all other checks pass: git tag -a v{__version__} -m" in (
        capsys.readouterr().out
    )
    git(clone, "tag", "--annotate", f"v{__version__}", "--message", f"Granada {__version__}")
    assert main(clone, documents) == 0
    *lines, wrote, ready = capsys.readouterr().out.splitlines()
    checks = ["version", "changelog", "citation", "address", "licences", "documents", "tag"]
    assert [line.split() for line in lines] == [["ok", check] for check in checks]
    assert ready == f"Version {__version__} is ready to be released."
    bill = clone / "dist" / f"granada-{__version__}.cdx.json"
    assert json.loads(bill.read_text("utf-8")) == bill_of_materials(__version__, components(ROOT))
    assert wrote == f"Wrote dist/{bill.name}: {len(components(ROOT))} components."


def test_a_version_is_released_once(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    git(clone, "tag", f"v{__version__}")
    (clone / "more.md").write_text("more", "utf-8")
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "--message", "Add more")
    git(clone, "remote", "remove", "origin")
    assert main(clone, {}) == 1
    out = capsys.readouterr().out
    assert f"FAIL  version    Version {__version__} was released already: " in out
    assert out.endswith("Not ready: version, address, tag.\n")


def test_the_generators_of_documents_exist() -> None:
    for arguments, names in DOCUMENTS.values():
        assert [name for name in names if not (ROOT / name).is_file()] == []
        if arguments[0] == "make":
            assert f"\n{arguments[-1]}:" in (ROOT / "Makefile").read_text("utf-8")
        else:
            assert find_spec(arguments[2]) is not None


@pytest.fixture(scope="module")
def found() -> list[Component]:
    """The components of this version."""
    return components(ROOT)


def test_the_components_are_those_of_server_client_and_site(found: list[Component]) -> None:
    versions = {one.name: one.version for one in found}
    assert versions["starlette"] == version("starlette")
    assert {"svelte", "uqr", "pyodide", "cpython", "numpy", "msgspec"} <= set(versions)
    assert not {"vite", "eslint", "pytest", "mypy"} & set(versions)  # they build and check, and are not shipped
    assert [one.name for one in found if not one.hashes] == ["cpython"]


def test_every_locked_package_of_the_server_is_a_component(found: list[Component]) -> None:
    lock = (ROOT / "requirements" / "server.txt").read_text("utf-8")
    assert {line.partition("==")[0] for line in lock.splitlines() if "==" in line} <= {one.name for one in found}


def test_everything_that_the_client_imports_is_in_its_notices(found: list[Component]) -> None:
    imported: set[str] = set()
    for path in [path for kind in ("*.ts", "*.svelte") for path in (ROOT / "web" / "src").rglob(kind)]:
        names = re.findall(r'^\s*import (?!type)[^;]*?"([a-z@][\w/@-]*)"', path.read_text("utf-8"), re.MULTILINE)
        imported |= {name.split("/")[0] for name in names if not name.endswith(".css")}
    assert imported >= {"svelte", "uqr"}
    assert imported <= {one.name for one in found}


def test_dependencies_have_licences_that_can_be_fulfilled(found: list[Component]) -> None:
    assert check_licences(found) is None
    wrong = [*found, replace(found[0], name="viral", licence="GPL-3.0-only"), replace(found[0], name="odd", licence="")]
    assert str(check_licences(wrong)).startswith("Replace viral (GPL-3.0-only), odd (unknown), or add")


def test_licences_are_read_from_expressions_and_classifiers() -> None:
    old, new, none = Message(), Message(), Message()
    old["Classifier"] = "License :: OSI Approved :: MIT License"
    old["Classifier"] = "License :: OSI Approved :: BSD License"
    new["License-Expression"] = "MIT OR GPL-3.0-only"
    assert [licence_of(one) for one in (old, new, none)] == [  # type: ignore[arg-type]
        "BSD-3-Clause AND MIT",
        "MIT OR GPL-3.0-only",
        "",
    ]


def test_the_bill_of_materials_names_every_component_once(found: list[Component]) -> None:
    bill = json.loads(json.dumps(bill_of_materials("1.2.0", found)))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["purl"] == "pkg:pypi/granada@1.2.0"
    references = [one["bom-ref"] for one in bill["components"]]
    assert len(set(references)) == len(found)
    assert bill["dependencies"] == [{"ref": "pkg:pypi/granada@1.2.0", "dependsOn": references}]
    for one in bill["components"]:
        assert one["licenses"][0]["expression"]
        for digest in one.get("hashes", []):
            assert len(digest["content"]) == {"SHA-256": 64, "SHA-512": 128}[digest["alg"]]
