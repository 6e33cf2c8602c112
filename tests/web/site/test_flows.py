"""Puzzles, codes, links and rematches without a server, at devices on which Python starts only once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from granada.locales import translate
from tests.web import api
from tests.web.driver import Game, Pointer, Table, eager
from tests.web.puzzles import CHAIN, VERDICT, answer, await_table, try_again
from tests.web.scanner import scan
from tests.web.screens import open_at, profile_of, ready, store, upload
from tests.web.site.device import configure, follow_links, wait_for_python
from tests.web.static_site import StaticSite
from tests.web.test_ending import CLIPBOARD, link_to_best_turn
from tests.web.test_puzzles import FLIP, card, rating_of
from tests.web.visitors import Visit, visiting

pytestmark = pytest.mark.timeout(300)


def text(key: str, **values: object) -> str:
    return translate("en", key, **values)


@pytest.fixture(scope="module")
def devices(browser: Browser, server: StaticSite) -> Iterator[Callable[[str], Visit]]:
    """Return a function that returns a device with this name, on which Python has started."""
    with ExitStack() as visits:
        known: dict[str, Visit] = {}

        def device(name: str) -> Visit:
            if name not in known:
                known[name] = visits.enter_context(visiting(browser, server.url))
                configure(known[name].context)
                known[name].page.goto("/about")
                wait_for_python(known[name].page)
            return known[name]

        yield device


@pytest.fixture
def visit(devices: Callable[[str], Visit], monkeypatch: pytest.MonkeyPatch) -> Iterator[Visit]:
    """The first device."""
    found = devices("first")
    follow_links(found.page, monkeypatch)
    yield found
    found.check()


@pytest.fixture
def other(devices: Callable[[str], Visit]) -> Iterator[Page]:
    """A page of another device."""
    found = devices("other")
    yield found.page
    found.check()


def test_a_puzzle_is_solved_and_another_failed(page: Page) -> None:
    page.goto("/puzzles")
    card(page, CHAIN).click()
    await_table(page, CHAIN)
    answer(page, CHAIN, CHAIN.best.turn, is_open=True)
    verdict = page.locator(VERDICT)
    expect(verdict.locator("h2")).to_have_text(text("puzzle.solved"))
    before, after = rating_of(page)
    assert before == 1500 < after
    page.go_back()
    expect(card(page, CHAIN)).to_have_attribute("data-state", "solved")
    expect(page.locator("[data-rating]")).to_have_attribute("data-rating", str(after))
    expect(page.locator("p[data-streak]")).to_have_attribute("data-streak", "1")
    answer(page, FLIP, FLIP.obvious.turn)
    expect(verdict).to_have_attribute("data-verdict", "failed")
    expect(verdict.locator("[data-turn=own] b > [aria-hidden]")).to_have_text("0")
    expect(verdict.locator("[data-turn=best] b > [aria-hidden]")).to_have_text(f"+{round(FLIP.gain, 1):g}")
    assert rating_of(page)[1] < after
    try_again(page, FLIP)


def test_name_and_ratings_are_carried_by_a_code_and_its_picture(page: Page, other: Page) -> None:
    known = {"value": 1623, "deviation": 60, "volatility": 0.06}
    store(page, name="Mencía", you={**profile_of(6), "puzzles": known})
    page.goto("/me")
    ready(page)
    page.locator("[data-act=code]").click()
    code = page.locator("[data-code]").get_attribute("data-code") or ""
    link = scan(page.locator(".code-qr"))
    assert link == f"{page.url}#{code}"
    other.goto(link)
    dialog = other.get_by_role("dialog")
    field = dialog.locator(".code-input")
    expect(field).to_have_value(code)
    assert "#" not in other.url
    field.fill(code[:-1] + ("0" if code[-1] != "0" else "1"))
    field.press("Enter")
    expect(dialog.locator(".form-wrong")).to_have_text(text("problem.bad_code"))
    field.fill(code)
    field.press("Enter")
    expect(dialog).to_have_count(0)
    expect(other.locator("[data-spoken]")).to_contain_text(text("carry.done", name="Mencía"))
    other.reload()
    expect(other.locator("[data-own-name]")).to_have_value("Mencía")
    expect(other.locator("[data-you]")).to_contain_text("1700")
    other.goto("/puzzles")
    expect(other.locator("[data-rating]")).to_have_attribute("data-rating", "1623")


def test_the_link_to_the_best_turn_contains_the_game(visit: Visit, page: Page, other: Page) -> None:
    visit.context.grant_permissions(CLIPBOARD)
    best, link = link_to_best_turn(page)
    assert f"/record?n={best['end']}#r=" in link
    tab = other.context.new_page()
    tab.goto(link)
    tab.get_by_role("button", name=text("record.open_over")).click()
    expect(tab).to_have_url(re.compile(rf"/replay\?n={best['end']}$"))
    expect(tab.locator("main[data-n]")).to_have_attribute("data-n", str(best["end"]))
    tab.close()


def test_a_rematch_on_the_device_starts_at_once(page: Page) -> None:
    lines = api.get(page, f"/tables/{upload(page, 'granada-2')}/log")["lines"]
    table = open_at(page, "granada-2", max(line["n"] for line in lines) - 1)
    page.goto(f"/t/{table}")
    Game(Table(page), Pointer(Table(page)), eager("rematch")).play()
    expect(page.locator("[data-place]")).to_have_count(2)
    seats = api.table_message(page, table)["table"]["seats"]
    page.locator("[data-act=rematch]").click()
    expect(page.locator("[data-table]")).to_have_attribute("data-phase", "playing")
    again = Table(page).message()["table"]
    assert again["id"] != table
    assert sorted((one["name"], one["kind"], one["level"]) for one in again["seats"]) == sorted(
        (one["name"], one["kind"], one["level"]) for one in seats
    )
    page.goto(f"/t/{table}")
    expect(page.locator("a[data-act=rematch]")).to_have_attribute("href", f"/t/{again['id']}")
