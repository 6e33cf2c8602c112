"""`granada doctor`: check an installation."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from granada.cli.arguments import path
from granada.cli.errors import CommandError, one_line

if TYPE_CHECKING:
    from granada.cli.arguments import Commands


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "doctor",
        help="check an installation of the server",
        description="Check an installation of the server. Each check prints one line, with advice if it fails. Settings"
        " come from the environment, as for 'granada serve'. The exit status is 1 if a check failed.",
    )
    parser.add_argument("--database", metavar="URL", help="sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME")
    parser.add_argument("--data-dir", type=path, metavar="DIR", help="folder of the embedded database")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the result of each check."""
    try:
        from granada.server.ops.doctor import examine
        from granada.server.ops.settings import settings_from
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("granada"):
            raise
        missing = error.name.partition(".")[0]
        reason = f"the server is not installed ('{missing}' is missing): run pip install 'granada[server]'"
        raise CommandError(f"granada: error: {reason}", 1) from None
    settings = settings_from()
    if arguments.database is not None:
        settings = replace(settings, database=arguments.database)
    if arguments.data_dir is not None:
        settings = replace(settings, data_dir=arguments.data_dir)
    settings.url()  # an invalid address is bad input, not a finding
    failed = 0
    for finding in examine(settings):
        print(f"{finding.level:4}  {finding.check:8}  {one_line(finding.message)}", flush=True)
        failed += finding.level == "FAIL"
    print("No problems found." if not failed else f"{failed} of these must be fixed before the server can run.")
    return 1 if failed else 0
