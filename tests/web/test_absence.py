"""Absent players: how the table shows them, a bot taking over, and their return."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web import api
from tests.web.driver import Table
from tests.web.screens import ready, visit_first
from tests.web.test_games import PERSON
from tests.web.visitors import PHONE, NewPage

COUNTDOWN = re.compile(r"\d:\d\d")


def two_people(ana: Page, ben: Page, grace: int) -> tuple[str, Page, Page]:
    """Open a table for two; returns its id, the waiting page, and the page whose turn it is."""
    visit_first(ana)
    visit_first(ben)
    options = {"edition": "alhambra", "takeover": True, "grace": grace}
    table: str = api.post(ana, "/tables", {"seats": [PERSON, {"kind": "open"}], "options": options})["table"]["id"]
    api.post(ben, f"/tables/{table}/seats/2/take", {"name": "Ben"})
    api.post(ana, f"/tables/{table}/start")
    is_first = api.table_message(ana, table)["view"]["deciding"] == 1
    return (table, ben, ana) if is_first else (table, ana, ben)


def test_everybody_sees_who_is_away_and_when_a_bot_takes_over(new_page: NewPage) -> None:
    """UX 19: on the name plate, at the city and in the sentence; announced when it starts and ends."""
    table, here, away = two_people(new_page(), new_page(), grace=300)
    for page in (here, away):
        page.goto(f"/t/{table}")
        ready(page)
    seat = here.locator(".seat.now")
    name = seat.locator(".sn").inner_text()
    expect(here.locator(".absence, .absent")).to_have_count(0)
    away.goto("/about")
    spoken = here.locator("[data-spoken]")
    expect(spoken).to_contain_text(f"{name} is away. A bot takes over in")
    expect(seat).to_have_attribute("data-absence", "away")
    expect(here.locator("[data-sentence]")).to_contain_text(f"but {name} is away")
    for place in (here.locator(".countdown"), here.locator(".mini .absent")):
        expect(place).to_have_text(COUNTDOWN)
    # The announcement does not include the countdown.
    expect(here.locator(".countdown")).to_have_attribute("aria-hidden", "true")
    here.set_viewport_size({"width": PHONE.width, "height": PHONE.height})
    expect(here.locator(".countdown")).to_be_visible()
    expect(seat.locator(".absence")).to_be_visible()
    away.goto(f"/t/{table}")
    ready(away)
    expect(spoken).to_contain_text(f"{name} is back.")
    expect(here.locator(".absence, .absent, .countdown")).to_have_count(0)


def test_everybody_sees_that_a_bot_has_taken_over(new_page: NewPage) -> None:
    table, here, away = two_people(new_page(), new_page(), grace=5)
    here.goto(f"/t/{table}")
    ready(here)
    name = here.locator(".seat.now .sn").inner_text()
    spoken = here.locator("[data-spoken]")
    expect(here.locator('[data-absence="bot"]')).to_have_count(1, timeout=40_000)
    expect(here.locator(".mini .absent")).to_have_text("bot is playing")
    assert Table(here).wait_for_turn()
    away.goto(f"/t/{table}")
    ready(away)
    away.locator("[data-act=main]").click()
    expect(spoken).to_contain_text(f"{name} is back.")
    expect(here.locator("[data-absence]")).to_have_count(0)


def test_the_lobby_tells_who_goes_and_who_comes_back(new_page: NewPage) -> None:
    ana, ben = new_page(), new_page()
    visit_first(ana)
    visit_first(ben)
    table: str = api.post(ana, "/tables", {"seats": [PERSON, {"kind": "open"}]})["table"]["id"]
    api.post(ben, f"/tables/{table}/seats/2/take", {"name": "Ben"})
    for page in (ana, ben):
        page.goto(f"/t/{table}")
        ready(page)
    spoken, state = ana.locator("[data-spoken]"), ana.locator(".seat-card").nth(1).locator(".seat-state")
    expect(state).to_have_text("connected")
    ben.goto("/about")
    expect(state).to_have_text("away")
    expect(spoken).to_contain_text("Ben is away.")
    ben.goto(f"/t/{table}")
    expect(state).to_have_text("connected")
    expect(spoken).to_contain_text("Ben is back.")
