"""New versions: offered, never used in the middle of a turn, and used by all windows at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web import api
from tests.web.driver import Game, Pointer, Table, eager
from tests.web.offline.worker import LOADING, caches, change, wait_until_kept
from tests.web.screens import ready
from tests.web.static_site import StaticSite
from tests.web.visitors import Visit

PERSON, BOT = {"kind": "person", "name": "Ana"}, {"kind": "bot", "level": "novice"}


def offer(page: Page) -> Locator:
    """Return the notice about a new version."""
    return page.locator(".update-note")


def accept(page: Page) -> Locator:
    return offer(page).get_by_role("button", name="Update now")


def look_for_updates(page: Page) -> None:
    """Look for a new version, as the browser does from time to time."""
    page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).update()")


def icon(page: Page) -> str:
    """Return the end of the icon that the page gets."""
    text: str = page.evaluate("async () => (await fetch('/games/assets/icon.svg')).text()")
    return text[-11:].strip()


def mark(page: Page) -> None:
    """Mark a page; a reload removes the mark."""
    page.evaluate("() => { globalThis.isOld = true; }")


def wait_for_reload(page: Page) -> None:
    page.wait_for_function("() => globalThis.isOld === undefined", timeout=LOADING)
    ready(page)


def open_table(page: Page) -> Table:
    """Open a table of two people, so that the device is passed on between turns."""
    seats = [PERSON, {"kind": "person", "name": "Ben"}, BOT]
    table: str = api.post(page, "/tables", {"seats": seats, "options": {"edition": "alhambra"}})["table"]["id"]
    api.post(page, f"/tables/{table}/start")
    page.goto(f"/games/t/{table}")
    # Until Python is loaded, another screen is shown.
    expect(page.locator("[data-table]")).to_be_visible(timeout=LOADING)
    return Table(page)


@pytest.mark.timeout(300)
def test_only_changed_files_are_loaded_and_all_windows_change_together(visit: Visit, host: StaticSite) -> None:
    first = visit.page
    first.goto("/games/")
    wait_until_kept(first)
    second = visit.context.new_page()
    second.goto("/games/rules")
    ready(second)
    [before] = caches(first)
    change(host.folder, "assets/icon.svg", "<!-- 2 -->")
    host.requests.clear()
    look_for_updates(first)
    for page in (first, second):
        expect(offer(page)).to_contain_text("A new version of this page is ready", timeout=LOADING)
        mark(page)
    assert set(host.requests) == {"/games/sw.js", "/games/assets/icon.svg"}
    # The old version is in use until the new one is accepted.
    assert before in caches(first)
    assert icon(first) != "<!-- 2 -->"
    accept(second).click()
    for page in (first, second):
        wait_for_reload(page)
        assert icon(page) == "<!-- 2 -->"
        expect(offer(page)).to_have_count(0)
    [after] = caches(first)
    assert after != before


@pytest.mark.timeout(300)
def test_a_window_reloaded_without_the_service_worker_changes_too(visit: Visit, host: StaticSite) -> None:
    page = visit.page
    page.goto("/games/")
    wait_until_kept(page)
    visit.context.new_cdp_session(page).send("Page.reload", {"ignoreCache": True})
    page.wait_for_function("() => navigator.serviceWorker.controller === null && globalThis.granada?.isReady()")
    change(host.folder, "assets/icon.svg", "<!-- 2 -->")
    look_for_updates(page)
    mark(page)
    accept(page).click(timeout=LOADING)
    wait_for_reload(page)
    assert icon(page) == "<!-- 2 -->"


@pytest.mark.timeout(300)
def test_only_pages_of_the_site_are_asked(visit: Visit, host: StaticSite) -> None:
    page, other = visit.page, visit.context.new_page()
    (host.folder / "mine.html").write_text("<!doctype html><link rel=icon href=data:,><p>mine", "utf-8")
    page.goto("/games/settings")
    wait_until_kept(page)
    other.goto("/games/mine.html")
    other.evaluate(
        "() => { navigator.serviceWorker.onmessage = () => { globalThis.wasAsked = true; };"
        " navigator.serviceWorker.startMessages(); }"
    )
    change(host.folder, "assets/icon.svg", "<!-- 2 -->")
    look_for_updates(page)
    mark(page)
    accept(page).click(timeout=LOADING)
    wait_for_reload(page)
    assert icon(page) == "<!-- 2 -->"
    assert other.evaluate("() => globalThis.wasAsked") is None


@pytest.mark.timeout(300)
def test_an_offer_that_is_put_off_is_used_at_the_next_visit(visit: Visit, host: StaticSite) -> None:
    page = visit.page
    page.goto("/games/settings")
    wait_until_kept(page)
    change(host.folder, "assets/icon.svg", "<!-- 2 -->")
    look_for_updates(page)
    expect(offer(page)).to_be_visible(timeout=LOADING)
    offer(page).get_by_role("button", name="Later").click()
    expect(offer(page)).to_have_count(0)
    page.reload()
    assert icon(page) != "<!-- 2 -->"
    # The browser starts the new version some time after the last window of the old one is closed.
    for _ in range(50):
        page.goto("about:blank")
        page.goto("/games/settings")
        if icon(page) == "<!-- 2 -->":
            break
    assert icon(page) == "<!-- 2 -->"


@pytest.mark.timeout(600)
def test_a_turn_is_not_interrupted_and_the_game_continues(visit: Visit, host: StaticSite) -> None:
    page = visit.page
    page.goto("/games/")
    wait_until_kept(page)
    table = open_table(page)
    assert table.wait_for_turn()
    change(host.folder, "assets/icon.svg", "<!-- 2 -->")
    look_for_updates(page)
    expect(offer(page)).to_contain_text("You can update when your turn is over", timeout=LOADING)
    expect(accept(page)).to_be_disabled()
    mark(page)
    game = Game(table, Pointer(table), eager("update"))
    game.play(1)
    assert page.evaluate("() => globalThis.isOld") is True
    log, address = table.log(), page.url
    # Away from the table nobody is in the middle of a turn.
    page.goto("/games/about")
    expect(accept(page)).to_be_enabled(timeout=LOADING)
    mark(page)
    accept(page).click()
    wait_for_reload(page)
    assert icon(page) == "<!-- 2 -->"
    page.goto(address)
    expect(page.locator("[data-table]")).to_be_visible(timeout=LOADING)
    assert table.wait_for_turn()
    assert table.log()[: len(log)] == log
    game.play(4)
    assert len(table.log()) > len(log)


@pytest.mark.timeout(600)
def test_a_turn_in_another_window_is_not_interrupted(visit: Visit, host: StaticSite) -> None:
    page = visit.page
    page.goto("/games/")
    wait_until_kept(page)
    table = open_table(page)
    assert table.wait_for_turn()
    other = visit.context.new_page()
    other.goto("/games/about")
    change(host.folder, "assets/icon.svg", "<!-- 2 -->")
    look_for_updates(other)
    expect(accept(other)).to_be_enabled(timeout=LOADING)
    mark(page)
    accept(other).click()
    expect(offer(other)).to_contain_text("in the middle of a turn")
    assert page.evaluate("() => globalThis.isOld") is True
    # Both windows go on with the old version.
    assert icon(page) != "<!-- 2 -->"
    Game(table, Pointer(table), eager("other window")).play(1)
    page.goto("/games/about")
    mark(other)
    accept(other).click()
    wait_for_reload(other)
    assert icon(other) == "<!-- 2 -->"
