"""The files for the host of the repository: they are valid, and what they name exists here."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import granada
from granada import __version__
from release.checks import check_citation
from tests.packaging.installing import PATIENCE, ROOT

GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ADDRESS = PROJECT["project"]["urls"]["Repository"]
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
#: The schemas that check-jsonschema contains, and the files that must follow them.
SCHEMAS = {
    "github-workflows": WORKFLOWS,
    "github-issue-forms": FORMS,
    "github-issue-config": [GITHUB / "ISSUE_TEMPLATE" / "config.yml"],
    "dependabot": [GITHUB / "dependabot.yml"],
    "citation-file-format": [ROOT / "CITATION.cff"],
    "compose-spec": [ROOT / "deploy" / "compose.yaml"],
}
#: The permissions that a job may have beyond reading: to publish.
WRITING = {"pages": "write", "id-token": "write"}


def read(path: Path) -> Any:
    """Return the data in a YAML file."""
    return YAML(typ="safe").load(path)


def jobs(path: Path) -> dict[str, Any]:
    """Return the jobs of a workflow."""
    found: dict[str, Any] = read(path)["jobs"]
    return found


def steps(path: Path) -> Iterator[dict[str, Any]]:
    """Return all steps of a workflow."""
    for job in jobs(path).values():
        yield from job.get("steps", ())


def lines(path: Path) -> list[str]:
    """Return all commands of a workflow."""
    return [line for step in steps(path) for line in step.get("run", "").splitlines()]


def check_schema(schema: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    """Check files against a schema."""
    options = ["--builtin-schema", f"vendor.{schema}", "--default-filetype", "yaml"]
    command = [sys.executable, "-m", "check_jsonschema", *options, *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_follow_their_schema(schema: str) -> None:
    assert SCHEMAS[schema]
    done = check_schema(schema, *SCHEMAS[schema])
    assert done.returncode == 0, done.stdout


def test_a_broken_workflow_does_not(tmp_path: Path) -> None:
    text = WORKFLOWS[0].read_text("utf-8")
    (tmp_path / "broken.yml").write_text(text.replace("runs-on:", "run-on:"), "utf-8")
    assert check_schema("github-workflows", tmp_path / "broken.yml").returncode == 1


def by_name(path: Path) -> str:
    return path.name


@pytest.mark.parametrize("path", WORKFLOWS, ids=by_name)
def test_actions_are_pinned_to_commits_with_the_name_of_their_version(path: Path) -> None:
    used = re.findall(r"uses: (?!\./)(.*)$", path.read_text("utf-8"), re.MULTILINE)
    assert used
    assert [use for use in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", use)] == []


def test_an_action_has_the_same_version_everywhere() -> None:
    used = {step["uses"] for path in WORKFLOWS for step in steps(path) if "uses" in step}
    assert len(used) == len({use.partition("@")[0] for use in used})


@pytest.mark.parametrize("path", WORKFLOWS, ids=by_name)
def test_workflows_may_only_read_unless_they_publish(path: Path) -> None:
    assert read(path)["permissions"] == {"contents": "read"}
    for name, job in jobs(path).items():
        more = job.get("permissions", {})
        assert more.items() <= WRITING.items()
        assert not more or (name == "publish" and "environment" in job)
        assert "uses" in job or job["timeout-minutes"] <= 90
    for step in steps(path):
        assert not step.get("uses", "").startswith("actions/checkout") or not step["with"]["persist-credentials"]
    assert "secrets." not in path.read_text("utf-8")
    # What others write, such as titles and branches, must not become part of a command.
    assert not [line for line in lines(path) if "${{" in line]


def test_publishing_needs_no_password() -> None:
    release = jobs(GITHUB / "workflows" / "release.yml")
    assert release["publish"]["permissions"] == {"id-token": "write"}
    assert release["publish"]["environment"] == "release"
    assert "with" not in release["publish"]["steps"][-1]
    # Nothing is published that was not tested and checked before.
    assert release["publish"]["needs"] == ["pure", "compiled"]
    assert (release["pure"]["needs"], release["compiled"]["needs"]) == (["check", "tests", "platforms"], "pure")


def test_a_release_is_tested_by_the_workflows_of_every_push() -> None:
    release = jobs(GITHUB / "workflows" / "release.yml")
    for name in ("tests", "platforms"):
        assert release[name] == {"uses": f"./.github/workflows/{name}.yml"}
        called = GITHUB / "workflows" / f"{name}.yml"
        assert {"push", "pull_request", "workflow_call"} <= set(read(called)["on"])
        # A called workflow must not cancel, or wait for, the one that calls it.
        assert (
            read(called)["concurrency"]["group"] != read(GITHUB / "workflows" / "release.yml")["concurrency"]["group"]
        )
    # All tags are needed to see what was released before: they come with the whole history, and only then.
    checkout = release["check"]["steps"][0]
    assert checkout["with"]["fetch-depth"] == 0
    assert "fetch-tags" not in checkout["with"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=by_name)
def test_commands_name_what_exists(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for line in lines(path):
        for target in re.findall(r"\bmake (\w[\w-]*)", line):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), line
        for name in re.findall(r"\b(?:tests|requirements)/[\w./]+", line):
            assert (ROOT / name).exists(), line
        for module in re.findall(r"python -m (\w+)", line):
            assert module in ("pip", "pytest", "build", "cibuildwheel"), line
        for package in re.findall(r"\^(\w+)==", line):
            pinned = (ROOT / "requirements" / "test.txt").read_text("utf-8")
            assert re.search(rf"^{package}==[0-9.]+ \\$", pinned, re.MULTILINE), line


def test_all_supported_versions_of_python_are_tested_and_built() -> None:
    classifiers = PROJECT["project"]["classifiers"]
    versions = [found[1] for text in classifiers if (found := re.fullmatch(r".* :: Python :: (3\.\d+)", text))]
    assert jobs(GITHUB / "workflows" / "tests.yml")["test"]["strategy"]["matrix"]["python"] == versions
    platforms = jobs(GITHUB / "workflows" / "platforms.yml")["rules"]["strategy"]["matrix"]
    assert {"ubuntu-latest", "macos-latest", "windows-latest"} == set(platforms["os"])
    assert set(platforms["python"]) == {versions[0], versions[-1]}


@pytest.mark.parametrize(
    ("platform", "kind"), [("linux", "manylinux_x86_64"), ("macos", "macosx_x86_64"), ("windows", "win_amd64")]
)
def test_wheels_are_built_for_every_version(platform: str, kind: str) -> None:
    command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", platform]
    architecture = ["--archs", "AMD64" if platform == "windows" else "x86_64"]
    done = subprocess.run([*command, *architecture, ROOT], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.split() == [f"cp{version}-{kind}" for version in ("311", "312", "313", "314")], done.stderr


def test_the_test_of_a_wheel_names_files_that_exist() -> None:
    commands = " ".join(PROJECT["tool"]["cibuildwheel"]["test-command"])
    named = re.findall(r"\{project}/(\S+)", commands)
    assert len(named) >= 3
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_a_wheel_whose_rules_are_not_compiled_fails_its_test() -> None:
    (line,) = [line for line in PROJECT["tool"]["cibuildwheel"]["test-command"] if "is_compiled" in line]
    program, *arguments = shlex.split(line)
    assert program == "python"
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0 if granada.is_compiled() else 1, "")


def test_files_are_the_same_bytes_on_every_system() -> None:
    attributes = dict(line.split(" ", 1) for line in (ROOT / ".gitattributes").read_text("utf-8").splitlines()[1:])
    assert attributes.pop("*") == "text=auto eol=lf"
    assert set(attributes.values()) == {"binary"}


def test_the_citation_is_that_of_this_version() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert citation["version"] == __version__
    texts = {name: (ROOT / name).read_text("utf-8") for name in ("CITATION.cff", "CHANGELOG.md")}
    assert check_citation(texts["CITATION.cff"], texts["CHANGELOG.md"], __version__) is None
    assert citation["license"] == PROJECT["project"]["license"]
    assert [author["name"] for author in citation["authors"]] == [
        author["name"] for author in PROJECT["project"]["authors"]
    ]


def test_all_files_name_the_same_repository() -> None:
    urls = PROJECT["project"]["urls"].values()
    texts = {path: path.read_text("utf-8") for path in [*GITHUB.rglob("*.*"), *ROOT.glob("*.md"), *ROOT.glob("*.cff")]}
    owner = ADDRESS.rpartition("/")[0]
    named = [url for text in texts.values() for url in re.findall(rf"{re.escape(owner)}/[^\s)>]*", text)]
    assert len(named) >= 3
    assert [url for url in [*named, *urls] if not f"{url}/".startswith(f"{ADDRESS}/")] == []


def test_the_updates_look_into_folders_that_have_something_to_update() -> None:
    files = {
        "github-actions": ".github/workflows",
        "pip": "server.txt",
        "npm": "package.json",
        "docker": "Containerfile",
    }
    updates = read(GITHUB / "dependabot.yml")["updates"]
    assert {update["package-ecosystem"] for update in updates} == set(files)
    for update in updates:
        assert (ROOT / update["directory"].strip("/") / files[update["package-ecosystem"]]).exists()


def test_the_hooks_before_a_commit_run_the_programs_of_make_test() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8").replace("$(BIN)", ".venv/bin")
    (repository,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert {"id", "name", "entry", "language"} <= set(hook)
        assert re.search(rf"^\t{re.escape(hook['entry'])}\b", makefile, re.MULTILINE), hook["entry"]


@pytest.mark.parametrize("name", ["SECURITY.md", "CODE_OF_CONDUCT.md", ".github/pull_request_template.md"])
def test_what_a_repository_should_say_is_said(name: str) -> None:
    assert len((ROOT / name).read_text("utf-8")) > 300
