"""Golden games of quick play, and the results of roll-outs at some of their positions.

They guard optimizations: the same seeds must lead to the same actions and numbers, interpreted and compiled. `python -m
tests.golden.make` writes them again after an intended change.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from granada import Options, Record, State, action_text, new_game
from granada.engine.policy import Policy
from granada.engine.quick_luck import QuickLuck
from granada.engine.rollout import roll_out
from granada.engine.weights import Weights

HERE = Path(__file__).parent / "quick"
SAMPLES = HERE / "look-ahead.txt"
ALL = ("vizier", "exchange", "bonus", "huts")
#: Fixed weights, so that tuning the defaults does not change these games; they are exact in binary floating point.
FIXED = Weights(
    majority=0.625,
    wall=0.75,
    later=0.5,
    others=0.25,
    tile=3.0,
    room=0.5,
    coin=0.5,
    card=1.5,
    another_action=9.0,
    payable=0.125,
    payable_exactly=0.625,
    exchange_card=2.0,
    vizier=2.0,
    reserve=0.25,
    hut=1.0,
)
GAMES = {
    "alhambra-2": Options("alhambra", 2),
    "alhambra-4": Options("alhambra", 4),
    "alhambra-3-all-modules": Options("alhambra", 3, ALL),
    "granada-2-simplified": Options("granada", 2, (), "simplified"),
    "granada-4-modules": Options("granada", 4, ("vizier", "exchange")),
    "combined-3": Options("combined", 3),
    "combined-2-all-modules": Options("combined", 2, ALL),
    "combined-6-huts-simplified": Options("combined", 6, ("huts",), "simplified"),
}


def plies(name: str) -> Iterator[State]:
    """Yield a game of quick play at every decision and at its end; the state is always the same object."""
    luck = QuickLuck(sum(name.encode()))
    state = new_game(GAMES[name], luck)
    policy = Policy(state, FIXED)
    while not state.is_over:
        yield state
        seat, action = state.seat, policy.choose()
        state.play(action, luck)
        policy.follow(seat, action)
    yield state


def quick_game(name: str) -> str:
    """Return the record of a golden game of quick play, played again."""
    record = Record(GAMES[name], extra={"game": f"quick play {name}"})
    for state in plies(name):
        record.add(state.events)
    return str(record)


def samples(name: str) -> list[str]:
    """Return the roll-outs at every 20th position of a game, for the first, a middle and the last action."""
    lines: list[str] = []
    for state in plies(name):
        actions = state.offers()
        if state.n % 20 or not actions:
            continue
        for index in sorted({0, len(actions) // 2, len(actions) - 1}):
            turns = 1 + (state.n + index) % 16
            outcome = roll_out(state, actions[index], state.seat, state.n, turns, FIXED, with_features=True)
            # The win chance is an exponential, whose last digits depend on the machine.
            found = [outcome.lead, round(outcome.chance, 9), sum(i * one for i, one in enumerate(outcome.features, 1))]
            lines.append(f"{name} {state.n} {action_text(actions[index])}: {found}")
    return lines


def write() -> None:
    """Write all golden games of quick play and their roll-outs."""
    for name in GAMES:
        (HERE / f"{name}.record").write_text(quick_game(name), "utf-8")
    SAMPLES.write_text("\n".join([line for name in GAMES for line in samples(name)]) + "\n", "utf-8")
