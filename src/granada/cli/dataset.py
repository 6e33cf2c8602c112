"""`granada dataset`: games between bots as data for learning."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from granada.arena.on_ray import NoRay
from granada.arena.tournament import FIXED
from granada.bots import BOTS
from granada.cli.arguments import (
    MOST_GAMES,
    add_bot_arguments,
    add_place_arguments,
    add_seed_argument,
    add_table_arguments,
    add_turns_argument,
    number,
    on_ray,
    path,
    seed_of,
    tournament_of,
    words,
)
from granada.cli.errors import CommandError, bad_input
from granada.cli.progress_bar import ProgressBar

if TYPE_CHECKING:
    from granada.arena.tournament import Tournament
    from granada.cli.arguments import Commands
    from granada.learning.dataset import Written

MOST_PER_FILE: Final = 10_000
INTERRUPTED: Final = 130


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "dataset",
        help="write games between bots as data for learning",
        description="Play games between bots and write what each seat saw, could choose and chose, token by token. An"
        " interrupted run is continued by the same command. See docs/learning.md.",
    )
    add_table_arguments(parser)
    parser.add_argument(
        "--players",
        default="builder,builder",
        metavar="A,B,…",
        help=f"one bot per seat, any of {', '.join(BOTS)} (default: builder,builder)",
    )
    add_bot_arguments(parser)
    parser.add_argument("--variant", default="", metavar="NAME", help="a small variant (docs/learning.md)")
    parser.add_argument(
        "--games", type=number(1, MOST_GAMES), default=100, metavar="N", help="number of games (default: 100)"
    )
    add_seed_argument(parser)
    parser.add_argument("--rotate", action="store_true", help="rotate the seats from game to game")
    parser.add_argument("--memory", action="store_true", help="show all hands as a perfect memory knows them")
    parser.add_argument("--format", default="npz", metavar="NAME", help="npz or parquet (default: npz)")
    parser.add_argument(
        "--per-file", type=number(1, MOST_PER_FILE), default=20, metavar="N", help="games in a file (default: 20)"
    )
    parser.add_argument("--out", type=path, required=True, metavar="DIR", help="the folder to write to")
    add_place_arguments(parser)
    add_turns_argument(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the files of a dataset that are missing."""
    is_on_ray = on_ray(arguments)
    try:
        from granada.learning import dataset
    except ModuleNotFoundError as error:
        raise bad_input(str(error)) from None
    place = Path(arguments.out)
    try:
        plan = dataset.DatasetPlan(
            _tournament(arguments, dataset.seed_in(place)),
            arguments.variant,
            arguments.memory,
            arguments.format,
            arguments.per_file,
        )
        if is_on_ray:
            written = dataset.write_on_ray(plan, place, arguments.jobs, arguments.ray_address)
        else:
            written = dataset.write(plan, place, arguments.jobs or 1)
        steps, seconds = _follow(written, plan.tournament.size)
    except (dataset.BadDataset, NoRay) as error:
        raise bad_input(str(error)) from None
    size = sum([file.stat().st_size for file in dataset.read(place).files])
    rate = f"{steps:,} steps in {seconds:.1f} s, {steps / max(seconds, 1e-9):,.0f} steps/s"
    print(f"{place}: {plan.tournament.size:,} games, {size / 1e6:,.1f} MB; {rate}")
    return 0


def _tournament(arguments: argparse.Namespace, stored: int | None) -> Tournament:
    """Return the games to play, by default with the seed of those to continue."""
    players = words(arguments.players)
    seed = stored if arguments.seed is None and stored is not None else seed_of(arguments)
    return tournament_of(arguments, players, seed, mode=FIXED, seats=len(players), rotate=arguments.rotate)


def _follow(written: Iterator[Written], games: int) -> tuple[int, float]:
    """Show the progress; returns the steps of this run, and its seconds."""
    start = time.perf_counter()
    done = 0
    steps = 0
    try:
        with ProgressBar(games, True) as progress:
            for so_far in written:
                done, steps = so_far
                progress.show(done)
    except KeyboardInterrupt:
        advice = "run the same command again to continue"
        raise CommandError(f"granada: interrupted after {done} of {games} games; {advice}", INTERRUPTED) from None
    return steps, time.perf_counter() - start
