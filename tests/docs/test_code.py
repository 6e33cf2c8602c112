"""Every code block and every command in the documents works: it runs, or is checked as exceptions.py says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs import checks
from tests.docs.blocks import DOCUMENTS, ROOT, Block, blocks, inline_commands, prose
from tests.docs.exceptions import CHECKED, DATA, SMALLER, TYPED
from tests.docs.workspace import Workspace

RUNNING = {"python", "javascript", "sh"}


def by_path(value: object) -> str:
    return str(value.relative_to(ROOT)) if isinstance(value, Path) else ""


@pytest.mark.parametrize("document", [path for path in DOCUMENTS if blocks(path)], ids=by_path)
def test_the_code_runs(document: Path, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    try:
        for block in blocks(document):
            workspace.run(block)
    finally:
        workspace.close()


@pytest.mark.parametrize("document", DOCUMENTS, ids=by_path)
def test_commands_within_sentences_exist(document: Path) -> None:
    for command in inline_commands(document):
        checks.inline(command)


@pytest.mark.parametrize("document", DOCUMENTS, ids=by_path)
def test_every_block_is_fenced_and_has_a_language(document: Path) -> None:
    assert [block.place for block in blocks(document) if block.language not in RUNNING | DATA.keys()] == []
    assert re.findall(r"(?:^|\n)\n((?: {4}|\t)(?! *(?:[-*]|\d+\.) ).*)", prose(document)) == [], (
        "indented code has no language"
    )


def test_every_exception_is_needed() -> None:
    found = [block for path in DOCUMENTS for block in blocks(path)]
    commands = [command for block in found if block.language == "sh" for command in block.commands()]
    unneeded = [
        row.pattern for row in (*SMALLER, *TYPED, *CHECKED) if not any(re.search(row.pattern, one) for one in commands)
    ]
    assert unneeded == []
    assert DATA.keys() <= {block.language for block in found}


@pytest.mark.parametrize("text", ["granada simulate --players nobody --games 2", "python missing.py", "make nothing"])
def test_a_broken_command_fails(text: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"README.md:1: "):
        Workspace(tmp_path).run(Block(ROOT / "README.md", 1, "sh", f"{text}\n"))


def test_a_wrong_example_fails(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="Expected"):
        Workspace(tmp_path).run(Block(ROOT / "README.md", 1, "python", ">>> 1 + 1\n3\n"))


def test_the_plan_for_a_million_tables_uses_the_measured_figures() -> None:
    figures, _, counted = blocks(ROOT / "docs" / "million.md")[0].text.partition("entry_bytes")
    assert counted
    measured = (ROOT / "docs" / "load.md").read_text("utf-8")
    numbers = re.findall(r"\b\d[\d_.]*\b", re.sub(r"#.*", "", figures))
    assert len(numbers) == 8
    assert [number for number in numbers if number.replace("_", ",") not in measured] == []
