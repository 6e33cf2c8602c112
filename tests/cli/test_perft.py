"""`granada perft`, and golden counts for the offers of every edition; run as a script to rewrite them."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from granada.cli import main
from granada.rules.options import EDITIONS
from tests.cli.command import output
from tests.kit import module_sets

GOLDEN = Path(__file__).parents[1] / "golden" / "perft.txt"
HEAD = "# Positions at depth 1, 2 and 3: granada perft ARGUMENTS; python -m tests.cli.test_perft rewrites this file.\n"


def counts(arguments: str) -> list[int]:
    """Return the number of positions at each depth."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert main(["perft", *arguments.split()]) == 0
    lines = printed.getvalue().split("\n")
    return [int(line.split()[1]) for line in lines[2:-1]]


def golden() -> list[tuple[str, list[int]]]:
    """Return the golden counts by arguments."""
    rows = [line.rsplit(":", 1) for line in GOLDEN.read_text("utf-8").split("\n") if line and line[0] != "#"]
    return [(arguments, [int(count) for count in numbers.split()]) for arguments, numbers in rows]


@pytest.mark.parametrize(("arguments", "numbers"), golden())
def test_the_counts_are_the_pinned_ones(arguments: str, numbers: list[int]) -> None:
    assert counts(arguments) == numbers


def test_every_edition_is_pinned_with_and_without_modules() -> None:
    pinned = [arguments for arguments, _ in golden()]
    assert pinned == tables()


def test_divide_counts_each_first_action() -> None:
    lines = output("perft", "--seed", 1, "--depth", 3, "--divide").rstrip("\n").split("\n")
    total = int(lines[4].split()[1])
    assert len(lines[5:]) == int(lines[2].split()[1])
    assert sum([int(line.split()[0]) for line in lines[5:]]) == total
    assert all(line.split()[1] in ("take", "buy") for line in lines[5:])


def tables() -> list[str]:
    """Return the games to count: at the beginning, and after many actions."""
    return [
        f"--edition {edition} --players {players} --after {after} --seed 1"
        + (f" --modules {','.join(modules)}" if modules else "")
        for edition in EDITIONS
        for modules in ((), module_sets(edition)[-1])
        for players in (2, 3)
        for after in (0, 60)
    ]


if __name__ == "__main__":
    rows = [f"{arguments}: {' '.join([str(count) for count in counts(arguments)])}\n" for arguments in tables()]
    GOLDEN.write_text(HEAD + "".join(rows), encoding="utf-8", newline="\n")
