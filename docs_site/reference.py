"""The reference of the library: one page for each package, from the docstrings."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

from docs_site.links import ROOT

SOURCE: Final = ROOT / "src"
#: All packages, in the order of docs/architecture.md.
PACKAGES: Final = (
    "granada",
    "granada.rules",
    "granada.records",
    "granada.score_pad",
    "granada.drawing",
    "granada.locales",
    "granada.engine",
    "granada.bots",
    "granada.bots.external",
    "granada.daily",
    "granada.puzzles",
    "granada.arena",
    "granada.learning",
    "granada.learning.baselines",
    "granada.tables",
    "granada.api",
    "granada.server",
    "granada.server.http",
    "granada.server.store",
    "granada.server.bot_pool",
    "granada.server.identity",
    "granada.server.ops",
    "granada.browser",
    "granada.cli",
)


def reference_pages() -> dict[str, str]:
    """Return the pages of the reference by their paths on the site."""
    return {page_of(package): _page(package) for package in PACKAGES}


def page_of(package: str) -> str:
    """Return the path of a package's page."""
    return f"reference/{package}.md"


def _page(package: str) -> str:
    """Return a page with the package and all its modules: of `granada` itself, all public names."""
    folder = SOURCE.joinpath(*package.split("."))
    lines = [f"# `{package}`", "", f"::: {package}", "    options:", "      show_root_heading: false"]
    if package == "granada":
        return "\n".join([*lines, "      show_if_no_docstring: true", ""])
    lines += ["      members: false", ""]
    for path in sorted(folder.glob("*.py")):
        if path.stem not in ("__init__", "__main__", "env") and _is_public(path):
            name = f"{package}.{path.stem}"
            lines += [f"## `{path.stem}`", "", f"::: {name}", "    options:", "      heading_level: 3", ""]
    return "\n".join(lines)


def _is_public(path: Path) -> bool:
    """Return whether a module says what it is for."""
    return bool(ast.get_docstring(ast.parse(path.read_text("utf-8"))))
