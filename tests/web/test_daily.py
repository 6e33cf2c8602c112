"""The daily deal in a browser: played, listed, shared, practised; results kept in the browser."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from granada.locales import catalogue, translate
from tests.web import api, axe, layout
from tests.web.daily_lists import NAMES, enter, enter_others, record, result_of, today, within_a_day
from tests.web.driver import Action, Game, Pointer, Table, eager
from tests.web.screens import played, visit_first
from tests.web.visitors import Visit

#: What a shared text must not contain: tiles, cards, actions, in words or in the notation.
FAMILIES = ("type", "currency", "short", "side", "cell")
NOTATION = re.compile(r"\b(?:[ybog]\d|[a-z_]+-\d+|take|buy|place|reserve|yard|display)\b", re.IGNORECASE)


def text(key: str, **values: object) -> str:
    return translate("en", key, **values)


def stored(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(
        "() => JSON.parse(localStorage.getItem('granada.daily') ?? '{}').results ?? []"
    )
    return found


class Requests:
    """Plays over the API, while the page shows it."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def act(self, action: Action) -> None:
        """Play an action."""
        n = self._table.message()["n"]
        api.post(self._table.page, f"/tables/{self._table.id}/commands", {**played(n, action.text), "hold": False})

    def confirm(self) -> None:
        """Nothing is held."""


def play_out(page: Page, seed: str) -> Table:
    """Play the game in a page to its end."""
    table = Table(page)
    Game(table, Requests(table), eager(seed)).play()
    return table


def check_shared(words: str) -> None:
    """Check that a text gives nothing of a deal away."""
    told = {
        str(word)
        for key, word in catalogue("en").items()
        if key.split(".")[0] in FAMILIES and isinstance(word, str) and len(word) > 1
    }
    assert [word for word in told if re.search(rf"\b{re.escape(word)}\b", words, re.IGNORECASE)] == []
    assert NOTATION.search(words) is None, words


@within_a_day
def test_a_daily_deal_is_played_listed_shared_and_practised(visit: Visit) -> None:
    """From the home page: part of it by clicks, and after a break the rest."""
    page = visit.page
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/daily/granada")
    deal = page.locator("[data-deal]")
    expect(deal).to_have_attribute("data-deal", "new")
    expect(page.locator("[data-list]")).to_have_attribute("data-list", "closed")
    expect(page.locator("[data-seed]")).to_have_count(0)
    page.locator("[data-act=play]").click()
    expect(page.locator("[data-table]")).to_have_attribute("data-phase", "playing")
    table = Table(page)
    first = table.id
    Game(table, Pointer(table), eager("first")).play(3)
    page.goto("/daily/granada")
    expect(deal).to_have_attribute("data-deal", "going")
    page.locator("[data-act=play]").click()
    expect(page.locator("[data-table]")).to_be_visible()
    assert Table(page).id == first
    play_out(page, "rest")

    # The end of the game
    end = page.locator("[data-daily]")
    expect(end).to_have_attribute("data-daily", "listed")
    axe.check(page)
    layout.check(page)
    words = end.locator("[data-share]").inner_text()
    result = api.get(page, "/daily/granada/today")["mine"]
    assert words.splitlines()[1].startswith(f"{result['points']} ")
    assert words.splitlines()[-1].endswith("/daily")
    check_shared(words)
    end.locator("[data-act=copy]").click()
    page.wait_for_function("async (words) => (await navigator.clipboard.readText()) === words", arg=words)
    assert stored(page) == [{"edition": "granada", "date": str(today()), **result}]

    # The list
    page.locator("[data-act=daily]").click()
    expect(deal).to_have_attribute("data-deal", "done")
    expect(page.locator("[data-list]")).to_have_attribute("data-list", "open")
    expect(page.locator(".mine")).to_contain_text(str(result["points"]))
    expect(page.locator("[data-streak]")).to_have_attribute("data-streak", "1")
    lit = "won" if result["won"] else "played"
    expect(page.locator(f'[data-day="{today()}"]')).to_have_attribute("data-state", lit)

    # Practice
    page.locator("[data-act=practise]").click()
    expect(page.locator("[data-table]")).to_have_attribute("data-phase", "playing")
    practice = Table(page)
    assert practice.id != first
    assert practice.message()["table"]["daily"] == {"date": str(today()), "counts": False}
    play_out(page, "practice")
    expect(end).to_have_attribute("data-daily", "practice")
    expect(end.locator("[data-share]")).to_have_count(0)
    expect(page.locator(".ehead .sub")).to_contain_text(text("daily.practice"))
    assert stored(page) == [{"edition": "granada", "date": str(today()), **result}]
    assert api.get(page, "/daily/granada/today")["mine"] == result


