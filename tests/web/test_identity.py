"""The player's name: one per browser, with the same letter on every screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from granada.locales import LANGUAGES, translate
from tests.web import api
from tests.web.driver import Table
from tests.web.screens import scoring, visit_first
from tests.web.test_games import PERSON
from tests.web.test_table import begin
from tests.web.visitors import PHONE, Look, NewPage, Visit


def own_names(page: Page) -> list[str]:
    return [seat["name"] for seat in Table(page).message()["table"]["seats"] if seat["is_yours"]]


def play_now(page: Page) -> None:
    page.get_by_role("button", name=translate("en", "home.play")).click()
    expect(page.locator("[data-table]")).to_be_visible()


def test_a_name_is_asked_for_once_and_used_at_every_table(new_page: NewPage) -> None:
    page, other = new_page(), new_page()
    page.goto("/")
    page.get_by_label(translate("en", "home.name")).fill("Zoë")
    play_now(page)
    assert own_names(page) == ["Zoë"]
    page.goto("/")
    expect(page.locator("[data-who]")).to_contain_text("Zoë")
    expect(page.get_by_label(translate("en", "home.name"))).to_have_count(0)
    play_now(page)
    assert own_names(page) == ["Zoë"]
    page.goto("/new")
    expect(page.get_by_label(translate("en", "home.name"))).to_have_value("Zoë")
    visit_first(other)
    table = api.post(other, "/tables", {"seats": [PERSON, {"kind": "open"}]})["table"]["id"]
    page.goto(f"/t/{table}")
    sit = page.get_by_role("button", name=translate("en", "lobby.sit_as", name="Zoë"))
    expect(sit).to_be_visible()
    expect(page.locator(".seat-form input")).to_have_count(0)
    sit.click()
    expect(page.locator(".seat-card.yours b")).to_have_text("Zoë")


def test_a_suggested_name_is_kept(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_label(translate("en", "home.name"))).not_to_have_attribute("placeholder", "")
    play_now(page)
    first = own_names(page)
    page.goto("/")
    play_now(page)
    assert own_names(page) == first


def test_the_name_can_be_changed_in_the_settings(page: Page) -> None:
    page.goto("/settings")
    field = page.locator("[data-own-name]")
    field.fill("Ana, the first")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("Mencía")
    page.goto("/")
    play_now(page)
    assert own_names(page) == ["Mencía"]


def test_where_another_has_the_name_a_different_one_is_asked_for(visit: Visit, new_page: NewPage) -> None:
    visit.ignore("409")
    page, other = visit.page, new_page()
    page.goto("/settings")
    page.locator("[data-own-name]").fill("Ana")
    visit_first(other)
    table = api.post(other, "/tables", {"seats": [PERSON, {"kind": "open"}]})["table"]["id"]
    page.goto(f"/t/{table}")
    page.get_by_role("button", name=translate("en", "lobby.sit_as", name="Ana")).click()
    expect(page.locator(".seat-form input")).to_be_focused()


@pytest.mark.parametrize("look", [PHONE, Look()], ids=["phone", "laptop"])
def test_a_player_has_the_same_letter_and_name_in_a_scoring(new_page: NewPage, look: Look) -> None:
    """Names are not cut off while there is space for them."""
    page = new_page(look)
    scoring(page, ("Paloma", "Wallada", "Mencia"))
    letters = page.locator(".seats .tok").all_inner_texts()
    steps = page.locator(".scoring .stepper button")
    for i in range(steps.count()):
        steps.nth(i).click()
        expect(page.locator(".scoring .prow")).to_have_count(3)
        assert page.locator(".scoring .prow .tok").all_inner_texts() == letters
        assert page.locator(".scoring .prow .pn").all_inner_texts() == ["Paloma", "Wallada", "Mencia"]
        cut = page.locator(".scoring .pn").evaluate_all(
            "(all) => all.filter((one) => one.scrollWidth > one.clientWidth)"
        )
        assert cut == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_settings_in_the_menu_have_a_heading(new_page: NewPage, language: str) -> None:
    """It is separated from the buttons above, and larger than the text below."""
    page = new_page(PHONE)
    begin(page)
    page.evaluate("(tag) => localStorage.setItem('granada.language', JSON.stringify(tag))", language)
    page.reload()
    for look in (PHONE, Look()):
        page.set_viewport_size({"width": look.width, "height": look.height})
        page.locator("[data-act=menu]").click()
        heading = page.locator("dialog h3").filter(has_text=translate(language, "settings.title"))
        expect(heading).to_be_visible()
        top, size, above, below = heading.evaluate(
            """(heading) => {
              const label = heading.nextElementSibling.querySelector("label span");
              const size = (one) => parseFloat(getComputedStyle(one).fontSize);
              const over = heading.previousElementSibling.getBoundingClientRect().bottom;
              return [heading.getBoundingClientRect().top, size(heading), over, size(label)];
            }"""
        )
        assert top - above >= 12
        assert size > below
        page.keyboard.press("Escape")
