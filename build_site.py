"""Build Python for the static site into src/granada/site: Pyodide, a reduced standard library, granada and msgspec.

`python build_site.py` builds it if it is out of date; Make and the package build (hatch_build.py) use this. The client
comes from build_page.py; `granada site` writes both as a site. Node compiles the modules with Pyodide's own Python
(web/runtime).
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from build_page import ROOT, WEB, PageError, hash_files, install_modules, require_node

SOURCE: Final = ROOT / "src"
SITE: Final = SOURCE / "granada" / "site"
#: The hash of what the site was built from.
STAMP: Final = SITE / ".stamp"
PYODIDE: Final = WEB / "node_modules" / "pyodide"
RUNTIME: Final = WEB / "runtime"
#: The packages that come as wheels, with their hashes.
REQUIREMENTS: Final = ROOT / "requirements" / "browser.txt"
#: Downloaded wheels.
WHEELS: Final = ROOT / "build" / "wheels"
#: The version of pip's options for a wheel in Pyodide: msgspec has one for this platform.
_PLATFORM: Final = ("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314")
_EMSCRIPTEN: Final = ("--platform", "pyemscripten_2026_0_wasm32")
#: The files of Pyodide that the page loads.
_LOADED: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
#: Where Python finds packages.
_SITE_PACKAGES: Final = "/lib/python3.14/site-packages"
#: Hosts compress texts, and send zip files as they are; ours are not compressed.
_ARCHIVE: Final = ".zip.txt"
#: Packages of granada that are not in the page.
_OUTSIDE: Final = ("arena", "cli", "learning", "page", "server", "site")
#: Seconds after which a download or the packing is aborted.
_TIMEOUT: Final = 600.0
_OFFLINE: Final = re.compile(
    r"NewConnectionError|Name or service|Connection|timed out|No matching distribution|CERTIFICATE"
)


class SiteError(Exception):
    """The site cannot be built; the message says what to do."""


def sources() -> Iterator[Path]:
    """Return all files that the build depends on, except Pyodide itself."""
    yield Path(__file__).resolve()
    yield REQUIREMENTS
    yield from sorted(path for path in RUNTIME.iterdir() if path.is_file())
    granada = SOURCE / "granada"
    for path in sorted(granada.rglob("*")):
        inside = path.relative_to(granada)
        if path.suffix in (".py", ".csv", ".svg", ".json", ".bin", ".gz") and inside.parts[0] not in _OUTSIDE:
            yield path


def source_hash() -> str:
    """Return a hash of the names and contents of all sources, and of the version of Pyodide."""
    return hash_files(ROOT, sources(), json.dumps(_locked(), sort_keys=True))


def is_built() -> bool:
    """Whether the site exists and is up to date."""
    if not (SITE / "components.json").is_file():
        return False
    if not RUNTIME.is_dir():
        return True  # there are no sources, as in an installed package
    return STAMP.is_file() and STAMP.read_text("utf-8").strip() == source_hash()


def needs_pip() -> bool:
    """Whether building the site downloads a wheel."""
    return not is_built() and _downloaded() is None


def build() -> bool:
    """Build the site if it is out of date; returns whether it was built. PageError if Node is missing."""
    if is_built():
        return False
    if not RUNTIME.is_dir():
        raise SiteError(f"The site cannot be built: its sources are missing in {RUNTIME}")
    node = require_node()
    install_modules(node)
    stamp = source_hash()
    wheel = download()
    (ROOT / "build").mkdir(exist_ok=True)
    # Built in a temporary folder, so that the old site stays until the new one is complete.
    place = Path(tempfile.mkdtemp(prefix="site-", dir=ROOT / "build"))
    try:
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(place / "wheel")
        _pack(node.folder, place)
        _lay_out(place)
        (place / "site" / STAMP.name).write_text(f"{stamp}\n", "utf-8")
        if SITE.exists():
            SITE.rename(place / "old")
        (place / "site").rename(SITE)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return True


def download() -> Path:
    """Return the wheel of msgspec for Pyodide, downloaded with pip unless it is in build/wheels."""
    found = _downloaded()
    if found is not None:
        return found
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    options = ["--only-binary=:all:", *_PLATFORM, *_EMSCRIPTEN, "--require-hashes"]
    arguments = [*pip, *options, "--requirement", str(REQUIREMENTS), "--dest", str(WHEELS)]
    result = subprocess.run(
        arguments, capture_output=True, encoding="utf-8", errors="replace", timeout=_TIMEOUT, check=False
    )
    found = _downloaded()
    if result.returncode == 0 and found is not None:
        return found
    output = (result.stdout + result.stderr)[-3000:]
    if _OFFLINE.search(output):
        raise SiteError(
            "The site cannot be built: pip cannot download msgspec for Pyodide. Connect this machine to the internet,"
            f" or put the wheel that {REQUIREMENTS.name} names into {WHEELS}. Output of pip:\n{output}"
        )
    raise SiteError(f"The site cannot be built: pip download failed. Its output:\n{output}")


def _downloaded() -> Path | None:
    """Return the wheel in build/wheels whose hash is pinned."""
    hashes = (
        set(re.findall(r"--hash=sha256:(\w+)", REQUIREMENTS.read_text("utf-8"))) if REQUIREMENTS.exists() else set()
    )
    wheels = sorted(WHEELS.glob("msgspec-*.whl")) if WHEELS.is_dir() else []
    return next((path for path in wheels if hashlib.sha256(path.read_bytes()).hexdigest() in hashes), None)


def _locked() -> dict[str, Any]:
    """Return what package-lock.json says about Pyodide."""
    path = WEB / "package-lock.json"
    packages: dict[str, Any] = json.loads(path.read_text("utf-8"))["packages"] if path.is_file() else {}
    locked: dict[str, Any] = packages.get("node_modules/pyodide", {})
    return locked


def _lock() -> dict[str, Any]:
    """Return Pyodide's lock file without its packages: none is ever loaded."""
    whole = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    return {"info": whole["info"], "packages": {}}


