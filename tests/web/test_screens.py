"""Every screen in every size: no horizontal scrolling, nothing cut off, targets large enough, no axe violations."""

from __future__ import annotations

import pytest

from tests.web import axe, layout
from tests.web.screens import SCREENS, Screen
from tests.web.visitors import PHONE, SIZES, Look, NewPage

#: A laptop with 1280 pixels at 200 % zoom.
LARGE = Look(640, 360)
NAMES = [screen.name for screen in SCREENS]


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS, ids=NAMES)
def test_everybody_can_use_it(new_page: NewPage, screen: Screen, colours: str) -> None:
    page = new_page(colours=colours)
    screen.go(page)
    axe.check(page)
    page.set_viewport_size({"width": PHONE.width, "height": PHONE.height})
    axe.check(page)


@pytest.mark.parametrize("screen", SCREENS, ids=NAMES)
def test_it_fits_every_window(new_page: NewPage, screen: Screen) -> None:
    """All sizes in one visit, by resizing the window."""
    page = new_page(SIZES[0])
    screen.go(page)
    found = []
    for look in (*SIZES, LARGE):
        page.set_viewport_size({"width": look.width, "height": look.height})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        found += [f"{look.name}: {fault}" for fault in layout.faults(page)]
    assert not found, f"{screen.name}:\n" + "\n".join(found)
