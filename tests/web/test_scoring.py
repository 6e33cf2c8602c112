"""A scoring at the table: shown step by step over a frozen table, and shown again later."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from granada.locales import translate
from tests.web.driver import TURN, Table, eager
from tests.web.screens import play, ready, scoring


def rows_of_all_steps(page: Page) -> list[str]:
    """Return the rows of all steps of the scoring: names, tiles, lengths, ranks and points."""
    steps = page.locator(".scoring .stepper button")
    found: list[str] = []
    for i in range(steps.count()):
        steps.nth(i).click()
        rows = page.locator(".scoring .prows")
        expect(rows).to_be_visible()
        found.append(rows.inner_html())
    return found


def show_again(page: Page, letter: str) -> None:
    """Show a scoring again from the menu of the table."""
    page.locator("[data-act=menu]").click()
    page.locator(f'dialog [data-scoring="{letter}"]').click()
    expect(page.locator(".scoring .prows")).to_be_visible()


def header_points(page: Page) -> list[int]:
    return [int(points) for points in page.locator(".seats .pts").all_inner_texts()]


def test_a_scoring_shown_again_after_a_reload_is_the_same(page: Page) -> None:
    """UX 15: with its counts, its tiles and its lengths."""
    scoring(page)
    letter = Table(page).state()["scoring"]
    first = rows_of_all_steps(page)
    assert any("ptile" in rows for rows in first)
    Table(page).close_scoring()
    page.reload()
    ready(page)
    assert Table(page).wait_for_turn()
    show_again(page, letter)
    assert rows_of_all_steps(page) == first


def test_the_table_stands_still_until_a_scoring_was_shown(page: Page) -> None:
    """The result is not shown early: not at the seats, in the log or in announcements; and play is paused."""
    scoring(page)
    table = Table(page)
    state, spoken = table.state(), page.locator("[data-spoken]")
    letter, n = state["scoring"], state["n"]
    end = time.monotonic() + TURN / 1000
    while int(n) == table.message()["n"] and time.monotonic() < end:  # the game continues on the server
        if table.offers():
            play(page, table.id, eager("on"))
    assert table.message()["n"] > int(n)
    rows = table.message()["view"]["rows"]
    seats = range(1, len(table.message()["view"]["players"]) + 1)
    earlier = [[row["points"] for row in rows if row["seat"] == seat and row["scoring"] < letter] for seat in seats]
    with_it = [[row["points"] for row in rows if row["seat"] == seat and row["scoring"] <= letter] for seat in seats]
    assert earlier != with_it
    assert header_points(page) == [sum(points) for points in earlier]
    assert table.state()["n"] == n
    assert f"Scoring {letter}:" not in spoken.inner_text()
    page.keyboard.press("l")
    expect(page.locator(".lines li").first).to_be_visible()
    line = f"Scoring {letter}:"
    expect(page.locator("#sheet-log")).not_to_contain_text(line)
    page.get_by_role("button", name=translate("en", "show.skip")).click()
    expect(page.locator("#sheet-log")).to_contain_text(line)
    assert header_points(page) == [sum(points) for points in with_it]
    assert table.state()["n"] == n
    table.close_scoring()
    assert table.wait_for_turn()
    expect(table.root).to_have_attribute("data-n", str(table.message()["n"]))
    page.keyboard.press("g")  # the keys of the table work again
