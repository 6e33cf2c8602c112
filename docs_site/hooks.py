"""The hooks of MkDocs: pages that are generated, and links that leave `docs/`."""

from __future__ import annotations

import re
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from docs_site import notebooks
from docs_site.links import PAGES, ROOT, linked_files, site_path, with_site_links
from docs_site.package_map import with_pictures
from docs_site.reference import PACKAGES, page_of, reference_pages
from docs_site.rules_pages import rules_pages
from granada.locales import LANGUAGES

#: The languages of blocks that show a program of `examples/`.
_SHOWN = {".py": "python", ".js": "javascript", ".sh": "sh"}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill in the parts of the navigation that follow from the sources."""
    filled = {
        "LANGUAGES": [{name: f"play/{language}.md"} for language, name in LANGUAGES.items()],
        "EXAMPLES": [
            {source.rpartition("/")[2]: page}
            for page, source in PAGES.items()
            if page.startswith("examples/") and page != "examples/index.md"
        ],
        "REFERENCE": [{package: page_of(package)} for package in PACKAGES],
    }
    config.nav = _filled(config.nav, filled)
    return config


def _filled(nav: Any, parts: dict[str, list[dict[str, str]]]) -> Any:
    """Return the navigation with lists in the places of their names."""
    if isinstance(nav, dict):
        return {title: _filled(below, parts) for title, below in nav.items()}
    if isinstance(nav, list):
        return [one for entry in nav for one in (parts[entry] if str(entry) in parts else [_filled(entry, parts)])]
    return nav


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, the pages outside `docs/`, and the files that pages link."""
    for path, text in {**reference_pages(), **rules_pages(), **notebooks.pages(), **_pages_elsewhere()}.items():
        files.append(File.generated(config, path, content=text))
    files.append(File.generated(config, "assets/favicon.svg", abs_src_path=str(ROOT / "web/public/assets/icon.svg")))
    linked: set[str] = set()
    for file in files.documentation_pages():
        linked |= linked_files(file.src_uri, file.content_string)
    for path in sorted(linked):
        if (ROOT / path).is_file():  # of anything else, MkDocs says that the link is broken
            files.append(File.generated(config, site_path(path), abs_src_path=str(ROOT / path)))
    return files


def _pages_elsewhere() -> dict[str, str]:
    """Return the pages whose text is outside `docs/`, by their paths on the site."""
    found = {}
    for page, source in PAGES.items():
        text = (ROOT / source).read_text("utf-8")
        suffix = (ROOT / source).suffix
        if suffix in _SHOWN:
            found[page] = f"# {source.rpartition('/')[2]}\n\n```{_SHOWN[suffix]}\n{text}```\n"
        elif not page.startswith(("notebooks/", "play/")):
            found[page] = text
    return found


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links lead to the pages of the site, and draw the map of packages."""
    return with_pictures(with_site_links(page.file.src_uri, markdown))


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Declare the language of pages in other languages, for screen readers."""
    language = page.meta.get("lang")
    return re.sub(r'<html lang="\w+"', f'<html lang="{language}"', output, count=1) if language else output
