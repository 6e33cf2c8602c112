"""Games of random actions, for simulations and benchmarks; in a module of its own so that the loop is compiled."""

from __future__ import annotations

from collections.abc import Callable

from granada.records.record import Record
from granada.rules.chance import Chance
from granada.rules.state import State

#: 3.7: the rules do not stop players from rebuilding forever, so a game is abandoned after this number of turns.
MAX_TURNS = 1_000


def play_at_random(state: State, chance: Chance, max_turns: int = MAX_TURNS) -> int:
    """Play random actions to the end of the game or for `max_turns`; return the number of actions played."""
    before = state.n
    while state.agenda is not None and state.turns <= max_turns:
        actions = state.offers()
        state.play(actions[chance.below(len(actions))], chance)
    return state.n - before


def play_seats_at_random(
    state: State, numbers: list[Callable[[], float]], chance: Chance, max_turns: int, record: Record | None
) -> None:
    """Play random actions with one random source per seat, as random bots do; a forced action draws no number."""
    while state.agenda is not None and state.turns <= max_turns:
        actions = state.offers()
        count = len(actions)
        action = actions[int(numbers[state.seat]() * count)] if count > 1 else actions[0]
        events = state.play(action, chance)
        if record is not None:
            record.add(events)
