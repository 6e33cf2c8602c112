"""`granada simulate`: games between bots."""

from __future__ import annotations

import argparse
import json
import time
from typing import TYPE_CHECKING

from granada.arena.simulation import simulate
from granada.arena.tally import Tally
from granada.arena.tournament import FIXED
from granada.bots import BOTS
from granada.cli.arguments import (
    MOST_GAMES,
    MOST_JOBS,
    add_bot_arguments,
    add_seed_argument,
    add_table_arguments,
    add_turns_argument,
    number,
    path,
    seed_of,
    tournament_of,
    words,
)
from granada.cli.progress_bar import ProgressBar
from granada.cli.simulate_output import as_data, as_text

if TYPE_CHECKING:
    from granada.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "simulate",
        help="play games between bots",
        description="Play games between bots and print the results by seat. The same seed gives the same games, with"
        " any number of processes. 'granada arena' compares bots.",
    )
    add_table_arguments(parser)
    parser.add_argument(
        "--players",
        default="greedy,greedy,greedy",
        metavar="A,B,…",
        help=f"one bot per seat, any of {', '.join(BOTS)} (default: greedy,greedy,greedy)",
    )
    add_bot_arguments(parser)
    parser.add_argument(
        "--games", type=number(1, MOST_GAMES), default=100, metavar="N", help="number of games (default: 100)"
    )
    add_seed_argument(parser)
    parser.add_argument("--jobs", type=number(1, MOST_JOBS), default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument(
        "--records", type=path, metavar="DIR", help="write a record of each game there: 000001.record, …"
    )
    add_turns_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the games and print the results."""
    players = words(arguments.players)
    tournament = tournament_of(arguments, players, seed_of(arguments), mode=FIXED, seats=len(players))
    tally = Tally(tournament.prepare())
    start = time.perf_counter()
    with ProgressBar(tournament.size, not arguments.json) as progress:
        for outcome in simulate(tournament, arguments.jobs, arguments.records):
            tally.add(outcome)
            progress.show(tally.games)
    seconds = time.perf_counter() - start
    if arguments.json:
        print(json.dumps(as_data(tournament, tally, seconds), indent=2))
    else:
        print("\n".join(as_text(tournament, tally, seconds)))
    return 0
