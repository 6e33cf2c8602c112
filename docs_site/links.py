"""Where files of the repository are on the site, so that links work in a copy of the repository and on the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from granada.locales import LANGUAGES

ROOT: Final = Path(__file__).parent.parent
#: Pages outside `docs/`, and those made of notebooks, by their path on the site.
PAGES: Final = {
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "examples/index.md": "examples/README.md",
    **{
        f"examples/{path.stem}.md": f"examples/{path.name}"
        for path in sorted(ROOT.glob("examples/*.*"))
        if path.suffix != ".md"
    },
    **{
        f"notebooks/{path.stem}.md": f"docs/notebooks/{path.name}"
        for path in sorted(ROOT.glob("docs/notebooks/*.ipynb"))
    },
    **{f"play/{language}.md": f"src/granada/locales/{language}/rules.md" for language in LANGUAGES},
}
_ON_SITE: Final = {source: page for page, source in PAGES.items()} | {"README.md": "index.md"}
#: The folder of the site for other files that are linked.
FILES: Final = "files"
_CODE: Final = re.compile(r"(^ *(`{3,}).*?^ *\2 *$|^(?: {4,}[^\n]*\n)+|`[^`\n]*`)", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"(?<=]\()([^)\s#:]+)(?=(?:#[^)\s]*)?\))")


def source_of(page: str) -> str:
    """Return the path in the repository of a page of the site."""
    return PAGES.get(page, f"docs/{page}")


def site_path(path: str) -> str:
    """Return the path on the site of a file of the repository, as MkDocs knows it."""
    if path in _ON_SITE:
        return _ON_SITE[path]
    return path.removeprefix("docs/") if path.startswith("docs/") else f"{FILES}/{path}"


def linked_files(page: str, text: str) -> set[str]:
    """Return the files outside the site's pages that a page links, by their paths in the repository."""
    found: set[str] = set()

    def note(path: str) -> str:
        if site_path(path).startswith(f"{FILES}/"):
            found.add(path)
        return path

    _each_link(page, text, note)
    return found


def with_site_links(page: str, text: str) -> str:
    """Return the text of a page with links that lead to the pages and files of the site."""
    folder = posixpath.dirname(page)
    return _each_link(page, text, lambda path: posixpath.relpath(site_path(path), folder or "."))


def _each_link(page: str, text: str, change: Callable[[str], str]) -> str:
    """Replace the target of each relative link, given as a path in the repository; code stays as it is."""
    folder = posixpath.dirname(source_of(page))
    parts = _CODE.split(text)
    # The pattern has two groups, so the text outside code is every third part.
    for index in range(0, len(parts), 3):
        parts[index] = _LINK.sub(lambda link: change(posixpath.normpath(posixpath.join(folder, link[1]))), parts[index])
    return "".join(part for index, part in enumerate(parts) if index % 3 != 2)
