"""Measurements of bots in one interpreter; benchmarks/pyodide_strength.py runs this file in CPython and in Pyodide.

    pyodide_games.py speed ROUNDS              searches fixed positions, round after round
    pyodide_games.py match BOT OTHER GAME…     plays these games between two bots

Writes one line of JSON for each round or game. Imports only what the page has.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from granada import Options, State, is_compiled, new_game
from granada.bots import make_bot, search
from granada.bots.gc_control import without_gc
from granada.engine.quick_luck import QuickLuck
from granada.engine.rollout import RolloutResult, play_quickly, roll_out_turn
from granada.engine.weights import Weights
from granada.records.luck import Luck
from granada.rules.leftovers import victory

try:
    from host import cpu_seconds  # type: ignore[import-not-found]  # see benchmarks/pyodide.mjs
except ImportError:
    from time import process_time as cpu_seconds

#: The budget of the measured searches: about what the bots at a table have.
SEARCH = "search:1s"
#: Rounds that are not reported: WebAssembly is compiled as it runs, and reaches its speed after about ten seconds.
WARM_UP = 6
#: Positions after these numbers of turns of a two-player game.
POSITIONS = (6, 20, 34, 48)
#: Added to every line.
PYTHON = {"python": f"{sys.version.split()[0]} {sys.platform}", "compiled": is_compiled()}


class Counter:
    """Counts the roll-outs of all bots."""

    def __init__(self, roll_out: Callable[..., RolloutResult]) -> None:
        self.count = 0
        self._roll_out = roll_out

    def __call__(self, *arguments: Any) -> RolloutResult:
        self.count += 1
        return self._roll_out(*arguments)


class Stopwatch:
    """Measures the time, the processor time of this process, and the roll-outs since its start."""

    def __init__(self, rollouts: Counter) -> None:
        self._rollouts = rollouts
        self._start = self._now()

    def _now(self) -> tuple[float, float, int]:
        return time.perf_counter(), cpu_seconds(), self._rollouts.count

    def read(self) -> dict[str, float]:
        seconds, cpu, rollouts = (now - then for now, then in zip(self._now(), self._start, strict=True))
        return {"seconds": round(seconds, 3), "cpu": round(cpu, 3), "rollouts": rollouts}


def position(turns: int) -> State:
    luck = QuickLuck(turns)
    state = new_game(Options("alhambra", 2), luck)
    play_quickly(state, Weights(), luck, turns)
    while len(state.offers()) == 1:
        state.play(state.offers()[0], luck)
    return state


def measure_speed(rounds: int, rollouts: Counter) -> None:
    """Search positions with a time limit, after a warm-up."""
    states = [position(turns) for turns in POSITIONS]
    for number in range(WARM_UP + rounds):
        watch = Stopwatch(rollouts)
        for state in states:
            make_bot(SEARCH, number).choose(state.view(state.seat, remembers=True), state.offers())
        if number >= WARM_UP:
            print(json.dumps(watch.read() | PYTHON), flush=True)


@without_gc()
def play(game: int, bot: str, other: str, rollouts: Counter) -> dict[str, Any]:
    """Play a game; two games in a row have the same deal, with the seats exchanged."""
    deal, seat = divmod(game, 2)
    specs = [bot, other] if seat == 0 else [other, bot]
    bots = [make_bot(spec, f"{game} {number}") for number, spec in enumerate(specs)]
    luck = Luck(random.Random(f"deal {deal}"))
    state = new_game(Options("alhambra", 2), luck)
    spent = {"decisions": 0, "seconds": 0.0, "cpu": 0.0, "rollouts": 0}
    while not state.is_over:
        offers, decider = state.offers(), state.seat
        watch, action = Stopwatch(rollouts), offers[0]
        if len(offers) > 1:
            action = bots[decider].choose(state.view(decider, remembers=True), offers)
            if decider == seat:
                found = watch.read() | {"decisions": 1}
                spent = {name: round(value + found[name], 3) for name, value in spent.items()}
        state.play(action, luck)
    scores = [player.score for player in state.players]
    outcome = {"scores": scores, "won": victory(state)[seat]}
    return {"bot": bot, "other": other, "game": game, "deal": deal, "seat": seat, **outcome, **spent, **PYTHON}


def main() -> None:
    rollouts = Counter(roll_out_turn)
    vars(search)["roll_out_turn"] = rollouts
    what, *words = sys.argv[1:]
    if what == "speed":
        measure_speed(int(words[0]), rollouts)
        return
    bot, other, *games = words
    for game in games:
        print(json.dumps(play(int(game), bot, other, rollouts)), flush=True)


if __name__ == "__main__":
    main()
