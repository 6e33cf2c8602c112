"""The cards beside the hero of the home page: your turn, the daily deal, the next puzzle."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from granada.locales import LANGUAGES, translate
from granada.puzzles.shipped import shipped
from tests.web import api, daily_lists
from tests.web.daily_lists import within_a_day
from tests.web.screens import SCREENS, ready, visit_first
from tests.web.test_frame import LOCALES
from tests.web.visitors import LAPTOP, PHONE, TABLET, Look, NewPage

STATES = {screen.name: screen for screen in SCREENS if screen.name in ("home", "home-back", "home-done")}
#: The sum of all layout shifts since the page was opened.
SHIFT = """() => new Promise((done) => {
  let sum = 0;
  const seen = new PerformanceObserver((list) => list.getEntries().forEach((one) => (sum += one.value)));
  seen.observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum));
})"""
#: More than a card that moves by a line of text would cause.
LITTLE = 0.02


def text(key: str, **values: object) -> str:
    return translate("en", key, **values)


def cards(page: Page) -> list[str]:
    """Return the cards as they are read out."""
    found: list[str] = page.locator("[data-card]").evaluate_all("(all) => all.map((one) => one.dataset.card)")
    return found


def test_on_the_first_visit_two_cards_say_what_there_is(page: Page) -> None:
    page.goto("/")
    puzzle = page.locator("[data-card=puzzle]")
    expect(puzzle.locator(".tcard-city")).to_be_visible()
    assert cards(page) == ["daily", "puzzle"]
    expect(page.locator("[data-card=daily]")).to_contain_text(text("home.daily_say"))
    expect(puzzle).to_contain_text(text("home.puzzle_say"))
    expect(page.locator(".tcard-k, .lanterns")).to_have_count(0)
    # The puzzle nearest to an unknown rating.
    number = int((puzzle.locator("a").get_attribute("href") or "").rpartition("/")[2])
    assert abs(shipped()[number].rating - 1500) == min(abs(one.rating - 1500) for one in shipped().values())
    page.locator("[data-card=daily] a").click()
    expect(page.locator("[data-deal=new]")).to_be_visible()


def test_a_reader_who_comes_back_sees_what_waits_first(page: Page) -> None:
    STATES["home-back"].go(page)
    assert cards(page) == ["turn", "daily", "puzzle"]
    turn = page.locator("[data-card=turn]")
    expect(turn).to_have_class("tcard turn")
    for words in (text("home.your_turn"), text("home.with", names="Ana and Zirid"), text("home.more_turns", n=2)):
        expect(turn).to_contain_text(words)
    expect(page.locator("[data-card=daily]").get_by_role("img")).to_have_accessible_name(text("daily.streak", n=4))
    puzzle = page.locator("[data-card=puzzle]")
    expect(puzzle).to_contain_text(text("home.puzzle_streak", n=4))
    expect(puzzle).to_contain_text(text("home.puzzle_rating", rating="1480"))
    # A failed puzzle that is due comes before new ones.
    expect(puzzle.locator("a")).to_have_attribute("href", "/puzzles/1")
    # With keys: what waits comes first, then the game that begins at once.
    turn.locator("a").focus()
    page.keyboard.press("Tab")
    expect(page.locator(".hero button[type=submit]")).to_be_focused()
    turn.locator("a").press("Enter")
    expect(page.locator("[data-table]")).to_be_visible()


@within_a_day
def test_after_the_daily_deal_its_card_says_how_it_went(page: Page) -> None:
    visit_first(page)
    daily_lists.enter_others(page)
    daily_lists.enter(page, "Ana")
    page.goto("/daily/alhambra")
    expect(page.locator("[data-deal=done]")).to_be_visible()
    page.goto("/")
    day = api.get(page, "/daily/alhambra/today")
    daily = page.locator("[data-card=daily]")
    expect(daily.locator("b")).to_contain_text(text("daily.points", n=day["mine"]["points"]).removesuffix("."))
    expect(daily).to_contain_text(text("home.today_place", place=day["place"], of=day["players"]))
    expect(daily.get_by_role("img")).to_have_accessible_name(text("daily.streak", n=1))
    expect(daily.locator("a")).to_have_attribute("href", "/daily/alhambra")


def test_a_game_that_is_over_is_no_card(page: Page) -> None:
    """A table without a turn is a quiet card that can be removed; one that is over is only in the list."""
    visit_first(page)
    seats = [{"kind": "person", "name": "Ana"}, {"kind": "open"}]
    table = api.post(page, "/tables", {"seats": seats})["table"]["id"]
    page.goto(f"/t/{table}")
    ready(page)
    page.goto("/")
    turn = page.locator("[data-card=turn]")
    expect(turn).to_contain_text(text("home.resume_lobby", n=1))
    expect(turn).to_have_class("tcard")
    turn.get_by_role("button").click()
    expect(turn).to_have_count(0)
    page.reload()
    expect(page.locator("[data-card=puzzle] .tcard-city")).to_be_visible()
    assert cards(page) == ["daily", "puzzle"]


@pytest.mark.parametrize("look", [PHONE, TABLET, LAPTOP], ids=lambda look: look.name)
@pytest.mark.parametrize("state", STATES)
def test_nothing_moves_when_the_cards_are_filled(new_page: NewPage, state: str, look: Look) -> None:
    page = new_page(look)
    STATES[state].go(page)
    page.wait_for_load_state("networkidle")
    assert page.evaluate(SHIFT) <= LITTLE


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", ["home", "home-back"])
def test_a_phone_shows_all_ways_at_once(new_page: NewPage, state: str, language: str) -> None:
    page = new_page(PHONE, locale=LOCALES[language])
    STATES[state].go(page)
    bottom = page.locator(".join").evaluate("(form) => form.getBoundingClientRect().bottom + scrollY")
    assert bottom <= PHONE.height
    if state == "home-back":
        turn, hero = (page.locator(one).bounding_box() for one in ("[data-card=turn]", ".hero"))
        assert turn is not None
        assert hero is not None
        assert turn["y"] < hero["y"]
