"""The list of commands."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from granada.cli import _parser

ROOT = Path(__file__).parents[2]


def commands() -> set[str]:
    """Return the names of all commands."""
    (found,) = [action for action in _parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return set(found.choices)


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [("docs/library.md", "## Command line\n", "\n!["), ("CHANGELOG.md", "- Command line: ", "\n- ")],
)
def test_the_documents_list_every_command(name: str, first: str, last: str) -> None:
    text = (ROOT / name).read_text("utf-8").partition(first)[2].partition(last)[0]
    assert text
    assert commands() - set(re.findall(r"`(?:granada )?(\w+)`", text)) == set()


def test_the_command_line_of_the_library_shows_every_command() -> None:
    text = (ROOT / "docs" / "library.md").read_text("utf-8")
    assert set(re.findall(r"^granada (\w+)", text, re.MULTILINE)) == commands()
