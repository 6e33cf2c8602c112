"""8.3: leftover Alhambra tiles, which their owner places in any order; they do not end a turn."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from granada.locales import translate
from granada.records.replay import Replay
from granada.rules.placing import PLACING_AWARD
from tests.web.driver import Pointer, Table, read
from tests.web.screens import GOLDEN, open_at, ready
from tests.web.visitors import choose

RECORD = "alhambra-4"


def begin_with_two(page: Page) -> Table:
    """Open a table where the player has two leftover tiles."""
    reading = Replay((GOLDEN / f"{RECORD}.record").read_text("utf-8"))
    while not (reading.state.step is PLACING_AWARD and len(reading.state.tray) == 2):
        assert reading.step()
    page.goto(f"/t/{open_at(page, RECORD, reading.state.n)}")
    ready(page)
    return Table(page)


def test_the_reader_chooses_which_leftover_tile_comes_first(page: Page) -> None:
    table = begin_with_two(page)
    sentence = page.locator("[data-sentence]")
    expect(sentence).to_contain_text(translate("en", "step.award", n=2))
    first, second = [tile.get_attribute("data-tray") or "" for tile in page.locator("[data-tray]").all()]
    Pointer(table).act(read(next(one for one in table.offers() if one.startswith(f"place {second} "))))
    expect(page.locator("[data-tray]")).to_have_count(1)
    expect(page.locator("[data-tray]")).to_have_attribute("data-tray", first)
    expect(sentence).to_contain_text(translate("en", "step.award", n=1))


def test_no_turn_ends_with_a_leftover_tile(page: Page) -> None:
    choose(page, confirm="always")
    table = begin_with_two(page)
    hands = Pointer(table)
    for _ in range(2):
        n = table.state()["n"]
        hands.act(read(next(one for one in table.offers() if one.startswith("reserve "))))
        table.wait_after(n)
    expect(table.root).to_have_attribute("data-held", re.compile("^reserve "))
    expect(page.locator("[data-sentence]")).to_contain_text(translate("en", "step.award", n=1))
    expect(page.locator("[data-sentence]")).not_to_contain_text(translate("en", "turn.last"))
    expect(page.locator("[data-act=main]")).to_have_text(translate("en", "turn.continue"))
    hands.confirm()
    expect(page.locator("[data-table][data-phase=playing]")).to_have_count(0)
