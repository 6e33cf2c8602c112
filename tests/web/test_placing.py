"""Placing tiles in a browser: what is said, what stays where it is, and how a placement is confirmed or moved."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.driver import Action, Pointer, Table, read
from tests.web.screens import analysed
from tests.web.test_frame import LOCALES
from tests.web.test_table import begin_at, begin_placing
from tests.web.visitors import NewPage

#: A cell as the notation writes it.
COORDINATES = re.compile(r"(?<![\d.])-?\d+,-?\d+")


def spoken(page: Page) -> str:
    """Everything on the screen for people: texts, names for listeners, and announcements."""
    labels: list[str] = page.evaluate("() => [...document.querySelectorAll('[aria-label]')].map((e) => e.ariaLabel)")
    return "\n".join([page.locator("body").inner_text(), page.locator("[data-spoken]").inner_text(), *labels])


def placements(table: Table) -> list[Action]:
    return [read(text) for text in table.offers() if text.startswith("place") and " as " not in text]


# What is said


@pytest.mark.parametrize("language", LOCALES)
def test_a_place_is_named_by_its_neighbour(new_page: NewPage, language: str) -> None:
    """In the sentence, on the button and in the log; nobody has to read coordinates."""
    page = new_page(locale=LOCALES[language])
    table = begin_placing(page)
    for action in placements(table):
        page.locator(f'[data-cell="{action.cell}"]').hover()
        expect(page.locator("[data-act=main]")).to_be_enabled()
        assert not COORDINATES.findall(spoken(page)), action
    n = table.state()["n"]
    Pointer(table).act(action)
    table.wait_after(n)
    expect(page.locator("[data-sentence] .say")).not_to_be_empty()
    assert not COORDINATES.findall(spoken(page))
    page.keyboard.press("l")
    expect(page.locator(".lines p").nth(30)).to_be_visible()
    # The command line takes the notation.
    said = spoken(page).replace(page.locator(".cmdline label").inner_text(), "")
    assert not COORDINATES.findall(said)


def test_the_neighbour_is_the_right_one(page: Page) -> None:
    """From the first tile on: it can only stand beside the starting tile."""
    table = begin_at(page, "alhambra-4", 60)
    lines = [line for line in table.log() if re.match(r"\d place", line)]
    first = {line[0]: read(line[2:]) for line in reversed(lines)}
    beside = {"0,-1": "above", "0,1": "below", "1,0": "right of", "-1,0": "left of"}
    page.keyboard.press("l")
    expect(page.locator(".lines p").nth(30)).to_be_visible()
    shown = page.locator(".lines").inner_text()
    names = ("Ana", "Ben", "Carla", "Dario")
    assert len(first) == len(names)
    for number, action in first.items():
        name, price, *_ = action.tile.split("-")
        said = f"{names[int(number) - 1]} places {name.title()} {price} {beside[action.cell]} the starting tile."
        assert said in shown


def test_an_analysis_names_the_neighbour(page: Page) -> None:
    analysed(page)
    said = page.locator("[data-analysis]").inner_text()
    assert not COORDINATES.findall(said)
    assert re.search(r"Played: (Place|Build) \w.*(left of|right of|above|below) ", said)


def test_listeners_hear_where_a_cell_lies(page: Page) -> None:
    begin_at(page, "alhambra-4", 0)
    for cell, where in (("1,0", "1 right"), ("-1,-1", "1 left, 1 up"), ("0,1", "1 down")):
        expect(page.locator(f'[data-cell="{cell}"]')).to_have_attribute("aria-label", f"Free; {where}")
    expect(page.locator('[data-cell="0,0"]')).to_have_attribute("aria-label", "Starting tile")
