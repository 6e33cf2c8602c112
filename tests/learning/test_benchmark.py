"""`make bench` installs everything that the targets of the environments are measured against."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.learning import RATIOS, WORKS

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("reference", "packages"),
    [
        ("backgammon", {"open-spiel"}),
        ("catanatron", {"catanatron", "catanatron-gym", "gymnasium", "networkx"}),
        ("hanabi", {"open-spiel", "pettingzoo", "pygame-ce", "shimmy"}),
    ],
)
def test_references_are_locked(reference: str, packages: set[str]) -> None:
    recipe = (ROOT / "Makefile").read_text("utf-8").partition("$(VENV)/bench.stamp:")[2].partition("@touch")[0]
    files = re.findall(r"--requirement (requirements/\S+)", recipe)
    assert packages <= {
        name for file in files for name in re.findall(r"^([\w-]+)==", (ROOT / file).read_text("utf-8"), re.MULTILINE)
    }
    assert reference in WORKS
    assert any(target and other == reference for _, other, target in RATIOS)
