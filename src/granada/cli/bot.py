"""`granada bot`: a bot that speaks the line protocol on standard input and output."""

from __future__ import annotations

import argparse
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

from granada import __version__
from granada.bots import BOTS, check_bot
from granada.bots.external.line_protocol import Engine
from granada.cli.arguments import (
    add_bot_arguments,
    add_component_arguments,
    add_seed_argument,
    components_of,
    load_bots_of,
    seed_of,
)
from granada.cli.errors import one_line

if TYPE_CHECKING:
    from granada.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "bot",
        help="run a bot for another program",
        description="Run a bot for another program. The commands on standard input are granada, newgame, position, go,"
        " stop and quit; docs/bots.md describes them.",
    )
    parser.add_argument("level", metavar="LEVEL", help=f"any of {', '.join(BOTS)}, optionally with a budget: NAME:0.5s")
    add_bot_arguments(parser)
    add_seed_argument(parser)
    add_component_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer commands until the end of the input."""
    load_bots_of(arguments)
    check_bot(arguments.level)
    components = components_of(arguments)
    if sys.stdin is None or sys.stdout is None:
        return 0
    out = sys.stdout
    for stream, errors in ((sys.stdin, "replace"), (out, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors=errors)

    def send(line: str) -> None:
        print(one_line(line), file=out, flush=True)

    with redirect_stdout(sys.stderr):  # keep the output of bots out of the protocol
        engine = Engine(arguments.level, str(seed_of(arguments)), send, __version__, components)
        engine.run(iter(sys.stdin.readline, ""))
    return 0
