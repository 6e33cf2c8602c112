"""Compare two builds of Granada: first that they play the same games, then how fast each of them is.

    python benchmarks/compare.py BEFORE AFTER

BEFORE and AFTER are folders that contain the package `granada`: `src`, or `build/compiled` after a compiled install.
Each build runs in its own process and does exactly the same work. The processes take turns in short rounds, CPU time is
counted, and the median of the ratios is shown, so other work on the machine changes little. With `--instructions`,
valgrind counts instructions instead, which does not depend on the load of the machine at all.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import io
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import granada
from granada import Action, Luck, Options, State, action_text, new_game, play_at_random
from granada.bots import make_bot
from granada.cli import main as command_line
from granada.engine.policy import Policy
from granada.engine.quick_luck import QuickLuck
from granada.engine.rollout import play_quickly, roll_out
from granada.engine.weights import Weights

ALL_MODULES = ("vizier", "exchange", "bonus", "huts")
TABLES = {
    "alhambra": Options("alhambra", 4),
    "granada": Options("granada", 4, ("vizier", "exchange")),
    "combined": Options("combined", 4, ALL_MODULES),
    "two players": Options("combined", 2, ("exchange",), "simplified"),
}
WEIGHTS = Weights()
TURNS_AHEAD = 16
MAX_TURNS = 400
SIMULATION = ("--jobs", "1", "--seed", "1", "--json")
#: Interpreted builds get a fraction of the work.
INTERPRETED_SHARE = 8


@dataclass(frozen=True)
class Part:
    """Something to measure: what `count` pieces of it do, returning the number of units, and a proof of the results."""

    unit: str
    count: int
    work: Callable[[int], int]
    results: Callable[[int], Iterator[str]]


# Work -----------------------------------------------------------------------------------------------------------------


def random_games(options: Options, count: int) -> int:
    decisions = 0
    for seed in range(count):
        luck = Luck(random.Random(seed))
        decisions += play_at_random(new_game(options, luck), luck, MAX_TURNS)
    return decisions


def random_results(options: Options, count: int) -> Iterator[str]:
    for seed in range(count):
        luck = Luck(random.Random(seed))
        state = new_game(options, luck)
        while not state.is_over and state.turns <= MAX_TURNS:
            actions = state.offers()
            yield from [action_text(action) for action in actions]
            state.play(actions[luck.below(len(actions))], luck)
        yield repr([player.score for player in state.players])


def quick_games(options: Options, count: int) -> int:
    decisions = 0
    for seed in range(count):
        luck = QuickLuck(seed)
        decisions += play_quickly(new_game(options, luck), WEIGHTS, luck, MAX_TURNS)
    return decisions


def quick_results(options: Options, count: int) -> Iterator[str]:
    for seed in range(count):
        luck = QuickLuck(seed)
        state = new_game(options, luck)
        policy = Policy(state, WEIGHTS)
        while not state.is_over and state.turns <= MAX_TURNS:
            if state.n % 7 == 0:  # the values that hints and search use
                yield from [f"{action_text(one.action)} {one.worth!r}" for one in policy.weigh()]
            seat, action = state.seat, policy.choose()
            yield action_text(action)
            state.play(action, luck)
            policy.follow(seat, action)
        yield repr([player.score for player in state.players])


@cache
def positions(options: Options) -> list[tuple[State, Action]]:
    """Positions of quick games with an action each, every eleventh ply."""
    found: list[tuple[State, Action]] = []
    for seed in range(2):
        luck = QuickLuck(1000 + seed)
        state = new_game(options, luck)
        while not state.is_over:
            actions = state.offers()
            if state.n % 11 == 0:
                found.append((state.copy(), actions[luck.below(len(actions))]))
            play_quickly(state, WEIGHTS, luck, state.turns + 1)
    return found


def roll_outs(options: Options, count: int) -> int:
    chosen = positions(options)
    for seed in range(count):
        state, action = chosen[seed % len(chosen)]
        roll_out(state, action, state.seat, seed, TURNS_AHEAD, WEIGHTS, with_features=True)
    return count


def roll_out_results(options: Options, count: int) -> Iterator[str]:
    chosen = positions(options)
    for seed in range(count):
        state, action = chosen[seed % len(chosen)]
        outcome = roll_out(state, action, state.seat, seed, seed % 24, WEIGHTS, with_features=True)
        yield repr((outcome.lead, outcome.chance, outcome.features))


def views(options: Options, count: int) -> int:
    chosen = positions(options)
    for number in range(count):
        chosen[number % len(chosen)][0].view(number % options.players)
    return count


def view_results(options: Options, count: int) -> Iterator[str]:
    chosen = positions(options)
    seats = [*range(options.players), granada.NOBODY]
    for number in range(count):
        view = chosen[number % len(chosen)][0].view(seats[number % len(seats)])
        yield repr((view.table.key(), view.hand_sizes, view.deck_size))


def copies(options: Options, count: int) -> int:
    chosen = positions(options)
    for number in range(count):
        chosen[number % len(chosen)][0].copy()
    return count


def simulated(count: int) -> dict[str, object]:
    """Return the output of `granada simulate` for games of four random bots."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        command_line(["simulate", "--players", "random,random,random,random", "--games", str(count), *SIMULATION])
    found: dict[str, object] = json.loads(printed.getvalue())
    return found


