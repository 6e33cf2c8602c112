"""The command `granada`: one module for each subcommand.

May import everything; the server only when its commands run. Start reading: `main` below, then a command's module.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence

from granada import __version__
from granada.bots.external.third_party import BotError
from granada.cli import (
    arena,
    bot,
    completion,
    dataset,
    doctor,
    draw,
    perft,
    play,
    puzzles,
    replay,
    serve,
    simulate,
    site,
    verify,
)
from granada.cli.arguments import Parser
from granada.cli.errors import CommandError, one_line
from granada.rules.errors import BadComponents, BadOptions

INTERRUPTED = 128 + signal.SIGINT
#: The status of a command whose output was closed (128 + SIGPIPE, which not every system has).
PIPE_CLOSED = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 2 for bad input, 1 for an invalid record."""
    _tolerate_any_text()
    try:
        status = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return _complain("granada: interrupted", INTERRUPTED)
    except CommandError as failure:
        return _complain(str(failure), failure.status)
    except (BadOptions, BadComponents, BotError) as error:
        return _complain(f"granada: error: {error}", 2)
    except ChildProcessError as error:
        return _complain(f"granada: error: {error}", 2)
    except OSError as error:  # errors from reading are handled where files are read
        _drop_output()
        place = "the output" if error.filename is None else error.filename
        return _complain(f"granada: error: cannot write {place}: {error.strerror}", 2)
    return status


def _run(argv: Sequence[str] | None) -> int:
    try:
        arguments = _parser().parse_args(argv)
    except SystemExit:  # --help and --version; errors are CommandErrors
        return 0
    run = arguments.run
    status: int = run(arguments)
    return status


def _parser() -> Parser:
    parser = Parser(prog="granada", description="Dirk Henn's board games Alhambra and Granada.")
    parser.add_argument("--version", action="version", version=f"granada {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", title="commands", required=True)
    for command in (
        serve,
        site,
        play,
        simulate,
        arena,
        dataset,
        puzzles,
        replay,
        verify,
        draw,
        perft,
        bot,
        doctor,
        completion,
    ):
        command.add_to(commands)
    return parser


def _tolerate_any_text() -> None:
    """Escape characters that a terminal or a file cannot encode instead of failing."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=errors)


def _drop_output() -> None:
    """Discard what is still buffered, so that Python does not report the same error again at its exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, status: int) -> int:
    if sys.stderr is not None:
        print(one_line(message), file=sys.stderr)
    return status
