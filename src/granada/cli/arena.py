"""`granada arena`: tournaments between bots."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from granada.arena.figures import as_data
from granada.arena.on_ray import NoRay
from granada.arena.report import report
from granada.arena.running import run as play
from granada.arena.standings import Standings
from granada.arena.storing import BadResults, Results, read_results
from granada.arena.tournament import FIXED, MODES, PATIENCE, ROUND_ROBIN, Tournament
from granada.bots import BOTS
from granada.cli.arena_tables import as_text
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
from granada.cli.failures import Failure, bad_input
from granada.cli.files import write_text
from granada.cli.progress import Progress

if TYPE_CHECKING:
    from granada.cli.arguments import Commands

HERE: Final = "processes"
RAY: Final = "ray"
MOST_PATIENCE: Final = 86_400
INTERRUPTED: Final = 130


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "arena",
        help="play tournaments between bots",
        description="Play a tournament between bots and print its figures: win shares and ratings with their"
        " uncertainty, points, margins, times. The same seed gives the same games, wherever they are played. A bot that"
        " crashes or chooses what is not allowed loses that game. See docs/arena.md.",
    )
    parser.add_argument(
        "--players",
        default="random,greedy",
        metavar="A,B,…",
        help=f"any of {', '.join(BOTS)}, with a budget if wanted: search:0.5s, search:400n (default: random,greedy)",
    )
    add_bot_arguments(parser)
    add_table_arguments(parser)
    parser.add_argument(
        "--mode",
        default=ROUND_ROBIN,
        metavar="NAME",
        help=f"{' or '.join(MODES)}: every combination of bots meets, or all sit at one table (default: {ROUND_ROBIN})",
    )
    parser.add_argument(
        "--seats", type=number(2, 6), metavar="N", help="how many sit at a table in a round-robin (default: 2)"
    )
    parser.add_argument(
        "--games", type=number(1, MOST_GAMES), default=100, metavar="N", help="of each combination (default: 100)"
    )
    add_seed_argument(parser)
    parser.add_argument("--rotate", action="store_true", help="let the seats rotate from game to game")
    parser.add_argument(
        "--paired",
        action="store_true",
        help="the same deals for all combinations; with --rotate each deal is played from every seat",
    )
    parser.add_argument(
        "--jobs", type=number(1, MOST_JOBS), metavar="N", help="processes (default: 1; with Ray all that there are)"
    )
    parser.add_argument("--on", default=HERE, metavar="WHERE", help=f"{HERE} of this machine, or {RAY}")
    parser.add_argument(
        "--ray-address", type=path, metavar="A", help="of a Ray cluster (default: one that is started on this machine)"
    )
    parser.add_argument(
        "--results", type=path, metavar="FILE", help="note every game there (JSON lines); an interrupted run goes on"
    )
    parser.add_argument("--report", type=path, metavar="FILE", help="write an HTML page with plots")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_turns_argument(parser)
    parser.add_argument(
        "--patience",
        type=number(1, MOST_PATIENCE),
        default=int(PATIENCE),
        metavar="SECONDS",
        help=f"beyond ten times its budget, until a bot that does not answer loses (default: {int(PATIENCE)})",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play what is left of a tournament, and print its figures."""
    tournament = _tournament(arguments)
    options = tournament.prepare()
    if arguments.on not in (HERE, RAY):
        raise bad_input(f"'{arguments.on}' is neither {HERE} nor {RAY}: --on says where the games are played")
    if arguments.ray_address is not None and arguments.on != RAY:
        raise bad_input(f"--ray-address goes with --on {RAY}")
    _check_writable(arguments.report)
    if arguments.report is not None and arguments.results is not None:
        if Path(arguments.report).resolve() == Path(arguments.results).resolve():
            raise bad_input("--report and --results are the same file: one would overwrite the other")
    try:
        with Results(tournament, arguments.results) as results:
            seconds = _play(results, arguments)
            standings = Standings(tournament, options, results.played())
            _tell(results, standings, arguments)
    except (BadResults, NoRay) as error:
        raise bad_input(str(error)) from None
    if arguments.json:
        print(json.dumps(as_data(standings, results.is_mixed), indent=2))
    else:
        print("\n".join(as_text(standings, seconds)), flush=True)
    # The figures come first: they are not lost if there is no room for the page.
    if arguments.report is not None:
        write_text(arguments.report, report(standings))
    return 0


def _tournament(arguments: argparse.Namespace) -> Tournament:
    players = words(arguments.players)
    seats = arguments.seats
    if seats is None:
        seats = len(players) if arguments.mode == FIXED else 2
    return Tournament(
        players,
        arguments.edition,
        words(arguments.modules),
        arguments.scoring,
        seats,
        arguments.games,
        _seed(arguments),
        arguments.mode,
        arguments.rotate,
        arguments.paired,
        arguments.max_turns,
        float(arguments.patience),
        tuple(arguments.bot_file),
        tuple(arguments.bot_program),
        arguments.granada_tiles,
        arguments.huts,
    )


def _seed(arguments: argparse.Namespace) -> int:
    """The seed that was asked for, or that of the results that are gone on with, or any."""
    file = arguments.results
    if arguments.seed is None and file is not None and Path(file).is_file() and Path(file).stat().st_size:
        try:
            return read_results(file)[0].seed
        except BadResults as error:
            raise bad_input(str(error)) from None
    return seed_of(arguments)


def _check_writable(file: str | None) -> None:
    """A report that cannot be written is complained about before hours of games, not after them."""
    if file is not None:
        existed = Path(file).exists()
        try:
            open(file, "a").close()
        except OSError as error:
            raise bad_input(f"cannot write {file}: {error.strerror}") from None
        if not existed:
            Path(file).resolve().unlink()  # not a link that leads there


def _play(results: Results, arguments: argparse.Namespace) -> float:
    """Play all games that are missing; returns the seconds that it took."""
    size, done = results.tournament.size, len(results.played())
    start = time.perf_counter()
    try:
        with Progress(size, not arguments.json, done) as progress:
            progress.show(done)
            for _ in play(results, arguments.jobs, arguments.on == RAY, arguments.ray_address):
                done += 1
                progress.show(done)
    except KeyboardInterrupt:
        further = (
            "without --results FILE they are lost"
            if results.path is None
            else f"the same command with {results.path} goes on"
        )
        raise Failure(f"granada: interrupted after {done} of {size} games; {further}", INTERRUPTED) from None
    return time.perf_counter() - start


def _tell(results: Results, standings: Standings, arguments: argparse.Namespace) -> None:
    """What the figures do not say."""
    if arguments.json or sys.stderr is None:
        return
    if results.is_mixed:
        print(f"granada: the bots have changed since the first games in {results.path}", file=sys.stderr)
    if not standings.is_rated:
        print("granada: no ratings: pip install 'granada[arena]' for them", file=sys.stderr)
