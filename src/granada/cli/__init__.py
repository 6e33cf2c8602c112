"""The command `granada`: one module for each subcommand.

May import everything; the server only when its commands run. Start reading: `main` below, then a command's module.
"""

from __future__ import annotations

import errno
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
_IS_WINDOWS = os.name == "nt"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 2 for bad input, 1 for an invalid record."""
    _prepare_streams()
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
        if _IS_WINDOWS and error.errno == errno.EINVAL and error.filename is None:  # its word for a broken pipe
            return PIPE_CLOSED
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


def _prepare_streams() -> None:
    """Use UTF-8 and line feeds for files and pipes on every system, and escape what a terminal cannot show.

    Otherwise Windows would write pictures that no program can read. PYTHONIOENCODING takes precedence.
    """
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        changes = {"errors": errors}
        if not stream.isatty():
            if stream.encoding.lower() != "utf-8" and "PYTHONIOENCODING" not in os.environ:
                changes["encoding"] = "utf-8"
            if stream is not sys.stdin:
                changes["newline"] = "\n"
        reconfigure(**changes)


def _drop_output() -> None:
    """Discard what is still buffered, so that Python does not report the same error again at its exit."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str, status: int) -> int:
    if sys.stderr is not None:
        print(one_line(message), file=sys.stderr)
    return status