def _pack(node: Path, place: Path) -> None:
    """Compile and pack the modules, and check that the packed ones play a game."""
    job = {
        "pyodide": f"{PYODIDE}/",
        "lock": _lock(),
        "sources": str(SOURCE),
        "wheel": str(place / "wheel"),
        "rehearsal": str(RUNTIME / "rehearsal.py"),
        "packing": str(RUNTIME / "packing.py"),
        "out": str(place / "packed"),
    }
    (place / "job.json").write_text(json.dumps(job), "utf-8")
    program = shutil.which("node", path=str(node))
    result = subprocess.run(
        [program or "node", str(RUNTIME / "pack.js"), str(place / "job.json")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=_TIMEOUT,
        check=False,
    )
    if result.returncode != 0:
        output = (result.stdout + result.stderr)[-6000:]
        raise SiteError(f"The site cannot be built: packing Python failed. Output of pack.js:\n{output}")


def _lay_out(place: Path) -> None:
    """Put the files under names that change with their content, and describe them for the page."""
    packed, site = place / "packed", place / "site"
    version = json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"]
    (site / "python" / version).mkdir(parents=True)
    shutil.copyfile(packed / "components.json", site / "components.json")
    for name in _LOADED:
        shutil.copyfile(PYODIDE / name, site / "python" / version / name)
    _write_notices(place / "wheel", site / "python", version)
    sizes, paths = {"wasm": (PYODIDE / _LOADED[-1]).stat().st_size}, {"wasm": f"{version}/{_LOADED[-1]}"}
    for name in ("library", "granada", "msgspec"):
        content = (packed / f"{name}.zip").read_bytes()
        paths[name] = f"{name}-{hashlib.sha256(content).hexdigest()[:10]}{_ARCHIVE}"
        (site / "python" / paths[name]).write_bytes(content)
        sizes[name] = len(content)
    files = {name: {"path": path, "bytes": sizes[name]} for name, path in paths.items()}
    # Read by web/src/device/python.ts.
    description = {
        "pyodide": f"{version}/",
        "wasm": files["wasm"],
        "library": files["library"],
        "archives": [{**files[name], "to": _SITE_PACKAGES} for name in ("granada", "msgspec")],
        "lock": _lock(),
        "bytes": sum(sizes.values()),
    }
    text = json.dumps(description, sort_keys=True)
    runtime = f"runtime-{hashlib.sha256(text.encode()).hexdigest()[:10]}.json"
    (site / "python" / runtime).write_text(f"{text}\n", "utf-8")


def _write_notices(wheel: Path, folder: Path, version: str) -> None:
    """Name the licences of what is not ours."""
    licence = next(wheel.glob("msgspec-*.dist-info/licenses/LICENSE")).read_text("utf-8")
    (folder / "NOTICES.txt").write_text(
        f"This folder contains unchanged files of Pyodide {version} (Mozilla Public License 2.0; sources:\n"
        "https://github.com/pyodide/pyodide), compiled modules of the standard library of Python (Python Software\n"
        f"Foundation License; sources: https://github.com/python/cpython), and msgspec:\n\n{licence}",
        "utf-8",
    )


def main() -> int:
    """Build the site."""
    try:
        if not is_built():
            print("Building Python for the site…", flush=True)
            build()
    except (PageError, SiteError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
