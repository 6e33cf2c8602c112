"""The command `granada arena`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from granada.arena.results import read_results
from tests.arena.tournaments import ODD, without_times
from tests.cli.command import ENVIRONMENT, PATIENCE, complaint, granada, output

GAME = ("--players", "random,greedy", "--edition", "granada", "--seed", 1, "--rotate", "--paired")


def test_the_command_explains_itself() -> None:
    text = output("arena", "--help")
    assert text.startswith("usage: granada arena")
    for option in ("--players", "--seats", "--rotate", "--paired", "--results", "--report", "--on", "--ray-address"):
        assert option in text


def test_the_tables(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    text = output("arena", *GAME, "--games", 4, "--report", page)
    heading, summary, _, columns, best, worst, *_ = text.splitlines()
    assert heading == (
        "Granada, regular scoring, 2 players in a round-robin, seats rotated, same deals for all, seed 1"
    )
    assert summary.startswith("4 games, 0 unfinished, 0 forfeited, 0 void, ")
    for word in ("wins", "share", "95 % interval", "by deals", "points", "margin", "rating"):
        assert word in columns
    assert (best.split()[0], worst.split()[0]) == ("greedy", "random")
    for word in ("moat", "total", "scoring A", "time a decision", "beyond 120 %"):
        assert word in text
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_json_is_the_same_for_the_same_seed_but_for_times(tmp_path: Path) -> None:
    found = []
    for jobs in (1, 2):
        data = json.loads(output("arena", *GAME, "--games", 2, "--jobs", jobs, "--json"))
        for one in data["entrants"]:
            del one["thinking"]
        found.append(data)
    assert found[0] == found[1]


def test_the_fixed_mode_seats_all_and_reports_each_once() -> None:
    text = output("arena", "--players", "greedy,random,random", "--mode", "fixed", "--games", 2, "--seed", 1)
    assert "3 players at one table" in text
    assert text.count("\nrandom ") == 2  # in the table of shares and in that of times


def test_a_bot_that_crashes_or_cheats_never_stops_the_tournament() -> None:
    names = "random,thrower,cheat,unmade,slow:0.01s"
    arguments = ("--players", names, "--bot-file", ODD, "--games", 1, "--seed", 1, "--max-turns", 4)
    finished = granada("arena", *arguments)
    assert finished.returncode == 0
    assert "10 games, 1 unfinished, 9 forfeited, 0 void" in finished.stdout
    assert "thrower lost " in finished.stdout
    assert "failed: KeyError: 'nowhere'" in finished.stdout
    assert "unmade lost " in finished.stdout
    assert "my table of openings is missing" in finished.stdout
    assert "cheat lost " in finished.stdout
    assert "chose remove 0,0, which is not allowed" in finished.stdout
    assert "nobody will see it" not in finished.stdout
    slow = [line for line in finished.stdout.splitlines() if line.startswith("slow:0.01s")][-1]
    assert "100.00 %" in slow


def test_a_run_that_was_killed_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    whole = tmp_path / "whole.jsonl"
    command = ["arena", *map(str, GAME), "--games", "12", "--jobs", "2", "--results"]
    process = subprocess.Popen(
        [sys.executable, "-m", "granada", *command, str(path)], env=ENVIRONMENT, stdout=subprocess.DEVNULL
    )
    end = time.monotonic() + PATIENCE
    while not path.exists() or path.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < end
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert path.read_bytes().count(b"\n") < 13
    text = output(*command, path)
    assert "12 games, 0 unfinished" in text
    assert output(*command, whole).splitlines()[3:6] == text.splitlines()[3:6]
    assert without_times(read_results(str(path))[1]) == without_times(read_results(str(whole))[1])


def test_an_interrupt_leaves_a_file_to_go_on_from(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    command = [sys.executable, "-m", "granada", "arena", *map(str, GAME), "--games", "5000", "--results", str(path)]
    process = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + PATIENCE
    while not path.exists() or path.read_bytes().count(b"\n") < 2:
        assert time.monotonic() < end
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    told, complained = process.communicate(timeout=PATIENCE)
    assert (process.returncode, told) == (130, "")
    games = len(read_results(str(path))[1])
    assert complained == (
        f"granada: interrupted after {games} of 5000 games; run the same command with {path} to continue\n"
    )
    # Without --seed, a run continues with the seed of the file.
    arguments = ["--players", "random,greedy", "--edition", "granada", "--rotate", "--paired"]
    assert "1 game, " in output("arena", *arguments, "--games", 1, "--results", path)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("--players random,deep", "the bot 'deep' is none of random, "),
        ("--players random", "a round-robin with 2 seats needs at least 2 bots"),
        ("--players random,random", "'random' is named twice"),
        ("--players random,greedy:soon", "'soon' in 'greedy:soon' is not a budget"),
        ("--mode swiss", "the mode 'swiss' is none of round-robin, fixed"),
        ("--seats 3", "a round-robin with 3 seats needs at least 3 bots"),
        ("--seats 7", "'7' is not a whole number from 2 to 6"),
        ("--games 0", "'0' is not a whole number from 1 to 999999"),
        ("--on moon", "--on must be processes or ray, not 'moon'"),
        ("--ray-address auto", "--ray-address needs --on ray"),
        ("--patience 0", "'0' is not a whole number from 1 to 86400"),
        ("--report folder", "cannot write folder: Is a directory"),
        ("--report missing/report.html", "cannot write missing/report.html: No such file or directory"),
        ("--results folder", "cannot write folder: Is a directory"),
        ("--results one.jsonl --report ./one.jsonl", "--report and --results are the same file"),
        ("--results text", "text is not a results file; it was not changed"),
        ("--results text --seed 1", "text is not a results file; it was not changed"),
        ("--bot-file missing.py", "cannot read missing.py: No such file or directory"),
        ("--edition chess", "the edition 'chess' is none of"),
        ("--huts missing.csv --modules huts", "cannot read missing.csv: No such file or directory"),
    ],
)
def test_bad_input_gets_one_line_and_changes_nothing(arguments: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("text\n")
    before = [(path, path.stat().st_size) for path in sorted(tmp_path.rglob("*"))]
    assert reason in complaint("arena", *arguments.split(), cwd=tmp_path)
    assert [(path, path.stat().st_size) for path in sorted(tmp_path.rglob("*"))] == before


@pytest.mark.parametrize(
    ("module", "arguments", "told"),
    [
        ("openskill", (), "granada: no ratings; to get them: pip install 'granada[arena]'\n"),
        ("ray", ("--on", "ray"), "granada: error: Ray is not installed: pip install 'granada[ray]'\n"),
    ],
)
def test_what_is_not_installed_is_said(module: str, arguments: tuple[str, ...], told: str, tmp_path: Path) -> None:
    (tmp_path / module).mkdir()
    (tmp_path / module / "__init__.py").write_text(f"raise ModuleNotFoundError('No module named {module}')\n")
    path = os.pathsep.join([str(tmp_path), ENVIRONMENT["PYTHONPATH"]])
    command = [sys.executable, "-m", "granada", "arena", *map(str, GAME), "--games", "1", *arguments]
    finished = subprocess.run(
        command, env={**ENVIRONMENT, "PYTHONPATH": path}, capture_output=True, text=True, timeout=PATIENCE
    )
    assert finished.stderr == told
    assert finished.returncode == (2 if module == "ray" else 0)
    assert "rating" not in finished.stdout


@pytest.mark.skipif(os.name != "posix", reason="this system has no pseudo terminals")
def test_a_bar_shows_how_far_it_is_and_how_long_it_takes() -> None:
    import pty

    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "granada", "arena", *map(str, GAME), "--games", "8"]
    finished = subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=follower, timeout=PATIENCE)
    os.close(follower)
    shown = os.read(leader, 100_000).decode()
    os.close(leader)
    assert finished.returncode == 0
    assert "/8 games" in shown
    assert " s left" in shown
    assert shown.endswith("\r\x1b[K")
