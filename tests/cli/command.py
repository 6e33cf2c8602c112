"""Running the command in a process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import granada as package

#: Timeout in seconds, generous enough for a busy machine.
PATIENCE = 120
#: Runs the package that the tests import, from any folder.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(package.__file__).parents[1])}
#: What POSIX says about a file; Windows has other reasons, and other words for them.
POSIX_REASON = re.compile(r"(?<=: )(?:No such file or directory|Is a directory|Not a directory|File exists)")


def has_reason(message: str, reason: str) -> bool:
    """Return whether a message has this reason, or up to the colon where the system has its own words for it."""
    if os.name == "posix":
        return reason in message
    return POSIX_REASON.sub("", reason).replace("/", os.sep) in message.replace("/", os.sep)


def granada(*arguments: object, given: str | bytes = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `granada` with arguments and standard input, in a separate process."""
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
    """Return the output of a command that must succeed without any messages on standard error."""
    finished = granada(*arguments, given=given, cwd=cwd)
    assert (finished.returncode, finished.stderr) == (0, "")
    return finished.stdout


def complaint(*arguments: object, given: str | bytes = "", status: int = 2, cwd: Path | None = None) -> str:
    """Return the one-line message of a command that must fail, without other output."""
    finished = granada(*arguments, given=given, cwd=cwd)
    assert (finished.returncode, finished.stdout) == (status, "")
    assert finished.stderr.endswith("\n")
    assert finished.stderr.count("\n") == 1
    assert status != 2 or finished.stderr.startswith("granada: error: ")
    return finished.stderr
