"""`granada serve`: the table server."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from granada.cli.arguments import number, path
from granada.cli.errors import bad_input

if TYPE_CHECKING:
    from granada.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "serve",
        help="start the table server and open its page",
        description="Start the server for people and bots, and open its page in the browser. Every setting can also be"
        " given as an environment variable, such as GRANADA_PORT=9000; docs/operation.md lists them all.",
    )
    parser.add_argument("--database", metavar="URL", help="postgresql://user@host/name, or sqlite:///FILE")
    parser.add_argument("--host", metavar="NAME", help="the address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=number(0, 65535), metavar="N", help="the port (default: 8642; 0: any free port)")
    parser.add_argument("--workers", type=number(1, 64), metavar="N", help="processes, with PostgreSQL (default: 1)")
    parser.add_argument("--data-dir", metavar="DIR", help="folder of the embedded database")
    parser.add_argument("--public-url", metavar="URL", help="the public address of the server behind a proxy")
    parser.add_argument(
        "--bot-file",
        type=path,
        action="append",
        metavar="FILE",
        help="a Python file with bots that players can choose; may be given several times",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    try:
        from granada.server.http.serve import serve
        from granada.server.ops.settings import settings_from
    except ImportError as error:
        raise bad_input(f"the server needs more packages ({error.name}): pip install 'granada[server]'") from None
    names = ("database", "host", "port", "workers", "data_dir", "public_url")
    given = {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}
    if arguments.bot_file is not None:
        given["bot_files"] = os.pathsep.join(arguments.bot_file)
    return serve(replace(settings_from(), **given), opens_browser=not arguments.no_browser)
