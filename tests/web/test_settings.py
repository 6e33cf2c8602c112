"""The settings: every choice takes effect at once and is remembered."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from granada.locales import translate
from tests.web.screens import ready


def choice(page: Page, key: str) -> Locator:
    """Return the label of a choice by its text."""
    return page.get_by_role("main").get_by_text(translate("en", key), exact=True).first


def test_choices_are_remembered(page: Page) -> None:
    page.context.grant_permissions(["notifications"])  # without it the browser refuses one of the switches
    page.goto("/settings")
    ready(page)
    chosen = ("settings.confirm_never", "settings.sort_value", "settings.theme_dark", "settings.motion_less")
    for key in chosen:
        choice(page, key).click()
    switches = page.get_by_role("main").locator("input[type=checkbox], [role=switch]")
    before = [switch.is_checked() for switch in switches.all()]
    assert len(before) >= 3
    for switch in switches.all():
        switch.focus()
        switch.press("Space")
    after = [switch.is_checked() for switch in switches.all()]
    assert after == [not is_on for is_on in before]
    page.reload()
    ready(page)
    assert [switch.is_checked() for switch in switches.all()] == after
    kept = page.evaluate("() => JSON.parse(localStorage.getItem('granada.settings'))")
    assert (kept["confirm"], kept["sort"], kept["theme"], kept["motion"]) == ("never", "value", "dark", "less")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("data-motion", "less")


def test_everything_can_be_chosen_by_keys(page: Page) -> None:
    page.goto("/settings")
    ready(page)
    for group in page.get_by_role("main").get_by_role("radiogroup").or_(page.locator("main fieldset")).all():
        radios = group.get_by_role("radio")
        at = next(i for i, radio in enumerate(radios.all()) if radio.is_checked())
        radios.nth(at).focus()
        page.keyboard.press("ArrowDown")
        expect(radios.nth((at + 1) % radios.count())).to_be_checked()
