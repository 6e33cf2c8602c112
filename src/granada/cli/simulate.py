"""`granada simulate`: games between bots."""

from __future__ import annotations

import argparse
import json
import time
from typing import TYPE_CHECKING

from granada.arena.simulation import Series, simulate
from granada.arena.tally import Tally
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
    words,
)
from granada.cli.figures import as_data, as_text
from granada.cli.progress import Progress

if TYPE_CHECKING:
    from granada.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "simulate",
        help="play games between bots",
        description="Play games between bots and print the figures. The same seed gives the same games, however many"
        " processes play them.",
    )
    add_table_arguments(parser)
    parser.add_argument(
        "--players",
        default="greedy,greedy,greedy",
        metavar="A,B,…",
        help=f"one bot a seat, any of {', '.join(BOTS)} (default: greedy,greedy,greedy)",
    )
    add_bot_arguments(parser)
    parser.add_argument("--games", type=number(1, MOST_GAMES), default=100, metavar="N", help="(default: 100)")
    add_seed_argument(parser)
    parser.add_argument("--jobs", type=number(1, MOST_JOBS), default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument("--records", type=path, metavar="DIR", help="write every game there: 000001.record, …")
    add_turns_argument(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the figures of the games."""
    series = Series(
        words(arguments.players),
        arguments.edition,
        words(arguments.modules),
        arguments.scoring,
        arguments.games,
        seed_of(arguments),
        arguments.max_turns,
        arguments.records,
        arguments.granada_tiles,
        arguments.huts,
        tuple(arguments.bot_file),
        tuple(arguments.bot_program),
    )
    tally = Tally(series.options())
    start = time.perf_counter()
    with Progress(series.games, not arguments.json) as progress:
        for result in simulate(series, arguments.jobs):
            tally.add(result)
            progress.show(tally.games)
    seconds = time.perf_counter() - start
    if arguments.json:
        print(json.dumps(as_data(series, tally, seconds), indent=2))
    else:
        print("\n".join(as_text(series, tally, seconds)))
    return 0
