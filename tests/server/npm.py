"""npm for the tests, the same as for building the page.

`python -m tests.server.npm types` writes web/src/api.d.ts; `python -m tests.server.npm check` runs Prettier, ESLint and
svelte-check.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from build_page import WEB, PageError, install_modules, require_node


def npm(*arguments: str, directory: Path = WEB) -> subprocess.CompletedProcess[str]:
    """Run npm in a directory and return its output."""
    return require_node().run(*arguments, directory=directory)


def install() -> None:
    """Install the pinned packages unless they are installed."""
    install_modules(require_node())


if __name__ == "__main__":
    try:
        install()
    except PageError as error:
        sys.exit(str(error))
    result = npm("run", "--silent", *sys.argv[1:])
    print(result.stdout + result.stderr, end="")
    sys.exit(result.returncode)
