"""Programs that the tests need: found on the machine, or installed with apt-get where that is allowed."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")


def find_or_install(find: Callable[[], Found | None], package: str, missing: str) -> Found:
    """Return the result of `find`, installing the package first if needed; an AssertionError says what to do."""
    found = find()
    if found is None and shutil.which("apt-get"):
        with (Path(tempfile.gettempdir()) / "granada-apt.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # only one of several test processes installs
            if find() is None:
                _install(package, missing)
        found = find()
    assert found is not None, missing
    return found


def _install(package: str, missing: str) -> None:
    prefix = _root_prefix()
    if prefix is None:
        return
    print(f"{package} is missing; installing it with apt-get.", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", package]):
        done = subprocess.run(
            [*prefix, "apt-get", *command], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0 or command[0] == "update", f"{missing}\napt-get: {done.stderr[-2000:]}"


def _root_prefix() -> list[str] | None:
    """Return the prefix that runs a command as root, or None if that is not allowed."""
    if os.geteuid() == 0:
        return []
    if (
        shutil.which("sudo")
        and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0
    ):
        return ["sudo", "-n"]
    return None
