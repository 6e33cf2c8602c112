"""Other players' turns: how quickly they are shown, what is said of them, and the last round again."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.screens import away, finish_turn, follow, hold_clock, run_until, wait_for_turn, with_round
from tests.web.visitors import PHONE, NewPage


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


@pytest.fixture
def paces(page: Page) -> list[dict[str, Any]]:
    """What the page says about the pace, from now on."""
    sent: list[dict[str, Any]] = []

    def note(frame: str | bytes) -> None:
        command = json.loads(frame)
        if command["type"] == "pace":
            sent.append(command)

    page.on("websocket", lambda socket: socket.on("framesent", note))
    return sent


def test_the_turn_of_a_bot_is_told_in_one_sentence(page: Page, paces: list[dict[str, Any]]) -> None:
    """The banner stands in the place of the sentence; what it tells of is lit; a tap ends the pause."""
    table = follow(page, "alhambra-3-all-modules", 40, "follow")
    box = page.locator(".saying").bounding_box()
    hold_clock(page)
    finish_turn(page, table)
    wait_for_turn(page, table, 2)
    run_until(page, "[data-banner='3'] .what:has-text('Wall')")
    banner = page.locator("[data-banner='3']")
    expect(banner.locator(".what")).to_have_text(
        # What the yard is refilled with differs from game to game, and her vizier may like it.
        re.compile(r"^Carla buys Garden 10, overpaying by 1( and buys .+ with the vizier)?\. Wall: 2 → \d+\.$")
    )
    for place, value in enumerate(("7", "4")):
        expect(banner.locator(".turn-pieces .money b").nth(place)).to_have_text(value)
    expect(banner.locator(".turn-pieces .tile")).not_to_have_count(0)
    expect(page.locator(".mini.lit")).to_have_attribute("data-place", "mini-3")
    expect(page.locator(".space.lit")).to_have_count(1)
    for row in ("Wall", "Garden"):
        expect(page.locator(".maj tr.lit").filter(has_text=row)).to_have_count(1)
    assert page.locator(".saying").bounding_box() == box
    n = int(page.locator("[data-table]").get_attribute("data-n") or 0)
    page.get_by_role("button", name="Continue").click()
    expect(banner).to_have_count(0)
    assert [command["seen"] for command in paces[1:]] == [n]
    run_until(page, "[data-yours=true] [data-banner='1']")
    page.clock.run_for(4000)
    expect(page.locator("[data-banner]")).to_have_count(0)
    expect(page.locator("[data-sentence] .say")).to_have_text("Take money, buy a tile, or rebuild.")
    expect(page.locator(".lit")).to_have_count(0)


def test_who_begins_their_turn_has_read_the_last_one(page: Page) -> None:
    table = follow(page, "alhambra-3-all-modules", 40, "follow")
    hold_clock(page)
    finish_turn(page, table)
    wait_for_turn(page, table, 2)
    run_until(page, "[data-yours=true] [data-banner='1']")
    page.locator("[data-display]").first.click()
    expect(page.locator("[data-banner]")).to_have_count(0)


def test_at_once_means_that_no_banner_is_shown(page: Page) -> None:
    page.add_init_script(
        """new MutationObserver(() => { window.hadBanner ||= document.querySelector("[data-banner]") !== null; })
        .observe(document, { subtree: true, childList: true })"""
    )
    table = follow(page, "alhambra-3-all-modules", 40, "instant")
    finish_turn(page, table)
    expect(page.locator("[data-table][data-yours=true]")).to_be_visible()
    expect(page.locator("[data-n]")).not_to_have_attribute("data-n", "40")
    assert not page.evaluate("() => window.hadBanner === true")


def test_the_last_round_is_shown_again(page: Page) -> None:
    """By its key and its button, turn by turn, each lit on the table; nothing else is touched."""
    with_round("alhambra-3-all-modules", 40)(page)
    steps = page.locator("[data-round-step]")
    expect(steps).to_have_count(2)
    expect(steps.nth(0)).to_contain_text("Carla buys Garden 10, overpaying by 1")
    expect(steps.nth(0)).to_have_attribute("aria-current", "step")
    expect(page.locator(".mini.lit")).to_have_attribute("data-place", "mini-3")
    page.keyboard.press("ArrowRight")
    expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    expect(page.locator(".mini.lit")).to_have_attribute("data-place", "mini-1")
    expect(page.get_by_role("button", name="Next turn")).to_be_disabled()
    page.keyboard.press("Escape")
    expect(page.locator("[data-round]")).to_have_count(0)
    expect(page.locator(".lit")).to_have_count(0)
    page.locator(".log [data-act=round]").click()
    steps.nth(1).click()
    expect(page.locator(".mini.lit")).to_have_attribute("data-place", "mini-1")
    page.locator("[data-act=to-turn]").click()
    expect(page.locator("[data-round]")).to_have_count(0)
    expect(page.locator("[data-act=round]")).to_be_focused()


def test_on_a_phone_the_last_round_is_in_the_log(new_page: NewPage) -> None:
    page = new_page(PHONE)
    table = follow(page, "alhambra-3-all-modules", 40, "instant")
    finish_turn(page, table)
    expect(page.locator("[data-table][data-yours=true]")).to_be_visible()
    expect(page.locator("[data-act=round]")).not_to_be_visible()
    page.get_by_role("button", name="Log").click()
    page.locator(".log [data-act=round]").click()
    expect(page.locator("[data-round-step]")).to_have_count(2)
    expect(page.locator(".logbody")).to_have_count(0)


def test_a_game_that_has_just_begun_has_no_last_round(page: Page) -> None:
    follow(page, "alhambra-4", 0, "instant")
    expect(page.locator(".log [data-act=round]")).to_be_disabled()
    page.keyboard.press("b")
    expect(page.locator("[data-round]")).to_have_count(0)
