"""docs/learning.md: the index is current, and the examples run; and what is said if a package is missing."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from granada.arena.tournament import FIXED, Tournament
from granada.learning import dataset
from granada.learning.index import with_index
from granada.learning.layout import PLANES, PLAYER, TABLE, TILE_FEATURES, offsets
from granada.learning.names import VERSION
from granada.learning.tokens import BLOCKS
from granada.rules.components import standard
from granada.rules.money import CARDS
from granada.rules.tiles import TYPES

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "learning.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)


def test_the_index_is_current() -> None:
    """If it is not: python -m granada.learning.index docs/learning.md; a change of numbers needs new version names."""
    text = DOCUMENT.read_text("utf-8")
    assert with_index(text) == text


#: The hash of all numbers and names of each version of the environments.
NUMBERINGS = {0: "b22ee7954661937e3a3bb08ed229275d5e950d45101d94df8821cb0cd03defdf"}


def test_a_version_keeps_its_numbers() -> None:
    """Tokens, segments, planes, cards, types and tiles; other numbers need a higher VERSION, with its own hash here."""
    box = standard()
    numbering = [
        [(block.name, block.first, block.size) for block in BLOCKS],
        [(part.name, part.size) for part in (*TABLE, *PLAYER, *TILE_FEATURES)],
        [name for name, _ in PLANES],
        [sorted(offsets(players).items(), key=lambda place: place[1]) for players in range(1, 7)],
        [card.name for card in CARDS],
        [*TYPES],
        [[tile.name for tile in tiles] for tiles in (box.alhambra, box.granada, box.bonus)],
    ]
    assert hashlib.sha256(repr(numbering).encode()).hexdigest() == NUMBERINGS[VERSION]


@pytest.fixture(scope="module")
def folder_with_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a small dataset, called `games` as in the document."""
    folder = tmp_path_factory.mktemp("examples")
    tournament = Tournament(("novice", "novice"), seats=2, games=1, seed=1, mode=FIXED)
    list(dataset.write(dataset.DatasetPlan(tournament, "short"), folder / "games"))
    return folder


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.split("\n")[0])
def test_the_examples_run(example: str, folder_with_games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder_with_games)
    if "pyspiel" in example:
        pytest.importorskip("pyspiel")
    if 'dataset.read("games")' in example:
        pytest.skip("reads what the command before it wrote; tests/docs runs both")
    exec(example.replace("max_turns=1000", "max_turns=20").replace("players=4)", "players=4, max_turns=20)"), {})


@pytest.mark.parametrize(
    ("module", "package"),
    [
        ("alhambra_v0", "pettingzoo"),
        ("aec", "gymnasium"),
        ("single", "gymnasium"),
        ("vector", "numpy"),
        ("spiel", "pyspiel"),
    ],
)
def test_a_missing_package_is_named_in_one_line(module: str, package: str) -> None:
    code = f"import sys; sys.modules['{package}'] = None; import granada.learning.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert re.search(rf"ModuleNotFoundError: {package}\S* is not installed: pip install '", done.stderr)


def test_the_compiled_part_needs_no_other_package() -> None:
    missing = "; ".join([f"sys.modules['{name}'] = None" for name in ("numpy", "gymnasium", "pettingzoo")])
    code = f"import sys; {missing}; import granada, granada.learning.batch; assert 'granada.drawing' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
