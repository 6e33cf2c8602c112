"""Checks that a screen fits its window, measured in the page."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from playwright.sync_api import Page


@cache
def _measure() -> str:
    return (Path(__file__).parent / "layout.js").read_text("utf-8")


def faults(page: Page, least: int = 24, primary: int = 44) -> list[str]:
    """Return elements that scroll sideways, are cut off, overlap, or are too small to read or hit."""
    found: list[str] = page.evaluate(_measure(), [least, primary])
    return found


def check(page: Page, least: int = 24, primary: int = 44) -> None:
    """Fail if something does not fit."""
    found = faults(page, least, primary)
    size: str = page.evaluate("() => `${innerWidth}x${innerHeight}`")
    assert not found, f"{page.url} at {size}:\n" + "\n".join(found)
