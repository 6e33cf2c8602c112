"""The structure of the project: one-way imports, meaningful names, and the promises of the package."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import granada
from granada.server.ops.settings import Settings

SOURCE = Path(__file__).parent.parent / "src" / "granada"
FILES = sorted(SOURCE.rglob("*.py"))
#: The packages that each package may import besides itself.
PACKAGES = {
    "rules": set[str](),
    "locales": set[str](),
    "records": {"rules"},
    "score_pad": {"rules"},
    "drawing": {"rules", "records", "locales"},
    "engine": {"rules"},
    "bots": {"rules", "records", "drawing", "engine"},
    "daily": {"rules", "records", "bots"},
    "puzzles": {"rules", "records", "engine", "bots"},
    "arena": {"rules", "records", "drawing", "bots"},
    "learning": {"rules", "records", "drawing", "bots", "arena"},
    "tables": {"rules", "records", "drawing", "bots", "daily", "puzzles", "locales", "score_pad"},
    "api": {"tables", "locales"},
    "server": {"rules", "records", "drawing", "bots", "locales", "score_pad", "tables", "api"},
    "browser": {"rules", "records", "engine", "bots", "tables", "api"},
    "cli": {
        "rules",
        "records",
        "drawing",
        "engine",
        "bots",
        "puzzles",
        "arena",
        "learning",
        "locales",
        "score_pad",
        "tables",
        "server",
    },
}


def package_of(parts: tuple[str, ...]) -> str:
    name = parts[0].removesuffix(".py")
    return "cli" if name == "__main__" else name


def imports(path: Path) -> set[str]:
    """Return the names of all modules that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize(
    "path", [f for f in FILES if f != SOURCE / "__init__.py"], ids=lambda p: str(p.relative_to(SOURCE))
)
def test_imports_go_one_way(path: Path) -> None:
    package = package_of(path.relative_to(SOURCE).parts)
    for name in imports(path):
        parts = tuple(name.split(".")[1:])
        if name.startswith("granada.") and (SOURCE / parts[0]).exists() | (SOURCE / f"{parts[0]}.py").exists():
            assert package_of(parts) in PACKAGES[package] | {package}, f"{path.name} in {package} imports {name}"


@pytest.mark.parametrize("path", sorted((SOURCE / "rules").glob("*.py")), ids=lambda p: p.name)
def test_the_rules_have_no_clock_no_generator_and_no_dependency(path: Path) -> None:
    allowed = {"__future__", "collections", "csv", "functools", "importlib", "io", "itertools", "pathlib", "typing"}
    outside = {name.split(".")[0] for name in imports(path)} - {"granada"} - allowed
    assert outside <= {"mypy_extensions"}, outside  # only used by the type checker


#: Modules that tables must not import, even indirectly.
UNWANTED = ("starlette", "fastapi", "pydantic", "uvicorn", "sqlalchemy", "prometheus_client", "multiprocessing")
#: Modules of the standard library that a page cannot use; asyncio imports some of them, but does not need them there.
NOT_IN_A_PAGE = {
    "threading",
    "subprocess",
    "multiprocessing",
    "concurrent",
    "queue",
    "socket",
    "sqlite3",
    "ssl",
}


def loaded_by(package: str) -> list[str]:
    """Return the names of all modules that a fresh process has loaded after importing every module of a package."""
    modules = [f"granada.{package}.{path.stem}" for path in sorted((SOURCE / package).glob("[a-z]*.py"))]
    code = f"import sys, {', '.join(modules)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert {*modules, "granada.tables.registry"} <= {*loaded}
    return loaded


@pytest.mark.parametrize("package", ["tables", "api", "browser"])
def test_tables_and_their_api_need_no_framework_no_database_and_no_processes(package: str) -> None:
    assert not {*UNWANTED} & {*loaded_by(package)}


@pytest.mark.parametrize("package", ["api", "browser"])
def test_a_page_without_a_server_needs_no_numpy_no_threads_and_no_processes(package: str) -> None:
    loaded = loaded_by(package)
    assert "numpy" not in loaded
    for name in [name for name in loaded if name.split(".")[0] == "granada"]:
        base = SOURCE.joinpath(*name.split(".")[1:])
        path = base.with_suffix(".py") if base.with_suffix(".py").is_file() else base / "__init__.py"
        assert not {imported.split(".")[0] for imported in imports(path)} & NOT_IN_A_PAGE, name


@pytest.mark.parametrize(
    "path",
    [f for f in FILES if f.name == "__init__.py" and "migrations" not in f.parts][1:],
    ids=lambda p: str(p.parent.relative_to(SOURCE)),
)
def test_every_package_says_what_it_may_import_and_where_to_start_reading(path: Path) -> None:
    allowed, _, start = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("Start reading: ")
    assert "May import" in allowed
    assert start
    for name in re.findall(r"`([\w/]+\.\w+)`", start):
        assert (path.parent / name).is_file(), name
    named = re.search(r"May import: ([\w, ]+)[.;]", allowed.replace("\n", " "))
    if named is not None and path.parent.parent == SOURCE and " " not in named[1].replace(", ", ""):
        assert set(named[1].split(", ")) == PACKAGES[path.parent.name]


def test_only_setup_reads_the_modules_of_the_options() -> None:
    readers = [path.name for path in (SOURCE / "rules").glob("*.py") if "options.modules" in path.read_text("utf-8")]
    assert readers == ["setup.py"]


def test_no_file_has_a_meaningless_name() -> None:
    assert not [path for path in FILES if path.stem in ("utils", "helpers", "models", "core", "common", "misc")]


def test_no_class_name_exists_twice() -> None:
    places: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_everything_public_is_there_and_listed_in_order() -> None:
    assert all(hasattr(granada, name) for name in granada.__all__)
    assert granada.__all__ == sorted(granada.__all__, key=lambda n: (not n.isupper(), n[0].islower(), n))


def test_the_rules_run_as_the_make_target_says() -> None:
    assert granada.is_compiled() == (os.environ.get("GRANADA_EXPECT") == "compiled")


def test_bytecode_without_sources_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the search bots of the page would plan for ten times as many roll-outs as they can play."""
    for suffix, is_compiled in ((".py", False), (".pyc", False), (".cpython-314-x86_64-linux-gnu.so", True)):
        monkeypatch.setattr("granada.rules.state.__file__", f"/lib/granada/rules/state{suffix}")
        assert granada.is_compiled() is is_compiled


def test_sources_cite_documents_that_exist() -> None:
    web = SOURCE.parent.parent / "web" / "src"
    pages = [path for kind in ("*.ts", "*.svelte") for path in web.rglob(kind)]
    for path in [*FILES, *pages]:
        for name in re.findall(r"\b(?:docs/)?[A-Za-z_]+\.md\b(?!`)", path.read_text("utf-8")):
            # Texts of the page are next to the file that names them.
            assert (SOURCE.parent.parent / name).is_file() or (path.parent / name).is_file(), f"{path}: {name}"


def test_the_development_server_of_the_page_finds_the_server() -> None:
    text = (SOURCE.parent.parent / "web" / "vite.config.ts").read_text("utf-8")
    assert re.findall(r'"http://127\.0\.0\.1:(\d+)"', text) == [str(Settings().port)]
