"""Every code block and every command in the documents works: it runs, or is checked as exceptions.py says.

`tests/test_docs.py` has the tests of the documents that take no time.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.blocks import DOCUMENTS, ROOT, Block, blocks
from tests.docs.workspace import Workspace


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


@pytest.mark.parametrize("text", ["granada simulate --players nobody --games 2", "python missing.py", "make nothing"])
def test_a_broken_command_fails(text: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"README.md:1: "):
        Workspace(tmp_path).run(Block(ROOT / "README.md", 1, "sh", f"{text}\n"))


def test_a_wrong_example_fails(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="Expected"):
        Workspace(tmp_path).run(Block(ROOT / "README.md", 1, "python", ">>> 1 + 1\n3\n"))
