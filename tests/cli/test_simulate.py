"""`granada simulate`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from granada import replay
from tests.cli.command import ENVIRONMENT, PATIENCE, output

EXAMPLE = "--edition combined --modules vizier,exchange --players random,random,random --games 4 --seed 7"


def test_the_example_of_the_issue(tmp_path: Path) -> None:
    arguments = [*EXAMPLE.split(), "--max-turns", 60, "--records", "out/", "--json"]
    printed = [output("simulate", *arguments, "--jobs", jobs, cwd=tmp_path) for jobs in (1, 2)]
    one, two = [json.loads(text) for text in printed]
    assert (one["games"], one["unfinished"], one["seed"]) == (4, 4, 7)
    for figures in (one, two):
        assert figures.pop("seconds") > 0
        assert figures.pop("games_per_second") > 0
    assert one == two
    assert sorted([path.name for path in (tmp_path / "out").iterdir()]) == [f"00000{i}.record" for i in range(1, 5)]
    for path in (tmp_path / "out").iterdir():
        assert not replay(path.read_text("utf-8"), partial=True).state.is_over


def test_json_tells_wins_and_points_of_every_seat() -> None:
    figures = json.loads(output("simulate", "--players", "greedy,random", "--games", 6, "--seed", 1, "--json"))
    assert figures["unfinished"] == 0
    assert figures["decisions"] > 6 * 50
    assert [seat["player"] for seat in figures["seats"]] == ["greedy", "random"]
    assert sum([seat["wins"] for seat in figures["seats"]]) == 6
    for seat in (*figures["seats"], figures["dirk"]):
        by_scoring = seat["points_by_scoring"]
        assert list(by_scoring) == ["A", "B", "C"]
        assert list(seat["points"]) == ["wall", "pavilion", "seraglio", "arcades", "chambers", "garden", "tower"]
        assert sum(seat["points"].values()) == pytest.approx(seat["mean_points"])
        for item, points in seat["points"].items():
            assert sum([by_scoring[scoring][item] for scoring in by_scoring]) == pytest.approx(points)
    low, high = figures["seats"][0]["win_rate_95"]
    assert 0 <= low <= figures["seats"][0]["win_rate"] <= high <= 1


def test_the_table_tells_the_same_for_people() -> None:
    text = output("simulate", "--players", "greedy,random,random,random,random", "--games", 3, "--seed", 5)
    lines = text.split("\n")
    assert lines[0] == "Alhambra, regular scoring, seed 5"
    assert lines[1].startswith("3 games, 0 unfinished, ")
    assert lines[1].endswith(" decisions/s")
    assert "95 % interval" in lines[3]
    assert [line.split()[:2] for line in lines[4:9]] == [
        ["1", "greedy"],
        *[[str(seat), "random"] for seat in range(2, 6)],
    ]
    assert [line.split()[0] for line in lines if line.startswith(("wall", "tower", "total"))] == 2 * [
        "wall",
        "tower",
        "total",
    ]
    assert max([len(line) for line in lines]) <= 120


def test_without_a_seed_one_is_found_and_told() -> None:
    one, two = [json.loads(output("simulate", "--games", 1, "--max-turns", 5, "--json"))["seed"] for _ in range(2)]
    assert one != two


def test_own_lists_of_components_are_played_with_in_every_process(tmp_path: Path) -> None:
    shipped = Path(__file__).parents[2] / "src" / "granada" / "data" / "huts.csv"
    lines = shipped.read_text("utf-8").split("\n")
    huts = tmp_path / "huts.csv"
    huts.write_text("\n".join([lines[0], *[f"{line.split(',')[0]},N" for line in lines[1:] if line]]), "utf-8")
    arguments = ["--modules", "huts", "--players", "greedy,greedy,greedy", "--huts", huts, "--seed", 2]
    output("simulate", *arguments, "--games", 2, "--jobs", 2, "--records", tmp_path / "out")
    written = [(tmp_path / "out" / f"00000{game}.record").read_text("utf-8") for game in (1, 2)]
    assert all("! hut hut-garden-N\n" in text and "! hut hut-garden-S" not in text for text in written)
    assert "wins with" in output("replay", tmp_path / "out" / "000001.record", "--huts", huts)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
def test_a_progress_bar_is_drawn_on_a_terminal_and_taken_away_again() -> None:
    import pty

    terminal, other_end = pty.openpty()
    command = [sys.executable, "-m", "granada", "simulate", "--games", "3", "--players", "random,random", "--seed", "1"]
    finished = subprocess.run(command, stdout=subprocess.PIPE, stderr=other_end, timeout=PATIENCE, env=ENVIRONMENT)
    os.close(other_end)
    drawn = os.read(terminal, 10_000).decode()
    os.close(terminal)
    assert finished.returncode == 0
    assert drawn.startswith("\r[#############...........................] 1/3 games, ")
    assert drawn.endswith("\r\x1b[K")