@within_a_day
def test_the_list_of_the_day_opens_with_ones_own_result(page: Page) -> None:
    visit_first(page)
    enter_others(page)
    page.goto("/daily/alhambra")
    closed = page.locator("[data-list=closed]")
    expect(closed).to_be_visible()
    for name in NAMES:
        expect(closed).not_to_contain_text(name)
    enter(page, "Ana")
    page.reload()
    day = api.get(page, "/daily/alhambra/today")
    rows = page.locator("[data-list=open] [data-row]")
    expect(page.locator(".mine")).to_have_count(1)
    expect(page.locator(".mine")).to_contain_text(text("daily.you", name="Ana"))
    everybody = page.get_by_text(text("daily.everybody", n=day["players"]))
    if everybody.count():
        everybody.click()
    expect(rows).to_have_count(len(day["results"]["rows"]))
    for i, row in enumerate(day["results"]["rows"]):
        expect(rows.nth(i)).to_contain_text(row["name"])
        expect(rows.nth(i).locator(".big").last).to_have_text(str(row["points"]))
    expect(page.locator("#deal-title")).to_contain_text(text("daily.place", place=day["place"], n=day["players"]))


@pytest.mark.parametrize(
    ("path", "reason"),
    [("/daily/granada/today", "daily_deal"), ("/daily/alhambra/today", "daily_bot")],
)
@within_a_day
def test_a_record_of_another_deal_and_a_forged_one_are_refused_in_words(page: Page, path: str, reason: str) -> None:
    visit_first(page)
    lines = record("alhambra", today(), "Ana").splitlines()
    if reason == "daily_bot":
        # The first action of a bot that takes money takes another card of the display.
        at, line = next((i, one) for i, one in enumerate(lines) if re.match(r"[23] take \w+$", one))
        shown = [card for one in lines[:at] if one.startswith("! display ") for card in one.split()[2:]]
        lines[at] = f"{line.rpartition(' ')[0]} {next(card for card in shown[-4:] if card != line.split()[-1])}"
    reply = api.request(page, "POST", f"{path}/results", "\n".join([*lines, ""]), api.TEXT)
    problem = reply.json()
    assert (reply.status, problem["code"]) == (400, "bad_result")
    assert problem["reason"]["code"] == reason
    assert problem["detail"].endswith(".")
    assert api.get(page, path)["mine"] is None


def test_damaged_results_are_explained_and_not_deleted(page: Page) -> None:
    visit_first(page)
    damaged = json.dumps({"version": 1, "results": [result_of(1), {"date": "someday"}]})
    page.evaluate("(damaged) => localStorage.setItem('granada.daily', damaged)", damaged)
    page.goto("/daily")
    note = page.locator(".me-note[data-problem=damaged]")
    expect(note).to_contain_text(text("daily.damaged"))
    expect(page.locator("[data-streak]")).to_have_attribute("data-streak", "1")
    with page.expect_download() as saving:
        note.get_by_role("button", name=text("you.damaged_save")).click()
    assert saving.value.path().read_text("utf-8") == damaged
    note.get_by_role("button", name=text("you.damaged_discard")).click()
    expect(note).to_have_count(0)
    assert stored(page) == [result_of(1)]


@within_a_day
def test_a_day_that_is_over_can_be_practised_and_checked(page: Page) -> None:
    day = result_of(3)["date"]
    page.goto(f"/daily/combined/{day}")
    expect(page.locator("[data-deal]")).to_have_attribute("data-deal", "past")
    expect(page.locator("[data-seed]")).to_have_text(api.get(page, f"/daily/combined/{day}")["seed"])
    expect(page.locator("[data-list]")).to_contain_text(text("daily.nobody_past"))
    page.locator("[data-act=practise]").click()
    expect(page.locator("[data-table]")).to_have_attribute("data-phase", "playing")
    assert Table(page).message()["table"]["daily"] == {"date": day, "counts": False}


@within_a_day
def test_a_day_to_come_is_refused_in_words(visit: Visit) -> None:
    visit.ignore("409")
    visit.page.goto("/daily/alhambra/2999-01-01")
    expect(visit.page.locator("[data-problem]")).to_have_text(text("problem.daily_future"))
