"""Running the real command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import granada as package

#: No command of the tests needs longer, also on a busy machine.
PATIENCE = 120
#: The command is that of the package that the tests import, from whatever folder it is run.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(package.__file__).parents[1])}


def granada(*arguments: object, given: str | bytes = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `granada` with arguments and a standard input, in a process of its own."""
    finished = subprocess.run(
        [sys.executable, "-m", "granada", *map(str, arguments)],
        input=given if isinstance(given, bytes) else given.encode(),
        capture_output=True,
        timeout=PATIENCE,
        cwd=cwd,
        env=ENVIRONMENT,
    )
    return subprocess.CompletedProcess(
        finished.args, finished.returncode, finished.stdout.decode(), finished.stderr.decode()
    )


def output(*arguments: object, given: str | bytes = "", cwd: Path | None = None) -> str:
    """What a command prints that must succeed and complain about nothing."""
    finished = granada(*arguments, given=given, cwd=cwd)
    assert (finished.returncode, finished.stderr) == (0, "")
    return finished.stdout


def complaint(*arguments: object, given: str | bytes = "", status: int = 2, cwd: Path | None = None) -> str:
    """The one line with which a command must fail; it prints nothing else."""
    finished = granada(*arguments, given=given, cwd=cwd)
    assert (finished.returncode, finished.stdout) == (status, "")
    assert finished.stderr.endswith("\n")
    assert finished.stderr.count("\n") == 1
    assert status != 2 or finished.stderr.startswith("granada: error: ")
    return finished.stderr
