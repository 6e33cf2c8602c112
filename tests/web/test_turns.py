"""Other players' turns: how quickly they are shown."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from tests.web.screens import away


def chosen(page: Page) -> str:
    """Return the pace that the browser remembers."""
    pace: str = page.evaluate("() => JSON.parse(localStorage.getItem('granada.settings')).pace")
    return pace


def test_the_speed_is_chosen_while_others_decide(page: Page) -> None:
    """By pointer, as a radio group, and with a key; the table hears of it at once."""
    sent: list[str] = []

    def note(frame: str | bytes) -> None:
        command = json.loads(frame)
        if command["type"] == "pace":
            sent.append(command["speed"])

    page.on("websocket", lambda socket: socket.on("framesent", note))
    away(page)
    expect(page.locator("[data-act=undo]")).to_have_count(0)
    expect(page.locator("[data-pace=instant]")).to_be_checked()
    page.locator("[data-pace=follow]").click()
    expect(page.locator("[data-pace=follow]")).to_be_checked()
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-pace=quick]")).to_be_focused()
    assert chosen(page) == "quick"
    page.keyboard.press(".")
    expect(page.locator("[data-pace=instant]")).to_be_checked()
    page.keyboard.press(",")
    assert chosen(page) == "quick"
    assert sent == ["instant", "follow", "quick", "instant", "quick"]
    page.reload()
    expect(page.locator("[data-pace=quick]")).to_be_checked()
