"""`granada site`: the whole game as a folder of files for any static host."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from granada.cli.arguments import path
from granada.cli.errors import bad_input
from granada.cli.precache import SERVICE_WORKER, write_service_worker
from granada.cli.site_page import COMPONENTS, headers_file, home_files, site_page

if TYPE_CHECKING:
    from granada.cli.arguments import Commands

_PACKAGE: Final = Path(__file__).parents[1]
#: The built client (build_page.py), and Python for it (build_site.py).
PAGE: Final = _PACKAGE / "page"
RUNTIME: Final = _PACKAGE / "site"
#: Vite's list of the files of each module, in the built client.
_MANIFEST: Final = "chunks.json"
#: Marks a site in its folder, and lists its files.
MARKER: Final = ".granada-site"
#: Files of the built client that are not copied: they depend on the base, or are copies for our server.
_NOT_COPIED: Final = re.compile(rf"index\.html|{re.escape(SERVICE_WORKER)}|{re.escape(_MANIFEST)}|\..*|.*\.(?:br|gz)")
#: Folders of a URL.
_BASE: Final = re.compile(r"/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*/)*", re.ASCII)
_NOT_BUILT: Final = (
    "this installation has no built site: install granada from a wheel, or run make site in its source folder"
)


def add_to(commands: Commands) -> None:
    """Add the command to the others."""
    parser = commands.add_parser(
        "site",
        help="write the game as a static site that needs no server",
        description="Write the whole game as a folder of files for any static host. It runs in the browser and works"
        " offline; games are stored on the device. See docs/site.md.",
    )
    parser.add_argument("--out", required=True, type=path, metavar="DIR", help="a new folder, or one with such a site")
    parser.add_argument(
        "--base", default="/", type=base, metavar="PATH", help="the site's path on its host, like /name/ (default: /)"
    )
    parser.set_defaults(run=run)


def base(text: str) -> str:
    """Check the path of the site on its host."""
    if not _BASE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a path with a slash at both ends, like /name/")
    return text


def run(arguments: argparse.Namespace) -> int:
    """Write the site."""
    out = Path(arguments.out)
    files = write_site(out, arguments.base)
    size = sum((out / name).stat().st_size for name in files)
    print(f"Wrote the site to {out}: {len(files)} files, {size / 1e6:.1f} MB. Its address ends with {arguments.base}")
    return 0


def write_site(out: Path, base: str, page: Path = PAGE, runtime: Path = RUNTIME) -> list[str]:
    """Write a site into a folder and return its files; CommandError if something else is there."""
    before = _files_of(out)
    descriptions = sorted((runtime / "python").glob("runtime-*.json"))
    if not (page / "index.html").is_file() or not (page / SERVICE_WORKER).is_file() or len(descriptions) != 1:
        raise bad_input(_NOT_BUILT)
    try:
        with tempfile.TemporaryDirectory(prefix="granada-site-") as place:
            folder = Path(place)
            _compose(folder, base, page, runtime, descriptions[0].relative_to(runtime).as_posix())
            return _install(folder, out, before)
    except OSError as error:
        raise bad_input(f"cannot write {error.filename or out}: {error.strerror}") from None


def _files_of(out: Path) -> list[str]:
    """Return the files of the site in a folder; CommandError if the folder contains anything but a site of ours."""
    try:
        if not out.exists() or not any(out.iterdir()):
            return []
        known: Any = json.loads((out / MARKER).read_text("utf-8"))
        names = [str(name) for name in known["files"]]
    except NotADirectoryError:
        raise bad_input(f"{out} is not a folder") from None
    except FileNotFoundError:
        raise bad_input(f"{out} is not empty and was not written by granada site: choose another folder") from None
    except (ValueError, KeyError, TypeError):
        raise bad_input(f"{out / MARKER} is damaged: choose another folder, or remove this one") from None
    except OSError as error:
        raise bad_input(f"cannot read {out}: {error.strerror}") from None
    return [name for name in names if not Path(name).is_absolute() and ".." not in Path(name).parts]


def _compose(folder: Path, base: str, page: Path, runtime: Path, python: str) -> None:
    """Put a complete site together in an empty folder."""
    for source in (page, runtime):
        for file in sorted(source.rglob("*")):
            copy = folder / file.relative_to(source)
            if file.is_file() and not _NOT_COPIED.fullmatch(copy.relative_to(folder).as_posix()):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)
    index = (page / "index.html").read_text("utf-8")
    screen = site_page(index, base, python, [COMPONENTS])
    texts = {
        "index.html": site_page(index, base, python, [*home_files((page / _MANIFEST).read_text("utf-8")), COMPONENTS]),
        # Static hosts answer with this file at the addresses of screens, which exist only in the client.
        "404.html": screen,
        # The frame of replays in other pages, under a name that hosts answer to with status 200; the service worker
        # answers with it at the addresses of all screens but home.
        "embed.html": screen,
        "_headers": headers_file(base),
        # GitHub Pages leaves out files whose names begin with an underscore, unless this file exists.
        ".nojekyll": "",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8", newline="\n")
    write_service_worker(folder, (page / SERVICE_WORKER).read_text("utf-8"))


def _install(folder: Path, out: Path, before: list[str]) -> list[str]:
    """Copy a site to its folder, in an order in which it works at any time; other files there stay."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    out.mkdir(parents=True, exist_ok=True)
    _mark(out, sorted({*files, *before}))
    # The pages name all other files, and the service worker names the pages.
    last = ("index.html", "404.html", "embed.html", SERVICE_WORKER)
    for name in [*(name for name in files if name not in last), *last]:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        aside = out / f"{name}.new"
        shutil.copyfile(folder / name, aside)
        aside.replace(out / name)
    for name in set(before) - set(files):
        (out / name).unlink(missing_ok=True)
    _mark(out, files)
    return files


def _mark(out: Path, files: list[str]) -> None:
    (out / MARKER).write_text(json.dumps({"files": files}, indent=0), "utf-8")
