"""Random games, played inside the compiled part: for simulations, benchmarks and searches."""

from __future__ import annotations

from collections.abc import Callable

from granada.records.record import Record
from granada.rules.chance import Chance
from granada.rules.state import State

#: 3.7: nothing in the rules ends a game of endless rebuilding; after so many turns it is called unfinished.
MAX_TURNS = 1_000


def play_at_random(state: State, chance: Chance, max_turns: int = MAX_TURNS) -> int:
    """Play uniformly among all offered actions to the end, or for `max_turns`; returns the number of decisions."""
    before = state.n
    while state.agenda is not None and state.turns <= max_turns:
        actions = state.offers()
        state.play(actions[chance.below(len(actions))], chance)
    return state.n - before


def play_seats_at_random(
    state: State, numbers: list[Callable[[], float]], chance: Chance, max_turns: int, record: Record | None
) -> None:
    """The same with a source of random numbers for each seat, as random bots have them; a single action needs none."""
    while state.agenda is not None and state.turns <= max_turns:
        actions = state.offers()
        count = len(actions)
        action = actions[int(numbers[state.seat]() * count)] if count > 1 else actions[0]
        events = state.play(action, chance)
        if record is not None:
            record.add(events)
