"""Accessibility checks with axe (WCAG 2.2 AA)."""

from __future__ import annotations

from functools import cache
from typing import Any

from playwright.sync_api import Page

from build_page import WEB

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
#: The rules among these whose result depends on the colours, and not only on the elements.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]


@cache
def source() -> str:
    """Return the source of axe, as installed by npm."""
    path = WEB / "node_modules" / "axe-core" / "axe.min.js"
    assert path.is_file(), "axe-core is not installed: run make types"
    return path.read_text("utf-8")


def faults(page: Page, within: str | None = None, only_colours: bool = False) -> list[str]:
    """Return the violations in a page or a part of it: a line for each rule and each element."""
    rules = {"type": "rule", "values": COLOUR_RULES} if only_colours else {"type": "tag", "values": TAGS}
    # A piece that fades in has no contrast yet.
    page.wait_for_function("() => !document.getAnimations().some(({ id }) => id.startsWith('motion-'))")
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(source())
    found: dict[str, Any] = page.evaluate(
        "([within, rules]) => axe.run(within ?? document, { runOnly: rules, resultTypes: ['violations'] })",
        [within, rules],
    )
    lines = []
    for violation in found["violations"]:
        lines.append(f"{violation['id']} ({violation['impact']}): {violation['help']}")
        for node in violation["nodes"]:
            summary = " ".join(node["failureSummary"].split())
            lines.append(f"    {' '.join(map(str, node['target']))}: {summary}\n        {node['html'][:200]}")
    return lines


def check(page: Page, within: str | None = None, only_colours: bool = False) -> None:
    """Fail if axe finds violations."""
    found = faults(page, within, only_colours)
    assert not found, f"axe at {page.url}:\n" + "\n".join(found)
