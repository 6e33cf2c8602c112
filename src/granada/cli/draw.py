"""`granada draw`: draw the table of a record."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from granada.cli.arguments import add_component_arguments, components_of, number, path
from granada.cli.errors import bad_input
from granada.cli.files import read_record, write_text
from granada.drawing import draw_table, svg_table
from granada.locales import LANGUAGES

if TYPE_CHECKING:
    from granada.cli.arguments import Commands
    from granada.rules.state import State
    from granada.rules.view import View

MOST_ACTIONS: Final = 10**9


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "draw",
        help="draw the table of a record",
        description="Draw the table at the end of a record, or after some of its actions, as SVG or as text.",
    )
    parser.add_argument("file", type=path, metavar="FILE", help="a record; - for standard input")
    parser.add_argument(
        "--at", type=number(0, MOST_ACTIONS), metavar="N", help="draw the table after N actions (default: at the end)"
    )
    parser.add_argument("--out", type=path, metavar="FILE", help="output file (default: standard output)")
    parser.add_argument("--text", action="store_true", help="draw with characters instead of SVG")
    parser.add_argument("--seat", type=number(1, 6), metavar="N", help="draw only what seat N may see")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="language of the SVG (default: en)")
    parser.add_argument("--partial", action="store_true", help="accept the record of an unfinished game")
    add_component_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Draw the table."""
    reading = read_record(arguments.file, components_of(arguments), arguments.partial, arguments.at)
    state, names = reading.state, reading.record.names
    if arguments.at is not None and state.n < arguments.at:
        raise bad_input(f"{arguments.file} has {state.n} actions, so there is no table after {arguments.at}")
    if arguments.seat is not None and arguments.seat > len(names):
        raise bad_input(f"there is no seat {arguments.seat} in {arguments.file}, only {len(names)}")
    shown: State | View = state if arguments.seat is None else state.view(arguments.seat - 1)
    picture = draw_table(shown, names) if arguments.text else svg_table(shown, names, arguments.language)
    if arguments.out is None:
        print(picture)
    else:
        write_text(arguments.out, picture + "\n")
    return 0