def simulate(count: int) -> int:
    decisions = simulated(count)["decisions"]
    assert isinstance(decisions, int)
    return decisions


def simulate_results(count: int) -> Iterator[str]:
    found = simulated(count)
    yield repr([value for key, value in found.items() if "second" not in key])


def bots_games(count: int) -> int:
    from granada.arena.simulation import play_game

    decisions = 0
    for seed in range(count):
        bots = [make_bot("builder", f"{seed}/{seat}") for seat in range(3)]
        decisions += play_game(Options("alhambra", 3), bots, Luck(random.Random(seed)), max_turns=60).decisions
    return decisions


def bots_results(count: int) -> Iterator[str]:
    from granada.arena.simulation import play_game

    for seed in range(count):
        bots = [make_bot("builder", f"{seed}/{seat}") for seat in range(3)]
        yield str(play_game(Options("alhambra", 3), bots, Luck(random.Random(seed)), max_turns=60).record)


def backgammon(count: int) -> int:
    """Play random games of OpenSpiel's backgammon from Python; returns the number of decisions."""
    import pyspiel

    rng = random.Random(1)
    decisions = 0
    for _ in range(count):
        state = pyspiel.load_game("backgammon").new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                action = rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
            else:
                action = rng.choice(state.legal_actions())
                decisions += 1
            state.apply_action(action)
    return decisions


def nothing(count: int) -> Iterator[str]:
    return iter(())


def _parts() -> dict[str, Part]:
    found: dict[str, Part] = {}
    for name, options in TABLES.items():

        def bound(work: Callable[[Options, int], int], options: Options = options) -> Callable[[int], int]:
            return lambda count: work(options, count)

        def proof(
            results: Callable[[Options, int], Iterator[str]], options: Options = options
        ) -> Callable[[int], Iterator[str]]:
            return lambda count: results(options, count)

        found[f"random play, {name}"] = Part("decisions", 60, bound(random_games), proof(random_results))
        found[f"quick play, {name}"] = Part("decisions", 60, bound(quick_games), proof(quick_results))
        found[f"roll-out, {name}"] = Part("samples", 800, bound(roll_outs), proof(roll_out_results))
        found[f"view, {name}"] = Part("views", 20_000, bound(views), proof(view_results))
    found["copy, alhambra"] = Part("copies", 100_000, lambda count: copies(TABLES["alhambra"], count), nothing)
    found["builder bots"] = Part("decisions", 4, bots_games, bots_results)
    found["simulate"] = Part("decisions", 200, simulate, simulate_results)
    if find_spec("pyspiel") is not None:
        found["backgammon"] = Part("decisions", 60, backgammon, nothing)
    return found


PARTS = _parts()


# One process per build -----------------------------------------------------------------------------------------------


