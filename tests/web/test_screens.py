"""Every screen in every size: no horizontal scrolling, nothing cut off, targets large enough, no axe violations."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from granada.locales import FALLBACK, LANGUAGES
from tests.web import axe, layout
from tests.web.screens import SCREENS, Screen, ready
from tests.web.visitors import LAPTOP, PHONE, SIZES, Look, NewPage

#: A laptop with 1280 pixels at 200 % zoom.
LARGE = Look(640, 360)
NAMES = [screen.name for screen in SCREENS]
#: The screens with the most text, which are also measured in all other languages.
WORDY = (
    *("home", "new", "rules", "pad", "lobby", "table-alhambra", "table-granada", "table-combined", "table-placing"),
    *("table-confirming", "table-away", "table-watching", "table-six", "end", "end-combined", "scoring"),
    *("daily-new", "daily-done", "puzzles", "puzzle", "home-back", "home-done", "table-banner", "table-round"),
    *("me-played", "me-games", "me-stored", "puzzle-solved", "puzzle-failed", "daily-past", "table-reactions"),
    *("end-six", "end-lost", "end-analysis", "replay", "table-doubt"),
)
#: Screens that do not come back after a reload.
PASSING = (
    "scoring",
    "table-doubt",
    "table-banner",
    "table-round",
    "puzzle-solved",
    "puzzle-failed",
    "table-reactions",
    "end-analysis",
)


@pytest.mark.parametrize("screen", SCREENS, ids=NAMES)
def test_everybody_can_use_it_and_it_fits(new_page: NewPage, screen: Screen) -> None:
    """All sizes and both colour schemes in one visit, because opening a screen takes longest."""
    page = new_page(SIZES[0])
    screen.go(page)
    found = faults_in(page, (*SIZES, LARGE))
    assert not found, f"{screen.name}:\n" + "\n".join(found)
    for look in (LAPTOP, PHONE):
        page.set_viewport_size({"width": look.width, "height": look.height})
        page.emulate_media(color_scheme="light")
        axe.check(page)
        page.emulate_media(color_scheme="dark")
        axe.check(page, only_colours=True)  # the elements are the same


@pytest.mark.parametrize("screen", [screen for screen in SCREENS if screen.name in WORDY], ids=lambda one: one.name)
def test_it_fits_in_every_language(new_page: NewPage, screen: Screen) -> None:
    """All languages in one visit where the screen comes back after a reload."""
    found = []
    page = new_page(PHONE)
    if screen.name in PASSING:
        page.goto("/about")
    else:
        screen.go(page)
    for language in [one for one in LANGUAGES if one != FALLBACK]:
        page.evaluate("(tag) => localStorage.setItem('granada.language', JSON.stringify(tag))", language)
        if screen.name in PASSING:
            screen.go(page)
        else:
            page.reload()
            ready(page)
        assert page.evaluate("() => document.documentElement.lang") == language
        found += [f"{language} {fault}" for fault in faults_in(page, (PHONE, LAPTOP, LARGE))]
    assert not found, f"{screen.name}:\n" + "\n".join(found)


def faults_in(page: Page, looks: tuple[Look, ...]) -> list[str]:
    """What does not fit in windows of these sizes."""
    found = []
    for look in looks:
        page.set_viewport_size({"width": look.width, "height": look.height})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [f"{look.name}: {fault}" for fault in layout.faults(page)]
    return found
