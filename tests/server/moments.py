"""Games for the tests: every edition with all its modules, for all numbers of players."""

from __future__ import annotations

from collections.abc import Iterator

from granada import Action, Options, State, new_game
from granada.bots.greedy import GreedyBot
from granada.rules.options import EDITIONS
from tests.kit import luck, module_sets, plies

GAMES = [Options(edition, players, module_sets(edition)[-1]) for edition in EDITIONS for players in range(2, 7)]


def moments(options: Options, step: int, max_turns: int = 100) -> Iterator[State]:
    """Yield every `step`-th state of a random game."""
    for state, _ in plies(options, f"moments {options}", max_turns):
        if state.n % step == 0:
            yield state


def greedy_plies(options: Options, seed: object) -> Iterator[tuple[State, Action]]:
    """Yield the plies of a game of greedy bots, which has larger cities and more scorings than a random one."""
    bot, chance = GreedyBot(str(seed)), luck(seed)
    state = new_game(options, chance)
    while not state.is_over:
        action = bot.choose(state.view(state.seat, remembers=True), state.offers())
        yield state, action
        state.play(action, chance)