def share_of(part: Part) -> int:
    return part.count if granada.is_compiled() else max(1, part.count // INTERPRETED_SHARE)


def serve() -> None:
    """Answer requests: `check NAME` with a digest of all results, `time NAME` with units and CPU seconds."""
    gc.disable()
    requests = sys.stdin
    sys.stdin = io.StringIO()  # the command line reads from standard input
    for line in requests:
        what, _, name = line.strip().partition(" ")
        part = PARTS[name]
        answer: dict[str, object] = {}
        if what == "check":
            digest = hashlib.sha256()
            for text in part.results(max(1, part.count // 10)):
                digest.update(text.encode() + b"\n")
            answer = {"digest": digest.hexdigest(), "compiled": granada.is_compiled()}
        else:
            start = time.process_time()
            units = part.work(share_of(part))
            answer = {"units": units, "seconds": time.process_time() - start}
        print(json.dumps(answer), flush=True)


class Build:
    """A build in its own process."""

    def __init__(self, folder: Path) -> None:
        if not (folder / "granada").is_dir():
            raise SystemExit(f"{folder} contains no package granada")
        self.folder = folder
        self.environment = dict(os.environ)
        others = os.environ.get("PYTHONPATH", "")
        self.environment["PYTHONPATH"] = f"{folder.resolve()}{os.pathsep}{others}" if others else str(folder.resolve())
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=self.environment,
        )

    def ask(self, request: str) -> dict[str, object]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(request + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"the build in {self.folder} stopped at '{request}'")
        answer: dict[str, object] = json.loads(line)
        return answer

    def rate(self, name: str) -> float:
        """Return the units per second of CPU time."""
        found = self.ask(f"time {name}")
        units, seconds = found["units"], found["seconds"]
        assert isinstance(units, int)
        assert isinstance(seconds, float)
        return units / seconds

    def instructions(self, name: str) -> float:
        """Return the instructions per unit, without those of the start."""
        (few, units), (many, more) = (self._counted(name, times) for times in (1, 3))
        return (many - few) / (more - units)

    def _counted(self, name: str, times: int) -> tuple[int, int]:
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, __file__]
        command += ["--once", name, "--times", str(times)]
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment, check=True)
        counted = re.search(r"Collected : (\d+)", done.stderr)
        if counted is None:
            raise SystemExit(f"valgrind counted nothing: {done.stderr[-500:]}")
        return int(counted[1]), int(done.stdout)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)


def once(name: str, times: int) -> None:
    """Do a small share of the work of a part, for valgrind; caches are empty at the start."""
    gc.disable()
    part = PARTS[name]
    print(part.work(max(1, part.count // 20) * times))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, nargs="?")
    parser.add_argument("after", type=Path, nargs="?")
    parser.add_argument("--only", default="", help="the parts whose names contain one of these words (a|b)")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--no-check", action="store_true", help="do not compare the games first")
    parser.add_argument("--instructions", action="store_true", help="count instructions with valgrind")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--once", help=argparse.SUPPRESS)
    parser.add_argument("--times", type=int, default=1, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
        return
    if arguments.once:
        once(arguments.once, arguments.times)
        return
    if arguments.before is None or arguments.after is None:
        parser.error("two folders are needed")
    names = [name for name in PARTS if not arguments.only or re.search(arguments.only, name)]
    builds = [Build(arguments.before), Build(arguments.after)]
    try:
        if not arguments.no_check:
            check(builds, names)
        if arguments.instructions:
            count_instructions(builds, names)
        else:
            measure(builds, names, arguments.rounds)
    finally:
        for build in builds:
            build.close()


def check(builds: list[Build], names: list[str]) -> None:
    """Stop if the builds do not play the same games."""
    differing = []
    for name in names:
        if PARTS[name].results is not nothing:
            found = [build.ask(f"check {name}")["digest"] for build in builds]
            if found[0] != found[1]:
                differing.append(name)
    if differing:
        print(f"DIFFERENT RESULTS: {'; '.join(differing)}")
    else:
        print("same results: all actions, values, outcomes, features and views are equal")


def measure(builds: list[Build], names: list[str], rounds: int) -> None:
    rates: dict[str, list[list[float]]] = {name: [[], []] for name in names}
    for turn in range(rounds + 1):
        for name in names:
            for index in (0, 1) if turn % 2 else (1, 0):
                rate = builds[index].rate(name)
                if turn:  # the first round fills caches
                    rates[name][index].append(rate)
    print(f"{'':28} {'before':>14} {'after':>14} {'after : before':>16}")
    for name in names:
        before, after = (statistics.median(one) for one in rates[name])
        ratio = statistics.median([b / a for a, b in zip(*rates[name], strict=True)])
        each = [f"{rate:,.0f}/s" if rate < 100_000 else f"{1e6 / rate:.2f} µs" for rate in (before, after)]
        print(f"{name:28} {each[0]:>14} {each[1]:>14} {ratio:>15.2f}×")
    if "simulate" in rates and "backgammon" in rates:
        for index, label in enumerate(("before", "after")):
            pairs = zip(rates["simulate"][index], rates["backgammon"][index], strict=True)
            print(f"simulate : backgammon, {label:7} {statistics.median([a / b for a, b in pairs]):.2f}")


def count_instructions(builds: list[Build], names: list[str]) -> None:
    print(f"{'thousand instructions':28} {'before':>14} {'after':>14} {'before : after':>16}")
    for name in names:
        before, after = (build.instructions(name) / 1000 for build in builds)
        print(f"{name:28} {before:>14,.2f} {after:>14,.2f} {before / after:>15.2f}×", flush=True)


if __name__ == "__main__":
    main()
