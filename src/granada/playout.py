"""Random games, played inside the compiled part: for simulations, benchmarks and searches."""

from __future__ import annotations

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
