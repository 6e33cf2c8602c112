"""How fast the rules are, as ratios against OpenSpiel's backgammon measured in the same run, on one core.

Run by `make bench`, once interpreted and once compiled. Machines are shared and noisy: the parts take turns in short
rounds, and the median over the rounds is shown.
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
    """One random game of OpenSpiel's backgammon, driven from Python with lists of legal actions."""
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
    """How much work is done in a second."""
    done = 0
    start = time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        done += work()
    return done / elapsed


def microseconds(work: Callable[[], object], count: int = 2_000) -> float:
    """How long one piece of work takes."""
    start = time.perf_counter()
    for _ in range(count):
        work()
    return (time.perf_counter() - start) / count * 1e6


def extra_time(work: Callable[[], object], part: Callable[[], object]) -> float:
    """How much longer some work takes than a part of it; the least disturbed of several tries."""
    return max(0.0, min([microseconds(work, 500) for _ in range(9)]) - min([microseconds(part, 500) for _ in range(9)]))


def random_game(options: Options, luck: Luck) -> int:
    return play_at_random(new_game(options, luck), luck)


def recorded_game(options: Options, luck: Luck) -> tuple[str, int]:
    """The record of one random game, and its number of decisions."""
    state, record = new_game(options, luck), Record(options)
    record.add(state.events)
    while not state.is_over:
        actions = state.offers()
        record.add(state.play(actions[luck.below(len(actions))], luck))
    return str(record), state.n


def replayed(record: str | RecordLines) -> int:
    """Replay a record that is trusted, as a server does with what it wrote itself."""
    return Replay(record, trusted=True).run().n


def checked(text: str) -> int:
    """Replay a record with every line checked, as it is done with what comes from elsewhere."""
    return replay(text).state.n


def rate_when_new(read: Callable[[str], int], luck: Luck, count: int = 60) -> float:
    """How many decisions a second are replayed from records none of which was read before."""
    texts = [recorded_game(EDITIONS["alhambra"], luck)[0] for _ in range(count)]
    start = time.perf_counter()
    done = sum([read(text) for text in texts])
    return done / (time.perf_counter() - start)


def middle_of_game(luck: Luck) -> State:
    """A state in the middle of a random game of base Alhambra."""
    state = new_game(EDITIONS["alhambra"], luck)
    while state.n < 180:
        actions = state.offers()
        state.play(actions[luck.below(len(actions))], luck)
    return state


def size_of(thing: object, seen: set[int]) -> int:
    """Bytes of an object and all that only it reaches: shared tiles, cards, options and steps are not counted."""
    if id(thing) in seen or isinstance(thing, (type, granada.Tile, granada.Card, Options, Step)):
        return 0
    seen.add(id(thing))
    size = sys.getsizeof(thing)
    for other in gc.get_referents(thing):
        if not callable(other):
            size += size_of(other, seen)
    return size


def fresh(city: City) -> City:
    """The same city without what it remembers."""
    return city.copy()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.4, help="of each part of a round")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    gc.disable()  # the rules make no reference cycles; OpenSpiel is C++ and does not care
    rng, luck = random.Random(1), Luck(random.Random(2))
    texts = [recorded_game(EDITIONS["alhambra"], luck)[0] for _ in range(20)]
    records = [RecordLines(text) for text in texts]
    game = pyspiel.load_game("backgammon").new_initial_state()
    for _ in range(40):
        game.apply_action(rng.choice(game.legal_actions()))
    state = middle_of_game(luck)
    works: dict[str, Callable[[], int]] = {
        "backgammon": lambda: backgammon_decisions(rng),
        "taken apart": lambda: replayed(rng.choice(records)),
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
        "replay of a parsed record : random play": ratio("taken apart", "alhambra"),
        "replay of new records, trusted : random play": ratio("trusted new", "alhambra"),
        "replay of new records, checked : random play": ratio("checked new", "alhambra"),
        "copy of a state, µs": microseconds(state.copy),
        "legal cells of one tile, µs": extra_time(lambda: fresh(city).cells_for(tile), lambda: fresh(city)),
        "placement, µs": microseconds(lambda: city.build(tile, where).places),  # asked, so that all is worked out
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
