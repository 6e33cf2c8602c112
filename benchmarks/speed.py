"""Speed of the rules relative to OpenSpiel's backgammon, measured in the same run on one core.

Run by `make bench`, once interpreted and once compiled. The measurements alternate in short rounds and the median is
shown, to reduce noise from other work on the machine.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import sys
import time
from collections.abc import Callable

import pyspiel

import granada
from granada import Luck, Options, Record, Replay, State, new_game, play_at_random, replay
from granada.records.lines import RecordLines
from granada.rules.city import City
from granada.rules.state import Step

ALL_MODULES = ("vizier", "exchange", "bonus", "huts")
EDITIONS = {
    "alhambra": Options("alhambra", 4),
    "granada": Options("granada", 4, ("vizier", "exchange")),
    "combined": Options("combined", 4, ALL_MODULES),
}


def backgammon_decisions(rng: random.Random) -> int:
    """Play a random game of OpenSpiel's backgammon from Python; returns the number of decisions."""
    state = pyspiel.load_game("backgammon").new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            action = rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
        else:
            action = rng.choice(state.legal_actions())
            decisions += 1
        state.apply_action(action)
    return decisions


def rate(work: Callable[[], int], seconds: float) -> float:
    """Return the units of work per second."""
    done = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        done += work()
    return done / elapsed


def microseconds(work: Callable[[], object], count: int = 2_000) -> float:
    """Return the duration of one call, in microseconds."""
    start = time.perf_counter()
    for _ in range(count):
        work()
    return (time.perf_counter() - start) / count * 1e6


def extra_time(work: Callable[[], object], part: Callable[[], object]) -> float:
    """Return how much longer some work takes than a part of it, as the difference of the minima of several tries."""
    return max(0.0, min([microseconds(work, 500) for _ in range(9)]) - min([microseconds(part, 500) for _ in range(9)]))


def random_game(options: Options, luck: Luck) -> int:
    return play_at_random(new_game(options, luck), luck)


def recorded_game(options: Options, luck: Luck) -> tuple[str, int]:
    """Return the record of a random game and its number of decisions."""
    state, record = new_game(options, luck), Record(options)
    record.add(state.events)
    while not state.is_over:
        actions = state.offers()
        record.add(state.play(actions[luck.below(len(actions))], luck))
    return str(record), state.n


def replayed(record: str | RecordLines) -> int:
    """Replay a trusted record, as the server does with its own."""
    return Replay(record, trusted=True).run().n


def checked(text: str) -> int:
    """Replay a record and check every line, as the server does with uploads."""
    return replay(text).state.n


def rate_when_new(read: Callable[[str], int], luck: Luck, count: int = 60) -> float:
    """Return the decisions per second when each record is read for the first time."""
    texts = [recorded_game(EDITIONS["alhambra"], luck)[0] for _ in range(count)]
    start = time.perf_counter()
    done = sum([read(text) for text in texts])
    return done / (time.perf_counter() - start)


def middle_of_game(luck: Luck) -> State:
    """Return a state in the middle of a random game of Alhambra without modules."""
    state = new_game(EDITIONS["alhambra"], luck)
    while state.n < 180:
        actions = state.offers()
        state.play(actions[luck.below(len(actions))], luck)
    return state


def size_of(thing: object, seen: set[int]) -> int:
    """Return the bytes of an object and everything it references, except shared tiles, cards, options and steps."""
    if id(thing) in seen or isinstance(thing, (type, granada.Tile, granada.Card, Options, Step)):
        return 0
    seen.add(id(thing))
    size = sys.getsizeof(thing)
    for other in gc.get_referents(thing):
        if not callable(other):
            size += size_of(other, seen)
    return size


def fresh(city: City) -> City:
    """Return a copy of a city without its caches."""
    return city.copy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.4, help="duration of each measurement in a round")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    gc.disable()  # the rules create no reference cycles, and OpenSpiel is C++
    rng, luck = random.Random(1), Luck(random.Random(2))
    texts = [recorded_game(EDITIONS["alhambra"], luck)[0] for _ in range(20)]
    records = [RecordLines(text) for text in texts]
    game = pyspiel.load_game("backgammon").new_initial_state()
    for _ in range(40):
        game.apply_action(rng.choice(game.legal_actions()))
    state = middle_of_game(luck)
    works: dict[str, Callable[[], int]] = {
        "backgammon": lambda: backgammon_decisions(rng),
        "parsed": lambda: replayed(rng.choice(records)),
        "trusted": lambda: replayed(rng.choice(texts)),
        "checked": lambda: checked(rng.choice(texts)),
        "recorded": lambda: recorded_game(EDITIONS["alhambra"], luck)[1],
    }
    for name, options in EDITIONS.items():
        works[name] = lambda options=options: random_game(options, luck)  # type: ignore[misc]
    rates: dict[str, list[float]] = {name: [] for name in [*works, "trusted new", "checked new"]}
    copies: list[float] = []
    for _ in range(arguments.rounds):
        for name, work in works.items():
            rates[name].append(rate(work, arguments.seconds))
        rates["trusted new"].append(rate_when_new(replayed, luck))
        rates["checked new"].append(rate_when_new(checked, luck))
        copies.append(microseconds(game.clone) / microseconds(state.copy))

    def ratio(one: str, other: str) -> float:
        return statistics.median([a / b for a, b in zip(rates[one], rates[other], strict=True)])

    player = max(state.players, key=lambda player: len(player.city.places))
    city, tile = player.city, granada.tile("garden-10")
    where = city.cells_for(tile)[0]
    results: dict[str, float | str] = {
        "mode": "compiled" if granada.is_compiled() else "interpreted",
        "alhambra decisions/s": statistics.median(rates["alhambra"]),
        "backgammon decisions/s": statistics.median(rates["backgammon"]),
        "alhambra : backgammon": ratio("alhambra", "backgammon"),
        "backgammon clone : state copy": statistics.median(copies),
        "alhambra : granada with modules": ratio("alhambra", "granada"),
        "alhambra : combined with all modules": ratio("alhambra", "combined"),
        "replay, trusted : random play": ratio("trusted", "alhambra"),
        "replay, all checked : random play": ratio("checked", "alhambra"),
        "replay, trusted : random play, recorded": ratio("trusted", "recorded"),
        "replay of a parsed record : random play": ratio("parsed", "alhambra"),
        "replay of new records, trusted : random play": ratio("trusted new", "alhambra"),
        "replay of new records, checked : random play": ratio("checked new", "alhambra"),
        "copy of a state, µs": microseconds(state.copy),
        "legal cells of one tile, µs": extra_time(lambda: fresh(city).cells_for(tile), lambda: fresh(city)),
        "placement, µs": microseconds(lambda: city.build(tile, where).places),  # forces the computation
        "longest wall, µs": extra_time(lambda: fresh(city).stretch(0), lambda: fresh(city)),
        "memory of a state, KB": size_of(state, set()) / 1024,
    }
    if arguments.json:
        print(json.dumps(results, ensure_ascii=False, indent=1))
        return
    for name, value in results.items():
        print(f"{name:46} {value if isinstance(value, str) else format(value, ',.2f'):>12}")


if __name__ == "__main__":
    main()
