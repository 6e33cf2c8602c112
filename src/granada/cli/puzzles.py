"""`granada puzzles`: find puzzles in games between bots, and choose those to ship."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from granada.cli.arguments import MOST_GAMES, MOST_JOBS, add_seed_argument, number, path, seed_of
from granada.cli.errors import CommandError, bad_input
from granada.cli.progress_bar import ProgressBar
from granada.puzzles.files import BadPuzzles, Examined, write_games
from granada.puzzles.finder import Effort
from granada.puzzles.games import done_in, examine_games
from granada.puzzles.select import appended, select

if TYPE_CHECKING:
    from granada.cli.arguments import Commands

INTERRUPTED: Final = 130
MOST_NODES: Final = 1_000_000
_EFFORT: Final = Effort()


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "puzzles",
        help="find positions in which one whole turn is clearly the best",
        description="Play games between bots and write the positions in which one whole turn is clearly the best and"
        " not the obvious one. The same seed gives the same puzzles, with any number of processes; a run continues"
        " where an earlier one stopped. With --from, choose puzzles of many kinds from such a file and number them."
        " See docs/puzzles.md.",
    )
    parser.add_argument("--out", type=path, required=True, metavar="FILE", help="the file to write (JSON lines)")
    parser.add_argument(
        "--games", type=number(1, MOST_GAMES), default=100, metavar="N", help="games to examine (default: 100)"
    )
    add_seed_argument(parser)
    parser.add_argument("--jobs", type=number(1, MOST_JOBS), default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument("--from", dest="source", type=path, metavar="FILE", help="choose from the puzzles in this file")
    parser.add_argument(
        "--keep", type=number(1, MOST_GAMES), default=300, metavar="N", help="puzzles to choose (default: 300)"
    )
    for name, default, what in (
        ("quick", _EFFORT.quick, "roll-outs of the first look at a position"),
        ("nodes", _EFFORT.nodes, "roll-outs of each of the two searches"),
        ("samples", _EFFORT.samples, f"roll-outs of each turn in each of the {_EFFORT.series} series that decide"),
    ):
        parser.add_argument(
            f"--{name}", type=number(2, MOST_NODES), default=default, metavar="N", help=f"{what} (default: {default})"
        )
    parser.add_argument("--vizier", action="store_true", help="examine only positions in which the vizier can act")
    parser.add_argument(
        "--append",
        action="store_true",
        help="with --from: keep the puzzles in --out, and number the new ones after them",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Find puzzles, or choose from those found."""
    if arguments.append and arguments.source is None:
        raise bad_input("--append needs --from: it adds chosen puzzles to a file")
    try:
        games = _chosen(arguments) if arguments.source is not None else _found(arguments)
    except BadPuzzles as error:
        raise bad_input(str(error)) from None
    print("\n".join(summary(games)))
    return 0


def _found(arguments: argparse.Namespace) -> list[Examined]:
    effort = Effort(arguments.quick, arguments.nodes, _EFFORT.series, arguments.samples, arguments.vizier)
    target, seed = Path(arguments.out), seed_of(arguments)
    done = len(done_in(target))
    try:
        with ProgressBar(arguments.games, True, done) as progress:
            for _ in examine_games(seed, arguments.games, effort, arguments.jobs, target):
                done += 1
                progress.show(done)
    except KeyboardInterrupt:
        advice = f"run the same command with --seed {seed} to continue"
        raise CommandError(
            f"granada: interrupted after {done} of {arguments.games} games; {advice}", INTERRUPTED
        ) from None
    return done_in(target)


def _chosen(arguments: argparse.Namespace) -> list[Examined]:
    source = Path(arguments.source)
    if not source.is_file():
        raise bad_input(f"cannot read {source}: there is no such file")
    target = Path(arguments.out)
    games = select(done_in(source), arguments.keep)
    if arguments.append:
        games = appended(done_in(target), games)
    write_games(target, games)
    return games


def summary(games: Iterable[Examined]) -> list[str]:
    """Return how many puzzles there are, of which kinds."""
    found = list(games)
    puzzles = [one for game in found for one in game.puzzles]
    lines = [f"{len(puzzles)} puzzles in {len(found)} games"]
    counts = (
        ("edition", Counter([one.source.edition for one in puzzles])),
        ("players", Counter([str(len(one.source.bots)) for one in puzzles])),
        ("modules", Counter([module for one in puzzles for module in one.source.modules])),
        ("grade", Counter([one.grade for one in puzzles])),
        ("theme", Counter([theme for one in puzzles for theme in one.themes])),
    )
    lines += [
        f"{name}: {', '.join([f'{what} {count}' for what, count in sorted(counter.items())])}"
        for name, counter in counts
        if counter
    ]
    return lines
