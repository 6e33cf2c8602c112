"""`granada replay`: check a record."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from granada.cli.arguments import add_component_arguments, components_of, path
from granada.cli.files import read_record
from granada.cli.score_sheet import score_sheet, verdict_of
from granada.cli.screen import Screen

if TYPE_CHECKING:
    from granada.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "replay",
        help="check a record and print the final standings",
        description="Check a record line by line and print the final standings. If the record breaks a rule, the line"
        " is printed and the exit status is 1.",
    )
    parser.add_argument("file", type=path, metavar="FILE", help="a record; - for standard input")
    parser.add_argument("--partial", action="store_true", help="accept the record of an unfinished game")
    add_component_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the final standings."""
    reading = read_record(arguments.file, components_of(arguments), arguments.partial)
    state, options, names = reading.state, reading.record.options, reading.record.names
    modules = f", modules {', '.join(options.modules)}" if options.modules else ""
    print(f"{options.edition.capitalize()}{modules}, {options.scoring} scoring:", end=" ")
    print(f"{state.n} actions in {state.turns} turns.")
    print("\n".join(score_sheet(state, names, Screen().width)))
    if state.is_over:
        print(verdict_of(state, names))
    else:
        print(f"The game is unfinished: it is the turn of seat {state.seat + 1}, {names[state.seat]}.")
    return 0
