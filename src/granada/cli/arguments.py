"""The arguments that several commands share."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn

from granada.bots.external.plugins import load_bots
from granada.cli.failures import bad_input
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


class Parser(argparse.ArgumentParser):
    """A parser of arguments whose complaints are one line."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**{**arguments, "allow_abbrev": False})

    def error(self, message: str) -> NoReturn:
        raise bad_input(f"{message} (see {self.prog} --help)")


def number(least: int, most: int) -> Callable[[str], int]:
    """A reader of whole numbers within bounds."""

    def read(text: str) -> int:
        digits = text.removeprefix("-")
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= len(str(most))
        if not is_number or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"'{text}' is no whole number from {least} to {most}")
        return int(text)

    return read


def path(text: str) -> str:
    """The name of a file or folder."""
    if not text:
        raise argparse.ArgumentTypeError("the name of a file is needed")
    return text


def add_turns_argument(parser: argparse.ArgumentParser) -> None:
    """3.7: when a game is stopped."""
    parser.add_argument(
        "--max-turns",
        type=number(1, MOST_TURNS),
        default=MAX_TURNS,
        metavar="N",
        help=f"stop a game after so many turns and call it unfinished (default: {MAX_TURNS})",
    )


def add_table_arguments(parser: argparse.ArgumentParser) -> None:
    """What is played, without the players."""
    parser.add_argument(
        "--edition", default="alhambra", metavar="NAME", help=f"{', '.join(EDITIONS)} (default: alhambra)"
    )
    parser.add_argument(
        "--modules", default="", metavar="A,B", help=f"any of {', '.join(MODULES)}, separated by commas"
    )
    parser.add_argument("--scoring", default="regular", metavar="NAME", help=f"{', '.join(SCORINGS)}")
    add_component_arguments(parser)


def add_component_arguments(parser: argparse.ArgumentParser) -> None:
    """Other lists of components than ours."""
    parser.add_argument(
        "--granada-tiles", type=path, metavar="FILE", help="a list of Granada tiles in place of ours (CSV)"
    )
    parser.add_argument("--huts", type=path, metavar="FILE", help="a list of huts in place of ours (CSV)")


def add_seed_argument(parser: argparse.ArgumentParser) -> None:
    """The seed of all luck."""
    parser.add_argument(
        "--seed", type=number(0, LARGEST_SEED), metavar="N", help="the same seed, the same luck (default: any)"
    )


def add_bot_arguments(parser: argparse.ArgumentParser) -> None:
    """Bots of others, which join ours (docs/bots.md)."""
    parser.add_argument(
        "--bot-file",
        type=path,
        action="append",
        default=[],
        metavar="FILE",
        help="a Python file with bots, which can then be named like ours; may be given several times",
    )
    parser.add_argument(
        "--bot-program",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="a program in any language that plays by the line protocol; may be given several times",
    )


def load_bots_of(arguments: argparse.Namespace) -> None:
    """Let the bots that were asked for, and those that are installed, join ours; BadOptions says what is wrong."""
    load_bots(arguments.bot_file, arguments.bot_program)


def words(text: str) -> tuple[str, ...]:
    """The words of a list with commas; nothing is an empty list."""
    return tuple([word.strip() for word in text.split(",")]) if text.strip() else ()


def seed_of(arguments: argparse.Namespace) -> int:
    """The seed that was asked for, or any."""
    seed: int | None = arguments.seed
    return random.SystemRandom().randrange(10**9) if seed is None else seed


def components_of(arguments: argparse.Namespace) -> Components | None:
    """The components that were asked for; None for ours."""
    if arguments.granada_tiles is None and arguments.huts is None:
        return None
    return load(arguments.granada_tiles, arguments.huts)


def options_of(arguments: argparse.Namespace, players: int) -> Options:
    """The options that were asked for."""
    return Options(
        arguments.edition,
        players,
        words(arguments.modules),
        arguments.scoring,
        components=components_of(arguments),
    )
