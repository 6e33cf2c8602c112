"""The documentation site, built once for all processes of a run of the tests."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

from tests.docs.blocks import ROOT


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site into a folder, as make docs does."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )


def built_docs(shared: Path) -> Path:
    """Return the folder of the built site; processes that share a folder build it once."""
    shared.mkdir(parents=True, exist_ok=True)
    folder = shared / "docs"
    done = shared / "docs.built"
    with (shared / "docs.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            result = build(folder)
            assert result.returncode == 0, result.stdout + result.stderr
            done.touch()
    return folder
