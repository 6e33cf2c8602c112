"""`granada perft`: count positions, to test the move generator."""

from __future__ import annotations

import argparse
import random
from typing import TYPE_CHECKING, Final

from granada.cli.arguments import add_seed_argument, add_table_arguments, number, options_of, seed_of
from granada.engine.perft import divide, perft
from granada.records.luck import Luck
from granada.records.notation import action_text
from granada.rules.setup import new_game

if TYPE_CHECKING:
    from granada.cli.arguments import Commands

DEEPEST: Final = 12  # more would take years
MOST_ACTIONS: Final = 100_000


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "perft",
        help="count positions",
        description="Count the positions after 1, 2, … actions, playing all offered actions. Chance events always have"
        " their first result; the seed decides only the set-up.",
    )
    add_table_arguments(parser)
    add_seed_argument(parser)
    parser.add_argument("--players", type=number(2, 6), default=3, metavar="N", help="2 to 6 (default: 3)")
    parser.add_argument("--depth", type=number(1, DEEPEST), default=3, metavar="D", help="(default: 3)")
    parser.add_argument(
        "--after", type=number(0, MOST_ACTIONS), default=0, metavar="N", help="first play N random actions"
    )
    parser.add_argument("--divide", action="store_true", help="also print the count for each first action")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the number of positions at each depth."""
    options = options_of(arguments, arguments.players)
    seed = seed_of(arguments)
    luck = Luck(random.Random(str(seed)))
    state = new_game(options, luck)
    while not state.is_over and state.n < arguments.after:
        actions = state.offers()
        state.play(actions[luck.below(len(actions))], luck)
    print(f"{options!r}, seed {seed}, after {state.n} actions")
    print("depth    positions")
    for depth in range(1, arguments.depth + 1):
        print(f"{depth:5} {perft(state, depth):12}", flush=True)
    if arguments.divide:
        for action, count in divide(state, arguments.depth):
            print(f"{count:18} {action_text(action)}")
    return 0
