"""The log of the table: grouped by turn, with a folded summary, and never over other cities."""

from __future__ import annotations

from itertools import pairwise

from playwright.sync_api import Page, expect

from granada.records.replay import Replay
from tests.web.driver import Game, Pointer, Table, eager
from tests.web.screens import GOLDEN, NAMES, ready
from tests.web.test_table import begin, begin_at
from tests.web.visitors import TABLET, Look, NewPage


def turns(page: Page) -> list[list[str]]:
    """Return the players who acted in each turn of the log, the newest first."""
    found: list[list[str]] = page.locator(".lines li").evaluate_all(
        """(turns) => turns.map((turn) =>
          [...turn.querySelectorAll(".deed")].map((deed) => deed.innerText.split(" ")[0]))"""
    )
    return found


def test_the_log_tells_one_turn_after_the_other(page: Page) -> None:
    """All consequences of an action belong to its turn, also of the last action, and also after a reload."""
    table = begin(page)
    Game(table, Pointer(table), eager("turns")).play(10)  # no turn has more than nine
    assert table.wait_for_turn()
    page.keyboard.press("l")
    expect(page.locator(".lines li").first).to_be_visible()
    shown = [names for names in turns(page) if names]
    assert len(shown) >= 4
    assert all(len(set(names)) == 1 for names in shown)
    assert all(one[0] != other[0] for one, other in pairwise(shown))
    text = page.locator(".lines").inner_text()
    page.reload()
    ready(page)
    page.keyboard.press("l")
    expect(page.locator(".lines li").first).to_be_visible()
    assert page.locator(".lines").inner_text() == text


def test_the_folded_log_tells_what_a_player_did(page: Page) -> None:
    """The folded log does not show what was revealed afterwards."""
    reading = Replay((GOLDEN / "alhambra-4.record").read_text("utf-8"))
    while reading.state.n < 5 or not reading.record.lines[-1].startswith("! "):
        assert reading.step()
    table = begin_at(page, "alhambra-4", reading.state.n)
    deed = next(line for line in reversed(table.log()) if line[0].isdigit())
    expect(page.locator(".fold .ll")).to_contain_text(f"{NAMES[int(deed[0]) - 1]} ")


def test_the_open_log_leaves_the_cities_in_sight_and_the_command_line_folded(new_page: NewPage) -> None:
    for look in (Look(1280, 720), TABLET):
        page = new_page(look)
        begin(page)
        cities = page.locator(".mini")
        before = [cities.nth(i).bounding_box() for i in range(cities.count())]
        page.locator("[data-act=log]").click()
        expect(page.locator(".lines li").first).to_be_visible()
        assert [cities.nth(i).bounding_box() for i in range(cities.count())] == before
        for i in range(cities.count()):
            cities.nth(i).click(trial=True)  # it is not covered
        line = page.locator("[data-command]")
        expect(line).to_be_hidden()
        page.keyboard.press("/")
        expect(line).to_be_focused()
        assert (line.bounding_box() or {"y": 0})["y"] > (page.locator(".lines").bounding_box() or {"y": 0})["y"]


def test_the_command_line_opens_by_its_key(page: Page) -> None:
    table = Table(begin(page).page)
    page.keyboard.press("/")
    expect(page.locator("[data-command]")).to_be_focused()
    page.keyboard.type(table.offers()[0])
    page.keyboard.press("Enter")
    table.wait_after(table.state()["n"])
