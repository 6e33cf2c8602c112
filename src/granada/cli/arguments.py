"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn

from granada.arena.tournament import Tournament
from granada.bots.external.plugins import load_bots
from granada.cli.errors import bad_input
from granada.records.playout import MAX_TURNS
from granada.rules.components import Components, load
from granada.rules.options import EDITIONS, MODULES, SCORINGS, Options

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction["Parser"]

LARGEST_SEED: Final = 2**63 - 1
#: Records are numbered with six digits.
MOST_GAMES: Final = 999_999
MOST_JOBS: Final = 256
MOST_TURNS: Final = 1_000_000
#: Where games are played.
HERE: Final = "processes"
RAY: Final = "ray"


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**{**arguments, "allow_abbrev": False})

    def error(self, message: str) -> NoReturn:
        raise bad_input(f"{message} (see {self.prog} --help)")


def number(least: int, most: int) -> Callable[[str], int]:
    """Return an argument type for whole numbers within bounds."""

    def read(text: str) -> int:
        digits = text.removeprefix("-")
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= len(str(most))
        if not is_number or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {least} to {most}")
        return int(text)

    return read


def path(text: str) -> str:
    """Check the path of a file or folder."""
    if not text:
        raise argparse.ArgumentTypeError("a file name is needed")
    return text


def add_turns_argument(parser: argparse.ArgumentParser) -> None:
    """3.7: add the limit on turns."""
    parser.add_argument(
        "--max-turns",
        type=number(1, MOST_TURNS),
        default=MAX_TURNS,
        metavar="N",
        help=f"stop a game after N turns and count it as unfinished (default: {MAX_TURNS})",
    )


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of the game, without the players."""
    parser.add_argument(
        "--edition", default="alhambra", metavar="NAME", help=f"{', '.join(EDITIONS)} (default: alhambra)"
    )
    parser.add_argument(
        "--modules", default="", metavar="A,B", help=f"any of {', '.join(MODULES)}, separated by commas"
    )
    parser.add_argument("--scoring", default="regular", metavar="NAME", help=f"{', '.join(SCORINGS)}")
    add_component_arguments(parser)


def add_component_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the user's own lists of components."""
    parser.add_argument(
        "--granada-tiles", type=path, metavar="FILE", help="use this list of Granada tiles (CSV) instead of ours"
    )
    parser.add_argument("--huts", type=path, metavar="FILE", help="use this list of huts (CSV) instead of ours")


def add_seed_argument(parser: argparse.ArgumentParser) -> None:
    """Add the random seed."""
    parser.add_argument(
        "--seed", type=number(0, LARGEST_SEED), metavar="N", help="the same seed gives the same game (default: random)"
    )


def add_bot_arguments(parser: argparse.ArgumentParser) -> None:
    """Add third-party bots (docs/bots.md)."""
    parser.add_argument(
        "--bot-file",
        type=path,
        action="append",
        default=[],
        metavar="FILE",
        help="a Python file with bots, which can then be used by name; may be given several times",
    )
    parser.add_argument(
        "--bot-program",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="a program in any language that speaks the line protocol; may be given several times",
    )


def add_place_arguments(parser: argparse.ArgumentParser) -> None:
    """Add where games are played, and on how many processors."""
    parser.add_argument(
        "--jobs", type=number(1, MOST_JOBS), metavar="N", help="processes (default: 1; with Ray all processors)"
    )
    parser.add_argument("--on", default=HERE, metavar="WHERE", help=f"{HERE} on this machine, or {RAY}")
    parser.add_argument(
        "--ray-address", type=path, metavar="A", help="address of a Ray cluster (default: start one on this machine)"
    )


def on_ray(arguments: argparse.Namespace) -> bool:
    """Return whether games are played on Ray, and check the arguments."""
    if arguments.on not in (HERE, RAY):
        raise bad_input(f"--on must be {HERE} or {RAY}, not '{arguments.on}'")
    if arguments.ray_address is not None and arguments.on != RAY:
        raise bad_input(f"--ray-address needs --on {RAY}")
    return bool(arguments.on == RAY)


def load_bots_of(arguments: argparse.Namespace) -> None:
    """Load the bots given on the command line and the installed ones; BadOptions says what is wrong."""
    load_bots(arguments.bot_file, arguments.bot_program)


def words(text: str) -> tuple[str, ...]:
    """Split a list at its commas; an empty text is an empty list."""
    return tuple([word.strip() for word in text.split(",")]) if text.strip() else ()


def seed_of(arguments: argparse.Namespace) -> int:
    """Return the seed given, or a random one."""
    seed: int | None = arguments.seed
    return random.SystemRandom().randrange(10**9) if seed is None else seed


def components_of(arguments: argparse.Namespace) -> Components | None:
    """Return the components given; None for ours."""
    if arguments.granada_tiles is None and arguments.huts is None:
        return None
    return load(arguments.granada_tiles, arguments.huts)


def options_of(arguments: argparse.Namespace, players: int) -> Options:
    """Return the options of the game."""
    return Options(
        arguments.edition,
        players,
        words(arguments.modules),
        arguments.scoring,
        components=components_of(arguments),
    )


def tournament_of(arguments: argparse.Namespace, players: tuple[str, ...], seed: int, **more: Any) -> Tournament:
    """Return the tournament to play; `more` are settings that not every command has."""
    return Tournament(
        players,
        arguments.edition,
        words(arguments.modules),
        arguments.scoring,
        games=arguments.games,
        seed=seed,
        max_turns=arguments.max_turns,
        bot_files=tuple(arguments.bot_file),
        bot_programs=tuple(arguments.bot_program),
        granada_tiles=arguments.granada_tiles,
        huts=arguments.huts,
        **more,
    )
