"""The documents: links work, cited files exist, lists are complete, and the README also works on PyPI."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from pkgutil import resolve_name

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from granada.server.ops.metrics import REGISTRY
from granada.server.ops.settings import PREFIX, Settings
from hatch_build import standalone_readme
from tests.docs import checks
from tests.docs.blocks import DOCUMENTS, ROOT, blocks, inline_commands, prose
from tests.docs.exceptions import CHECKED, DATA, RUNNABLE, SMALLER, TYPED
from tests.import_diagram import DOCUMENT, with_map, without_detours

#: The languages of blocks that run.
RUNNING = {"python", "javascript", "sh"}
#: Folders for files that are cited without their full path.
PLACES = [ROOT, *[ROOT / place for place in ("src/granada", "src/granada/data", "web/src", "web/src/table")]]
PLACES += [ROOT / "benchmarks", ROOT / "benchmarks" / "attacks", ROOT / "examples"]
REPOSITORY = "https://example.org/granada"


def links(text: str) -> list[str]:
    """Return the targets of all links and pictures in a document."""
    return re.findall(r"]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text)


def anchors(path: Path) -> set[str]:
    """Return the anchors of the headings in a document, as code hosting sites generate them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_and_headings(path: Path) -> None:
    for link in links(path.read_text("utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_cited_source_files_exist(path: Path) -> None:
    text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
    cited = re.findall(r"`([\w./-]+\.(?:py|ts|svelte|json|csv|md))`", text)
    missing = [name for name in cited if not any((place / name).exists() for place in PLACES)]
    assert [name for name in missing if name not in ("my_bot.py", "language.json", "SECTION.json", "rules.md")] == []


def test_cited_names_are_defined_in_the_cited_files() -> None:
    cited = re.findall(r"`([\w.]+)`\s(?:in\s|\()`([\w./]+\.(?:py|ts))`", DOCUMENT.read_text("utf-8"))
    assert len(cited) > 50
    missing = []
    for name, file in cited:
        path = next((place / file for place in PLACES if (place / file).exists()), None)
        text = "" if path is None else path.read_text("utf-8")
        for part in name.split("."):
            if not re.search(
                rf"\b(?:def|class|function|get|readonly) {part}\b|^ *{part}(?:\(.*{{$|[:=]| = )", text, re.M
            ):
                missing.append(f"{name} in {file}")
    assert missing == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_cited_parts_of_the_library_exist(path: Path) -> None:
    for name in re.findall(r"`(granada(?:\.\w+)+)\b", path.read_text("utf-8")):
        if name not in ("granada.sqlite", "granada.env", "granada.service", "granada.record"):
            assert resolve_name(name) is not None


def test_every_setting_is_documented() -> None:
    documented = re.findall(
        r"^\| `(GRANADA_\w+)` \|", (ROOT / "docs" / "operation.md").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(documented) == sorted([PREFIX + field.name.upper() for field in fields(Settings)])


def test_every_metric_is_documented() -> None:
    text = (ROOT / "docs" / "operation.md").read_text("utf-8")
    documented = {name.removesuffix("_total") for name in re.findall(r"`(granada_\w+)`", text)}
    assert {metric.name for metric in REGISTRY.collect() if metric.name.startswith("granada_")} == documented


def test_without_a_repository_the_readme_on_pypi_has_no_relative_links() -> None:
    text = standalone_readme((ROOT / "README.md").read_text("utf-8"))
    assert [link for link in links(text) if not link.startswith("https://")] == []
    assert "<img" not in text
    assert "Running Granada for a club (`docs/operation.md`)" in text


def test_with_a_repository_the_readme_on_pypi_has_all_links_and_pictures() -> None:
    before = (ROOT / "README.md").read_text("utf-8")
    text = standalone_readme(before, f"{REPOSITORY}/")
    assert [link for link in links(text) if not link.startswith("https://")] == []
    assert len(links(text)) == len(links(before))
    assert f"]({REPOSITORY}/blob/HEAD/docs/operation.md)" in text
    assert f'<img src="{REPOSITORY}/raw/HEAD/docs/screens/' in text
    assert standalone_readme("![a](b.png) [c](d.md) [e](https://f.org)", REPOSITORY) == (
        f"![a]({REPOSITORY}/raw/HEAD/b.png) [c]({REPOSITORY}/blob/HEAD/d.md) [e](https://f.org)"
    )


def test_the_package_describes_itself_by_that_readme() -> None:
    metadata = ProjectMetadata(str(ROOT), PluginManager())
    text = (ROOT / "README.md").read_text("utf-8")
    assert metadata.core.readme == standalone_readme(text, metadata.core.urls.get("Repository", ""))
    assert metadata.core.readme_content_type == "text/markdown"


def test_the_map_of_packages_is_up_to_date() -> None:
    text = DOCUMENT.read_text("utf-8")
    assert text == with_map(text), "run: python -m tests.import_diagram"


def test_the_map_leaves_out_arrows_that_follow_from_others() -> None:
    edges = {"cli": {"server", "rules"}, "server": {"tables", "rules"}, "tables": {"rules"}, "rules": set[str]()}
    assert without_detours(edges) == {"cli": {"server"}, "server": {"tables"}, "tables": {"rules"}, "rules": set()}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_within_sentences_exist(path: Path) -> None:
    for command in inline_commands(path):
        checks.inline(command)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_block_is_fenced_and_has_a_language(path: Path) -> None:
    assert [block.place for block in blocks(path) if block.language not in RUNNING | DATA.keys()] == []
    assert re.findall(r"(?:^|\n)\n((?: {4}|\t)(?! *(?:[-*]|\d+\.) ).*)", prose(path)) == [], (
        "indented code has no language"
    )


def test_every_exception_is_needed() -> None:
    found = [block for path in DOCUMENTS for block in blocks(path)]
    commands = [command for block in found if block.language == "sh" for command in block.commands()]
    unneeded = [
        row.pattern for row in (*SMALLER, *TYPED, *CHECKED) if not any(re.search(row.pattern, one) for one in commands)
    ]
    assert unneeded == []
    listed = [row.pattern for row in CHECKED]
    assert [
        one for one in commands if one.split()[0] not in RUNNABLE and not any(re.search(row, one) for row in listed)
    ] == [], "these may not run in the tests: list them in tests/docs/exceptions.py"
    assert DATA.keys() <= {block.language for block in found}


def test_the_plan_for_a_million_tables_uses_the_measured_figures() -> None:
    figures, _, counted = blocks(ROOT / "docs" / "million.md")[0].text.partition("entry_bytes")
    assert counted
    measured = (ROOT / "docs" / "load.md").read_text("utf-8")
    numbers = re.findall(r"\b\d[\d_.]*\b", re.sub(r"#.*", "", figures))
    assert len(numbers) == 8
    assert [number for number in numbers if number.replace("_", ",") not in measured] == []


def test_every_page_has_a_place_on_the_site() -> None:
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert [path.name for path in sorted(ROOT.glob("docs/*.md")) if f": {path.name}\n" not in text] == []
