"""The golden games: random games with their results, stored as records; `make golden` writes them again."""

from __future__ import annotations

from pathlib import Path

from granada import Options, Record, new_game
from tests.golden import quick
from tests.kit import luck

HERE = Path(__file__).parent
ALL = ("vizier", "exchange", "bonus", "huts")

#: Every edition with and without modules, all player counts, both scorings.
GAMES = {
    "alhambra-2": Options("alhambra", 2),
    "alhambra-4": Options("alhambra", 4),
    "alhambra-6-ages": Options("alhambra", 6, ages=(31, 30, 29, 8, 8, 70)),
    "alhambra-3-all-modules": Options("alhambra", 3, ALL),
    "granada-2": Options("granada", 2),
    "granada-5": Options("granada", 5),
    "granada-3-modules-simplified": Options("granada", 3, ("vizier", "exchange"), "simplified"),
    "combined-3": Options("combined", 3),
    "combined-2-all-modules": Options("combined", 2, ALL),
    "combined-6-all-modules-simplified": Options("combined", 6, ALL, "simplified"),
}


def golden_game(name: str) -> str:
    """Return the record of a golden game, played again."""
    options = GAMES[name]
    chance = luck(f"golden {name}")
    state = new_game(options, chance)
    record = Record(options, extra={"game": name})
    record.add(state.events)
    while not state.is_over:
        actions = state.offers()
        record.add(state.play(actions[chance.below(len(actions))], chance))
    return str(record)


def main() -> None:
    """Write all golden games."""
    for name in GAMES:
        (HERE / f"{name}.record").write_text(golden_game(name), "utf-8")
    quick.write()


if __name__ == "__main__":
    main()
