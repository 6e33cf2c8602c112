"""Spectators see everything that is public, and no button without effect."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from granada.locales import translate
from tests.web import api
from tests.web.screens import open_at, ready, visit_first
from tests.web.test_games import BOT, PERSON
from tests.web.visitors import PHONE, Look, NewPage


@pytest.mark.parametrize("look", [PHONE, Look()], ids=["phone", "laptop"])
def test_spectators_see_no_button_that_does_nothing(new_page: NewPage, look: Look) -> None:
    ana, page = new_page(), new_page(look)
    table = open_at(ana, "alhambra-3-all-modules", 300)
    page.goto(f"/t/{table}")
    ready(page)
    expect(page.locator(".watching")).to_be_visible()
    expect(page.get_by_text(translate("en", "turn.watching"))).to_have_count(1)
    assert page.locator("[data-table] button:disabled, [data-table] [aria-disabled=true]").count() == 0
    for place in ("yard", "display", "hut"):
        found = page.locator(f"[data-{place}]")
        assert found.count() > 0
        assert found.evaluate_all("(all) => all.filter((one) => one.tabIndex >= 0 || one.matches('button'))") == []
    assert page.locator("[data-act=main], [data-act=undo], [data-act=hint]").count() == 0
    page.keyboard.press("1")
    page.keyboard.press("l")
    expect(page.locator(".lines p").first).to_be_visible()
    expect(page.locator("[data-command]")).to_have_count(0)


def test_spectators_can_take_a_seat_that_is_free(new_page: NewPage) -> None:
    ana, page = new_page(), new_page()
    visit_first(ana)
    table: str = api.post(ana, "/tables", {"seats": [PERSON, {"kind": "open"}, BOT]})["table"]["id"]
    ben = new_page()
    visit_first(ben)
    api.post(ben, f"/tables/{table}/seats/2/take", {"name": "Ben"})
    api.post(ana, f"/tables/{table}/start")
    api.post(ben, f"/tables/{table}/seats/2/leave")
    page.goto("/settings")
    page.locator("[data-own-name]").fill("Zoë")
    page.goto(f"/t/{table}")
    page.locator("[data-act=sit]").click()
    expect(page.locator(".watching")).to_have_count(0)
    expect(page.locator(".seats .sn").nth(1)).to_have_text("Zoë")
