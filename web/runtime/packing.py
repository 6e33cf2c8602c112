"""Packs Python's modules as compiled code into stored zip files. Runs in Pyodide: pack.js calls its functions.

A module of the standard library is packed if the rehearsal (rehearsal.py) imported it, if granada names it, or if it is
in LAZY. Code is compiled without docstrings, assertions and columns; tracebacks need line numbers, so these stay.
"""

from __future__ import annotations

import ast
import io
import sys
import zipfile
from collections.abc import Iterable, Iterator
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[attr-defined]
from pathlib import Path
from typing import Final

#: The packages of granada that are never packed, and modules that need NumPy, processes or other programs.
NOT_PACKED: Final = (
    "__main__",
    "arena",
    "bots/external/line_protocol",
    "bots/external/plugins",
    "bots/external/program",
    "cli",
    "engine/numpy_model",
    "engine/perft",
    "engine/self_play",
    "engine/training",
    "learning",
    "page",
    "puzzles/bot_game",
    "puzzles/finder",
    "puzzles/games",
    "puzzles/select",
    "puzzles/variants",
    "server",
    "site",
)
#: Data files of granada; the client has the other texts, Python needs those of pictures.
DATA: Final = (
    "data/*.csv",
    "data/*.svg",
    "bots/ratings.json",
    "engine/model.bin",
    "puzzles/puzzles.jsonl.gz",
    *(f"locales/*/{section}.json" for section in ("language", "app", "picture", "pieces")),
)
#: Modules of the standard library that other modules import when they are first needed, which a rehearsal may not
#: reach: printing of tracebacks (_colorize, linecache, tokenize, textwrap), codecs, and the parser of dates.
LAZY: Final = (
    "_colorize",
    "_strptime",
    "encodings.ascii",
    "encodings.idna",
    "encodings.latin_1",
    "encodings.utf_8",
    "linecache",
    "textwrap",
    "tokenize",
    "traceback",
)


def packed_imports(granada: str) -> list[str]:
    """Return the modules of the standard library that have to be imported besides what the rehearsal imports."""
    source = Path(granada)
    return [*LAZY, *sorted(named_modules(source, packed_modules(source)))]


def pack(granada: str, msgspec: str, imported: list[str], out: str) -> None:
    """Write the archives: the standard library, granada and msgspec. `imported` are the files of all modules.

    The last two are also written as files (`unpacked`), for the rehearsal with what was packed.
    """
    source = Path(granada)
    packages = {
        "granada": [*_compiled(source, sorted(packed_modules(source))), *_data(source)],
        "msgspec": list(_msgspec(Path(msgspec), imported)),
    }
    for name, files in packages.items():
        Path(out, f"{name}.zip").write_bytes(stored(files))
        for path, content in files:
            unpacked = Path(out, "unpacked", path)
            unpacked.parent.mkdir(parents=True, exist_ok=True)
            unpacked.write_bytes(content)
    Path(out, "library.zip").write_bytes(stored(_standard_library(imported)))


def packed_modules(granada: Path) -> Iterator[str]:
    """Return the paths of granada's modules for the page, such as `rules/state`."""
    for path in granada.rglob("*.py"):
        name = path.relative_to(granada).with_suffix("").as_posix()
        if not any(name == left or name.startswith(f"{left}/") for left in NOT_PACKED):
            yield name


def named_modules(granada: Path, modules: Iterable[str]) -> set[str]:
    """Return the standard modules that granada's modules for the page import at any time, in functions too."""
    found: set[str] = set()
    for name in modules:
        for node in _imports(ast.parse((granada / f"{name}.py").read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif node.module is not None and node.level == 0:
                found.add(node.module)
    return {name for name in found if name.split(".")[0] in sys.stdlib_module_names}


def _imports(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Return the imports that are executed: not those for the type checker."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        elif isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        else:
            yield from _imports(child)


def stored(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a zip file without compression; equal files give equal bytes.

    The host compresses what it sends, better than a zip file could.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as packed:
        for name, content in sorted(files):
            packed.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return out.getvalue()


def _standard_library(imported: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    archive = next(path for path in sys.path if path.endswith(".zip"))
    with zipfile.ZipFile(archive) as library:
        for file in sorted(set(imported)):
            if file.startswith(f"{archive}/"):
                name = file.removeprefix(f"{archive}/")
                yield _pyc(name), _code(library.read(name), name)


def _compiled(granada: Path, modules: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for name in modules:
        yield f"granada/{name}.pyc", _code((granada / f"{name}.py").read_bytes(), f"granada/{name}.py")


def _data(granada: Path) -> Iterator[tuple[str, bytes]]:
    for pattern in DATA:
        for path in granada.glob(pattern):
            yield f"granada/{path.relative_to(granada).as_posix()}", path.read_bytes()


def _msgspec(folder: Path, imported: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for path in folder.iterdir():
        if str(path) in imported and path.suffix == ".py":
            yield f"msgspec/{_pyc(path.name)}", _code(path.read_bytes(), f"msgspec/{path.name}")
        elif str(path) in imported:
            yield f"msgspec/{path.name}", path.read_bytes()


def _pyc(name: str) -> str:
    return name.removesuffix(".py") + ".pyc"


def _code(source: bytes, name: str) -> bytes:
    """Return the content of a .pyc file that is never compared with its source."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return bytes(_code_to_hash_pyc(code, b"\0" * 8, False))
