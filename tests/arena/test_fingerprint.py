"""The fingerprint of bots depends on what they choose, not on how their sources are written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from granada.arena.fingerprint import fingerprint
from granada.arena.tournament import Tournament

SOURCES = Path(__file__).parents[2] / "src" / "granada"
TOLD = """
from granada.arena.fingerprint import fingerprint
from granada.arena.tournament import Tournament
print(fingerprint(Tournament(("builder", "search:0.1s", "strongest:0.1s", "novice"))))
"""


def copied(folder: Path) -> Path:
    """Return a copy of the sources that can be changed."""
    shutil.copytree(SOURCES, folder / "granada", ignore=shutil.ignore_patterns("page", "__pycache__", "*.so", "*.pyd"))
    return folder / "granada"


def told(sources: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(sources.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    found = subprocess.run([sys.executable, "-c", TOLD], env=environment, capture_output=True, text=True, check=True)
    return found.stdout.strip()


def test_a_comment_changes_no_fingerprint_and_other_weights_do(tmp_path: Path) -> None:
    """The copy is always interpreted, so this also compares compiled with interpreted runs."""
    players = ("builder", "search:0.1s", "strongest:0.1s", "novice")
    here = fingerprint(Tournament(players))
    sources = copied(tmp_path)
    for folder in ("bots", "engine"):
        for path in (sources / folder).glob("*.py"):
            path.write_text(path.read_text("utf-8") + "\n# A remark that changes nothing.\n", "utf-8")
    assert told(sources) == here
    path = sources / "engine" / "weights.py"
    text = path.read_text("utf-8")
    assert "majority: float = 0.62" in text
    path.write_text(text.replace("majority: float = 0.62", "majority: float = 0.9"), "utf-8")
    assert told(sources) != here


def test_only_the_bots_that_play_count() -> None:
    assert fingerprint(Tournament(("novice", "greedy"))) == fingerprint(Tournament(("greedy:1s", "novice")))
    assert fingerprint(Tournament(("novice", "greedy"))) != fingerprint(Tournament(("novice", "builder")))


def test_a_bot_from_a_file_is_told_apart_by_its_code(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    code = "def choose(view, actions):\n    return actions[0]\n"
    found = []
    for text in (code, "# Mine.\n\n" + code, code.replace("0", "-1"), "no Python at all ("):
        path.write_text(text, "utf-8")
        found.append(fingerprint(Tournament(("novice", "greedy"), bot_files=(str(path),))))
    assert found[0] == found[1]
    assert len(set(found)) == 3
