"""Speed and strength of the bots in the interpreter of the page: Pyodide, run by Node (docs/site.md has the results).

    python -m benchmarks.pyodide_strength speed
    python -m benchmarks.pyodide_strength match --bot search:1s --other builder --games 60

`speed` compares the roll-outs per second with interpreted CPython, in turns. `match` plays two-player games of
Alhambra, each deal twice with the seats exchanged, and appends every game to a file: if it is stopped, run it again and
it continues. With `--runtime FILE.json` both use the runtime that build_site.py built, otherwise Pyodide as it comes
from npm and the sources. With a time limit, other work on the machine makes the searching bot weaker.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from build_page import ROOT, install_modules, require_node
from granada.arena.intervals import wilson

HERE = Path(__file__).parent
INSIDE = str(HERE / "pyodide_games.py")
#: The games behind the figures of docs/site.md, one JSON object per line; new games go to another file (`--out`).
GAMES = HERE / "pyodide_games.jsonl"

Line = dict[str, Any]


def lines_of(command: Sequence[str]) -> Iterator[Line]:
    """Run a command and yield its lines of JSON as they come."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}  # the sources, not the compiled rules
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                yield json.loads(line)
        finally:
            if process.poll() is None:
                process.terminate()
    if process.returncode:
        sys.exit(f"{command[0]} ended with code {process.returncode}")


def in_pyodide(runtime: Path | None, *words: str) -> Iterator[Line]:
    node = require_node()
    install_modules(node)
    built = [] if runtime is None else ["--runtime", str(runtime.resolve())]
    yield from lines_of([str(node.folder / "node"), str(HERE / "pyodide.mjs"), *built, INSIDE, *words])


def measure_speed(repetitions: int, runtime: Path | None) -> None:
    found: dict[str, list[Line]] = {"Pyodide": [], "CPython": []}
    for _ in range(repetitions):
        found["Pyodide"] += in_pyodide(runtime, "speed", "6")
        found["CPython"] += lines_of([sys.executable, INSIDE, "speed", "6"])
    rates: dict[str, float] = {}
    for name, lines in found.items():
        rates[name] = statistics.median([one["rollouts"] / one["cpu"] for one in lines])
        in_all = statistics.median([one["rollouts"] / one["seconds"] for one in lines])
        share = sum([one["cpu"] for one in lines]) / sum([one["seconds"] for one in lines])
        print(
            f"{name} ({lines[0]['python']}): {rates[name]:.0f} roll-outs per second of processor time; {in_all:.0f} per"
            f" second, with {share:.0%} of a core"
        )
    print(f"Pyodide : CPython {rates['Pyodide'] / rates['CPython']:.2f}")


def read_games(path: Path, bot: str, other: str) -> list[Line]:
    """Return the games of these bots in a file."""
    if not path.exists():
        return []
    games = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [game for game in games if (game["bot"], game["other"]) == (bot, other)]


def play_match(bot: str, other: str, count: int, path: Path, runtime: Path | None) -> None:
    known = {game["game"] for game in read_games(path, bot, other)}
    missing = [str(game) for game in range(count) if game not in known]
    path.parent.mkdir(parents=True, exist_ok=True)
    if missing:
        for game in in_pyodide(runtime, "match", bot, other, *missing):
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(game)}\n")
            print(f"game {game['game']}: {game['scores']}, {bot} has seat {game['seat'] + 1}", flush=True)
    print(report(read_games(path, bot, other), bot, other))


def report(games: Sequence[Line], bot: str, other: str) -> str:
    """Return the result of a match."""
    wins = sum([game["won"] for game in games])  # a shared victory counts half
    low, high = wilson(wins, len(games))
    decisions, seconds, cpu, rollouts = (
        sum([game[name] for game in games]) for name in ("decisions", "seconds", "cpu", "rollouts")
    )
    return (
        f"{bot} won {wins:g} of {len(games)} games against {other}: {wins / len(games):.0%} (95 % interval {low:.0%} to"
        f" {high:.0%}). On average a decision had {rollouts / decisions:.0f} roll-outs and took"
        f" {seconds / decisions:.2f} s; the process had {cpu / seconds:.0%} of a core."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("what", choices=["speed", "match"])
    parser.add_argument("--runtime", type=Path, help="the runtime description written by build_site.py")
    parser.add_argument("--repetitions", type=int, default=3, help="speed: how often each interpreter is measured")
    parser.add_argument("--bot", default="search:1s")
    parser.add_argument("--other", default="builder")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--out", type=Path, default=GAMES, help="the file of the games (default: %(default)s)")
    wanted = parser.parse_args()
    if wanted.what == "speed":
        measure_speed(wanted.repetitions, wanted.runtime)
    else:
        play_match(wanted.bot, wanted.other, wanted.games, wanted.out, wanted.runtime)


if __name__ == "__main__":
    main()
