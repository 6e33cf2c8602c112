"""Games with varied positions: some actions by the quick policy, some at random."""

from __future__ import annotations

from collections.abc import Iterator

from granada import Action, Chance, Options, State, new_game
from granada.engine.policy import Policy
from granada.engine.weights import Weights
from granada.rules.options import EDITIONS
from tests.kit import luck, module_sets

#: The turn limit of these tests; games of the quick policy are much shorter.
MAX_TURNS = 400


def tables(*players: int) -> list[Options]:
    """15: every edition for these numbers of players, plain and with all modules, regular and simplified (7.5)."""
    return [
        Options(edition, count, modules, scoring)
        for edition in EDITIONS
        for count in players
        for modules in ((), module_sets(edition)[-1])
        for scoring in (("regular",) if edition == "alhambra" else ("regular", "simplified"))
    ]


def mixed_plies(options: Options, seed: object, max_turns: int = MAX_TURNS) -> Iterator[tuple[State, Action, Chance]]:
    """Yield a game ply by ply: the state, the next action, and the source of chance.

    Two of three actions are those of the quick policy, so that cities grow and games end; the others are random, so
    that tiles are reserved, given away, removed and swapped, and cards kept, as the quick policy would not do.
    Whoever goes on plays the action; the state is the same one all the time.
    """
    chance = luck(seed)
    state = new_game(options, chance)
    weights = Weights()
    while not state.is_over and state.turns <= max_turns:
        if chance.below(3):
            action = Policy(state, weights).choose()
        else:
            actions = state.offers()
            action = actions[chance.below(len(actions))]
        yield state, action, chance
        state.play(action, chance)


def mixed(options: Options, seed: object, every: int = 1, max_turns: int = MAX_TURNS) -> Iterator[State]:
    """Yield every n-th position of a mixed game."""
    for state, _, _ in mixed_plies(options, seed, max_turns):
        if state.n % every == 0:
            yield state


def finished(options: Options, seed: object) -> State:
    """Return the end of a mixed game."""
    state = None
    for at, _, _ in mixed_plies(options, seed):
        state = at
    assert state is not None
    assert state.is_over
    return state
