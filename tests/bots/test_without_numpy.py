"""Without NumPy, the strongest bot exists only where a function was installed that computes its network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
BLOCK = 'import sys; sys.modules["numpy"] = None  # makes its import fail\n'
MISSING = "the strongest bot needs NumPy: pip install 'granada[bots]'"

BOTS = """
import random
from granada import BadOptions, Options
from granada.arena.simulation import play_game
from granada.bots import LEVELS, PERSONALITIES, check_bot, make_bot
from granada.bots.win_chance import quick_chances
from granada.records.luck import Luck

check_bot("strongest")
try:
    make_bot("strongest", 1)
except BadOptions as error:
    print(error)
for name in (*LEVELS, *PERSONALITIES):
    if name != "strongest":
        bots = [make_bot(f"{name}:8n", seat) for seat in range(2)]
        state = play_game(Options("alhambra", 2), bots, Luck(random.Random(1)), max_turns=6).state
        assert state.turns == 7, name
        assert abs(sum(quick_chances(state)) - 1) < 1e-9
assert sys.modules["numpy"] is None
print("all others play")
"""

#: Offers levels at a table, and gives a hint and an analysis with a bot in this process.
TABLES = """
import asyncio
import random
from granada.tables.analyses import Analyses
from granada.tables.bot_jobs import AdviceJob
from granada.tables.bot_work import answer
from granada.tables.errors import TableError
from granada.tables.hints import Hints
from granada.tables.levels import levels
from granada.tables.live_table import LiveTable
from tests.server.tables import ANA, Log

class Runner:
    async def advise(self, record, level, seed, count, owner):
        return answer(AdviceJob(record, f"{level}:40n", seed, count), print).ideas

    async def review(self, work, report):
        return answer(work, report).analysis

async def main():
    print([level.id for level in levels() if level.kind == "level"][-1])
    log = Log().start()
    hint = await Hints(Runner()).hint(LiveTable(log.table), ANA, None)
    assert 0 < hint.ideas[0].win < 1
    print("hint by", hint.level)
    choose = random.Random(1)
    while not log.table.game.state.is_over:
        log.play_at_random(choose)
    analyses = Analyses(Runner(), seconds=0.5)
    while (found := analyses.analysis(log.table)).status != "done":
        await asyncio.sleep(0)
    assert found.decisions
    print("analysis by", found.level)
    try:
        Log(("person", "strongest"))
    except TableError as error:
        print(error)

asyncio.run(main())
"""

INSTALL = "from granada.engine.model import install; from tests.engine.plain_network import compute; install(compute)\n"

PLAY = """
import random
from granada import Options
from granada.arena.simulation import play_game
from granada.bots import make_bot
from granada.records.luck import Luck
from tests.kit import module_sets

for edition in ("alhambra", "granada", "combined"):
    options = Options(edition, 3, module_sets(edition)[-1])
    bots = [make_bot("strongest:8n", seat) for seat in range(3)]
    print(edition, play_game(options, bots, Luck(random.Random(edition)), max_turns=9).state.turns)
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )


def lines(script: str) -> list[str]:
    done = run("-c", script)
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_strongest_bot_says_what_to_install_and_all_others_play() -> None:
    assert lines(BLOCK + BOTS) == [MISSING, "all others play"]


@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_the_command_line_says_it_too(command: str) -> None:
    block = BLOCK + "from granada.cli import main; sys.exit(main())"
    done = run("-c", block, command, "--players", "strongest,random", "--games", "1")
    assert done.returncode not in (0, 1)
    assert MISSING in done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_lists_its_levels_without_importing_numpy() -> None:
    """Only bot processes need the memory."""
    script = "import sys; from granada.tables.levels import strongest; print(strongest(), 'numpy' in sys.modules)"
    assert lines(script) == ["strongest False"]


def test_at_a_table_the_next_level_is_the_strongest() -> None:
    assert lines(BLOCK + TABLES) == ["search", "hint by search", "analysis by search", "There is no bot 'strongest'."]


def test_with_an_installed_function_it_is_offered_and_gives_hints() -> None:
    assert lines(BLOCK + INSTALL + TABLES) == ["strongest", "hint by strongest", "analysis by strongest"]


def test_with_an_installed_function_it_plays() -> None:
    assert lines(BLOCK + INSTALL + PLAY) == ["alhambra 10", "granada 10", "combined 10"]
