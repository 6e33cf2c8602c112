"""`granada arena`: tournaments between bots."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from granada.arena import report_rows
from granada.arena.html_report import report
from granada.arena.json_report import as_data
from granada.arena.on_ray import NoRay
from granada.arena.results import BadResults, Results, play_missing, read_results
from granada.arena.standings import Standings
from granada.arena.tournament import FIXED, MODES, PATIENCE, ROUND_ROBIN, Tournament
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
from granada.cli.errors import CommandError, bad_input, one_line
from granada.cli.files import write_text
from granada.cli.progress_bar import ProgressBar
from granada.cli.score_sheet import table

if TYPE_CHECKING:
    from granada.cli.arguments import Commands

MOST_PATIENCE: Final = 86_400
INTERRUPTED: Final = 130


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "arena",
        help="play tournaments between bots",
        description="Play a tournament between bots and print the results: win shares and ratings with their"
        " uncertainty, points, margins and times. The same seed gives the same games on every machine. A bot that"
        " crashes or chooses an illegal action loses the game. See docs/arena.md.",
    )
    parser.add_argument(
        "--players",
        default="random,greedy",
        metavar="A,B,…",
        help=f"any of {', '.join(BOTS)}, optionally with a budget: search:0.5s, search:400n (default: random,greedy)",
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
        "--seats", type=number(2, 6), metavar="N", help="players at a table in a round-robin (default: 2)"
    )
    parser.add_argument(
        "--games", type=number(1, MOST_GAMES), default=100, metavar="N", help="games per combination (default: 100)"
    )
    add_seed_argument(parser)
    parser.add_argument("--rotate", action="store_true", help="rotate the seats from game to game")
    parser.add_argument(
        "--paired",
        action="store_true",
        help="use the same deals for all combinations; with --rotate each deal is played from every seat",
    )
    add_place_arguments(parser)
    parser.add_argument(
        "--results", type=path, metavar="FILE", help="store every game there (JSON lines), and continue an earlier run"
    )
    parser.add_argument("--report", type=path, metavar="FILE", help="write an HTML page with plots")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_turns_argument(parser)
    parser.add_argument(
        "--patience",
        type=number(1, MOST_PATIENCE),
        default=int(PATIENCE),
        metavar="SECONDS",
        help=f"a bot that does not answer within this time plus ten times its budget loses (default: {int(PATIENCE)})",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the games of a tournament that are missing, and print the results."""
    tournament = _tournament(arguments)
    options = tournament.prepare()
    is_on_ray = on_ray(arguments)
    _check_writable(arguments.report)
    if arguments.report is not None and arguments.results is not None:
        if Path(arguments.report).resolve() == Path(arguments.results).resolve():
            raise bad_input("--report and --results are the same file: one would overwrite the other")
    try:
        with Results(tournament, arguments.results) as results:
            seconds = _play(results, arguments, is_on_ray)
            standings = Standings(tournament, options, results.played())
            _print_notes(results, standings, arguments)
    except (BadResults, NoRay) as error:
        raise bad_input(str(error)) from None
    if arguments.json:
        print(json.dumps(as_data(standings, results.is_mixed), indent=2))
    else:
        print("\n".join(as_text(standings, seconds)), flush=True)
    # Print the results first, so that they are not lost if the report cannot be written.
    if arguments.report is not None:
        write_text(arguments.report, report(standings))
    return 0


def _tournament(arguments: argparse.Namespace) -> Tournament:
    players = words(arguments.players)
    seats = arguments.seats
    if seats is None:
        seats = len(players) if arguments.mode == FIXED else 2
    return tournament_of(
        arguments,
        players,
        _seed(arguments),
        seats=seats,
        mode=arguments.mode,
        rotate=arguments.rotate,
        paired=arguments.paired,
        patience=float(arguments.patience),
    )


def _seed(arguments: argparse.Namespace) -> int:
    """Return the seed given, or that of the results to continue, or a random one."""
    file = arguments.results
    if arguments.seed is None and file is not None and Path(file).is_file() and Path(file).stat().st_size:
        try:
            return read_results(file)[0].seed
        except BadResults as error:
            raise bad_input(str(error)) from None
    return seed_of(arguments)


def _check_writable(file: str | None) -> None:
    """Check before hours of games that the report can be written."""
    if file is not None:
        existed = Path(file).exists()
        try:
            open(file, "a").close()
        except OSError as error:
            raise bad_input(f"cannot write {file}: {error.strerror}") from None
        if not existed:
            Path(file).resolve().unlink()  # not a link that leads there


def _play(results: Results, arguments: argparse.Namespace, is_on_ray: bool) -> float:
    """Play all missing games and return the seconds it took."""
    size, done = results.tournament.size, len(results.played())
    start = time.perf_counter()
    try:
        with ProgressBar(size, not arguments.json, done) as progress:
            progress.show(done)
            for _ in play_missing(results, arguments.jobs, is_on_ray, arguments.ray_address):
                done += 1
                progress.show(done)
    except KeyboardInterrupt:
        advice = (
            "use --results FILE to keep them next time"
            if results.path is None
            else f"run the same command with {results.path} to continue"
        )
        raise CommandError(f"granada: interrupted after {done} of {size} games; {advice}", INTERRUPTED) from None
    return time.perf_counter() - start


def _print_notes(results: Results, standings: Standings, arguments: argparse.Namespace) -> None:
    """Print on standard error what the results do not show."""
    if arguments.json or sys.stderr is None:
        return
    if results.is_mixed:
        print(f"granada: the bots have changed since the first games in {results.path}", file=sys.stderr)
    if not standings.is_rated:
        print("granada: no ratings; to get them: pip install 'granada[arena]'", file=sys.stderr)


def as_text(standings: Standings, seconds: float) -> list[str]:
    """Return all tables, one after the other."""
    lines = [report_rows.heading(standings.tournament), f"{report_rows.summary(standings)}, {seconds:.1f} s"]
    lines += ["", *table(report_rows.shares(standings))]
    if len(standings.entrants) > 2:
        lines += ["", *table(report_rows.matrix(standings))]
    lines += ["", *table(report_rows.points(standings)), "", *table(report_rows.times(standings))]
    faults = [one_line(line) for line in report_rows.faults(standings)]
    return [*lines, *(["", *faults] if faults else [])]
