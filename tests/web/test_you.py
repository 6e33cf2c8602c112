"""The reader's own screens: an identity that moves, statistics, and deleting everything."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from granada.locales import translate
from tests.web import api
from tests.web.driver import Table
from tests.web.scanner import scan
from tests.web.screens import profile_of, ready, store, visit_first
from tests.web.visitors import NewPage, Visit


def text(key: str, **values: object) -> str:
    return translate("en", key, **values)


def stored_keys(page: Page) -> list[str]:
    found: list[str] = page.evaluate("() => Object.keys(localStorage).filter((key) => key.startsWith('granada.'))")
    return found


def begin(page: Page, name: str) -> str:
    """Open a table with a seat for this browser, and visit it."""
    visit_first(page)
    store(page, name=name)
    seats = [{"kind": "person", "name": name}, {"kind": "bot", "level": "greedy"}]
    table: str = api.post(page, "/tables", {"seats": seats})["table"]["id"]
    api.post(page, f"/tables/{table}/start")
    page.goto(f"/t/{table}")
    ready(page)
    return table


def own_seats(page: Page, table: str) -> list[int]:
    return [seat["seat"] for seat in api.table_message(page, table)["table"]["seats"] if seat["is_yours"]]


def test_an_identity_moved_to_a_second_browser_keeps_its_seat_and_games(new_page: NewPage) -> None:
    """The second browser's own game and seat come along."""
    first, second = new_page(), new_page()
    table, other = begin(first, "Anna"), begin(second, "Ben")
    store(first, you=profile_of(6))
    store(second, you=profile_of(1, "Z"))
    first.goto("/me")
    first.locator("[data-act=code]").click()
    code = first.locator("[data-code]").get_attribute("data-code")
    second.goto(f"/me#{code}")
    dialog = second.get_by_role("dialog")
    expect(dialog).to_contain_text(text("carry.same"))
    expect(dialog).to_contain_text(text("carry.merge", n=1))
    assert "#" not in second.url
    dialog.get_by_role("button", name=text("carry.go")).click()
    expect(second.locator("[data-brought]")).to_contain_text(text("carry.done_games", n=6))
    expect(second.locator("[data-own-name]")).to_have_value("Anna")
    assert own_seats(second, table) == own_seats(first, table) == [1]
    assert own_seats(second, other) == own_seats(first, other) == [1]
    second.goto("/me/games")
    expect(second.locator("[data-game]")).to_have_count(7)
    second.goto(f"/t/{table}")
    ready(second)
    assert Table(second).message()["own"]["seat"] == 1


def test_the_qr_code_of_an_identity_is_the_address_of_its_code(page: Page) -> None:
    page.goto("/me")
    page.locator("[data-act=code]").click()
    code = page.locator("[data-code]").get_attribute("data-code")
    assert scan(page.locator(".code-qr")) == f"{page.url}#{code}"


def test_a_code_that_is_damaged_or_used_is_refused(visit: Visit, new_page: NewPage) -> None:
    visit.ignore("404")
    page, other = visit.page, new_page()
    page.goto("/me")
    other.goto("/me")
    other.locator("[data-act=code]").click()
    code = other.locator("[data-code]").get_attribute("data-code") or ""
    page.locator("[data-act=enter]").click()
    field = page.locator(".code-input")
    last = "0" if code[-1] != "0" else "1"
    for typed, words in (
        ("", text("carry.empty")),
        (code[:-1] + last, text("problem.bad_code")),
        (f"https://club.example/me#{code}", text("carry.elsewhere", host="club.example")),
    ):
        field.fill(typed)
        field.press("Enter")
        expect(page.locator(".me-form .form-wrong")).to_have_text(words)
        expect(field).to_be_focused()
    third = new_page()
    third.goto("/about")
    api.post(third, "/identity/enter", {"code": code})
    field.fill(code)
    field.press("Enter")
    expect(page.locator(".me-form .form-wrong")).to_have_text(text("problem.unknown_code"))


def test_the_screen_says_what_the_games_say(page: Page) -> None:
    visit_first(page)
    stored = profile_of(6)
    store(page, name="Anna", you=stored)
    page.goto("/me")
    games = [game for game in stored["games"] if game["exempt"] is None]
    won = [game for game in games if game["seats"][0]["rank"] == 1]
    figures = page.locator(".me-figures")
    expect(figures).to_contain_text(text("stats.games", n=len(games), won=len(won)))
    expect(figures.locator("dd").last).to_have_text(str(max(game["seats"][0]["score"] for game in games)))
    wall = round(sum(game["points"]["wall"] for game in games) / len(games))
    expect(page.locator("[data-item=wall] b")).to_have_text(str(wall))
    expect(page.locator(".me-ladder")).to_contain_text(str(round(stored["rating"]["value"])))
    expect(page.locator(".me-ladder button")).to_have_count(1)
    page.goto("/me/games")
    page.get_by_label(text("games.with")).select_option("person Lena")
    expect(page.locator("[data-game]")).to_have_count(6)


def test_a_damaged_profile_is_told_and_kept(page: Page) -> None:
    visit_first(page)
    damaged = {**profile_of(3), "games": [*profile_of(3)["games"], {"id": "broken"}]}
    store(page, you=damaged)
    page.goto("/me")
    expect(page.locator("[data-problem=damaged]")).to_be_visible()
    assert json.loads(page.evaluate("() => localStorage.getItem('granada.you.damaged')")) == damaged
    page.get_by_role("button", name=text("you.damaged_discard")).click()
    expect(page.locator("[data-problem]")).to_have_count(0)
    store(page, you={"version": 99})
    page.goto("/me")
    expect(page.locator("[data-problem=newer]")).to_be_visible()
    assert json.loads(page.evaluate("() => localStorage.getItem('granada.you')")) == {"version": 99}


def test_everything_is_deleted_and_the_game_of_others_goes_on(new_page: NewPage) -> None:
    page, friend = new_page(), new_page()
    table = begin(page, "Anna")
    store(page, you=profile_of(3))
    page.goto("/me/stored")
    page.locator("[data-act=erase]").click()
    expect(page.get_by_role("dialog")).to_contain_text(text("erase.seats", n=1))
    page.locator("[data-act=erase-all]").click()
    expect(page.locator("[data-erased]")).to_be_visible()
    # The tests store a speed at every visit (visitors.py).
    assert set(stored_keys(page)) <= {"granada.language", "granada.settings"}
    assert own_seats(page, table) == []
    visit_first(friend)
    seat = api.table_message(friend, table)["table"]["seats"][0]
    assert (seat["name"], seat["kind"]) == ("Anna", "person")
