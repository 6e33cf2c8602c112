"""Few clicks: cards taken by one click, and confirmations only where they are worth it, by mouse and by touch."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Locator, Page, expect

from granada.locales import translate
from tests.kit import rule
from tests.web import api
from tests.web.driver import Table
from tests.web.test_table import begin_at, begin_placing
from tests.web.visitors import PHONE, Look, NewPage, choose

#: Ana may buy Garden 10 with y8 y2 exactly, or with y8 y4; the display is b6 o1 g9 b2.
RICH = ("alhambra-4", 2)
GARDEN = "garden-10-N"
LOOKS = pytest.mark.parametrize("look", [Look(), PHONE], ids=["mouse", "touch"])


class Hand:
    """Clicks, or taps with a finger."""

    #: Seconds between two single taps, and between those of a double tap; browsers go by the times of the events.
    SLOW, QUICK = 1.0, 0.05

    def __init__(self, page: Page, look: Look) -> None:
        self.page = page
        self._session = page.context.new_cdp_session(page) if look.touch else None
        self._now = time.time()

    def hit(self, place: Locator | str, times: int = 1) -> None:
        """Click or tap, once or twice in quick succession."""
        found = self.page.locator(place).first if isinstance(place, str) else place
        if self._session is None:
            found.click(click_count=times)
            return
        found.tap(trial=True)  # waits until it can be tapped
        box = found.bounding_box()
        assert box is not None
        points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
        self._now += self.SLOW
        for _ in range(times):
            for kind, touched in (("touchStart", points), ("touchEnd", [])):
                event = {"type": kind, "touchPoints": touched, "timestamp": self._now}
                self._session.send("Input.dispatchTouchEvent", event)
            self._now += self.QUICK


def card(page: Page, name: str) -> Locator:
    return page.locator(f'[data-display="{name}"]')


def played(table: Table) -> list[str]:
    """Return the actions of the reader since the table was opened."""
    seat = table.message()["own"]["seat"]
    opening = table.message()["table"]["opening"]
    lines = api.get(table.page, f"/tables/{table.id}/log")["lines"]
    return [one["line"][2:] for one in lines if one["n"] > opening and one["line"].startswith(f"{seat} ")]


# One click takes a card


@rule("3.2")
@LOOKS
def test_one_click_takes_a_card_that_nothing_can_be_added_to(new_page: NewPage, look: Look) -> None:
    page = new_page(look)
    table = begin_at(page, *RICH)
    n = table.state()["n"]
    Hand(page, look).hit(card(page, "g9"))
    expect(table.root).not_to_have_attribute("data-n", n)
    assert "take g9" in played(table)


@rule("3.2")
@LOOKS
def test_a_card_that_others_could_be_taken_with_is_only_picked(new_page: NewPage, look: Look) -> None:
    page = new_page(look)
    table = begin_at(page, *RICH)
    n, hand = table.state()["n"], Hand(page, look)
    hand.hit(card(page, "b2"))
    expect(card(page, "b2")).to_have_attribute("aria-pressed", "true")
    hand.hit(card(page, "o1"))
    assert table.state()["n"] == n
    hand.hit("[data-act=main]")
    expect(table.root).not_to_have_attribute("data-n", n)
    assert "take b2 o1" in played(table)


@LOOKS
def test_a_click_on_a_card_does_not_end_a_purchase_that_is_being_put_together(new_page: NewPage, look: Look) -> None:
    page = new_page(look)
    table = begin_at(page, *RICH)
    n, hand = table.state()["n"], Hand(page, look)
    for picked in ('[data-hand="y8"]', f'[data-yard="{GARDEN}"]'):
        hand.hit(picked)
        expect(page.locator("[data-hand][aria-pressed=true]").first).to_be_visible()
        hand.hit(card(page, "g9"))
        expect(card(page, "g9")).to_have_attribute("aria-pressed", "true")
        hand.hit(card(page, "g9"))  # put back
        expect(card(page, "g9")).to_have_attribute("aria-pressed", "false")
    assert table.state()["n"] == n


def test_by_keys_a_card_is_picked_and_then_taken(page: Page) -> None:
    table = begin_at(page, *RICH)
    n = table.state()["n"]
    page.keyboard.press("d")
    expect(card(page, "g9")).to_have_attribute("aria-pressed", "true")
    assert table.state()["n"] == n
    page.keyboard.press("Enter")
    expect(table.root).not_to_have_attribute("data-n", n)


def test_who_always_confirms_takes_a_card_with_one_click_and_the_button(page: Page) -> None:
    choose(page, confirm="always")
    table = begin_at(page, *RICH)
    n = table.state()["n"]
    card(page, "g9").click()
    expect(table.root).to_have_attribute("data-held", "take g9")
    page.locator("[data-act=main]").click()
    expect(table.root).not_to_have_attribute("data-n", n)


# Whole turns


@rule("3.3", "3.4")
@LOOKS
def test_a_whole_turn_without_a_confirmation(new_page: NewPage, look: Look) -> None:
    """An exact purchase, money, and the tile in the city: nothing is asked, and the next player is on turn."""
    page = new_page(look)
    table = begin_at(page, *RICH)
    n, hand = int(table.state()["n"]), Hand(page, look)
    hand.hit(f'[data-yard="{GARDEN}"]')
    hand.hit("[data-act=main]")
    expect(table.root).to_have_attribute("data-n", str(n + 1))
    hand.hit(card(page, "g9"))
    expect(table.root).to_have_attribute("data-step", "place")
    cell = next(text for text in table.offers() if text.startswith("place")).split(" at ")[1]
    hand.hit(f'[data-cell="{cell}"]')
    if look.touch:
        hand.hit(f'[data-cell="{cell}"]')
    page.wait_for_function("(n) => Number(document.querySelector('[data-table]').dataset.n) > n", arg=n + 2)
    assert played(table) == [f"buy {GARDEN} with y8 y2", "take g9", f"place {GARDEN} at {cell}"]


@rule("3.3", "3.4")
@LOOKS
def test_an_overpaid_purchase_is_asked_about(new_page: NewPage, look: Look) -> None:
    """The reason is shown; Undo only ends the question, and a second press buys."""
    page = new_page(look)
    table = begin_at(page, *RICH)
    n, hand = table.state()["n"], Hand(page, look)
    main, sentence = page.locator("[data-act=main]"), page.locator("[data-sentence]")
    why = translate("en", "doubt.exact", sum="8 + 2")
    hand.hit('[data-hand="y8"]')
    hand.hit('[data-hand="y4"]')
    hand.hit(f'[data-yard="{GARDEN}"]')
    hand.hit(main)
    expect(sentence).to_contain_text(why)
    expect(main).to_contain_text(translate("en", "doubt.anyway"))
    expect(main).to_be_focused()
    hand.hit("[data-act=undo]")
    expect(sentence).not_to_contain_text(why)
    assert table.state()["n"] == n
    hand.hit(main)
    expect(sentence).to_contain_text(why)
    hand.hit(main)
    expect(table.root).not_to_have_attribute("data-n", n)
    assert played(table)[-1] == f"buy {GARDEN} with y8 y4"


@LOOKS
def test_a_double_click_on_the_button_does_not_confirm_what_is_asked(new_page: NewPage, look: Look) -> None:
    page = new_page(look)
    table = begin_at(page, *RICH)
    n, hand = table.state()["n"], Hand(page, look)
    for picked in ('[data-hand="y8"]', '[data-hand="y4"]', f'[data-yard="{GARDEN}"]'):
        hand.hit(picked)
    hand.hit("[data-act=main]", times=2)
    expect(table.root).to_have_attribute("data-asking", "true")
    assert table.state()["n"] == n


@rule("4.1")
@LOOKS
def test_a_tile_for_the_reserve_is_asked_about_if_it_could_be_built(new_page: NewPage, look: Look) -> None:
    """The server holds it, also after a reload; moved into the city there is no reason to ask any more."""
    page = new_page(look)
    table = begin_placing(page)
    placing = next(text for text in table.offers() if text.startswith("place") and " as " not in text)
    hand, sentence = Hand(page, look), page.locator("[data-sentence]")
    why = translate("en", "doubt.reserved")
    hand.hit("[data-act=reserve]")
    expect(table.root).to_have_attribute("data-held", "reserve " + placing.split(" ")[1])
    expect(sentence).to_contain_text(why)
    page.reload()
    expect(sentence).to_contain_text(why)
    hand.hit(f'[data-cell="{placing.split(" at ")[1]}"]')
    expect(table.root).to_have_attribute("data-held", placing)
    expect(sentence).not_to_contain_text(why)
    page.keyboard.press("Enter")
    table.wait_after_confirming()
    assert placing in played(table)


@rule("3.2")
def test_fewer_cards_than_allowed_are_asked_about(page: Page) -> None:
    table = begin_at(page, *RICH)
    card(page, "b2").click()
    page.locator("[data-act=main]").click()
    expect(table.root).to_have_attribute("data-held", "take b2")
    expect(page.locator("[data-sentence]")).to_contain_text(translate("en", "doubt.fewer", sum="2 + 1"))
    page.locator("[data-act=undo]").click()
    expect(table.root).to_have_attribute("data-held", "")


# Double clicks


@rule("3.2")
@LOOKS
def test_a_double_click_takes_a_card_with_those_that_are_picked(new_page: NewPage, look: Look) -> None:
    page = new_page(look)
    table = begin_at(page, *RICH)
    n, hand = table.state()["n"], Hand(page, look)
    hand.hit(card(page, "b2"))
    hand.hit(card(page, "o1"), times=2)
    expect(table.root).not_to_have_attribute("data-n", n)
    assert "take b2 o1" in played(table)


@rule("3.3", "3.4")
@LOOKS
def test_a_double_click_buys_a_tile_that_is_paid_exactly(new_page: NewPage, look: Look) -> None:
    page = new_page(look)
    table = begin_at(page, *RICH)
    n, hand = table.state()["n"], Hand(page, look)
    hand.hit(f'[data-yard="{GARDEN}"]', times=2)
    expect(table.root).not_to_have_attribute("data-n", n)
    assert played(table)[-1] == f"buy {GARDEN} with y8 y2"


@rule("3.3")
@LOOKS
def test_a_double_click_never_overpays(new_page: NewPage, look: Look) -> None:
    page = new_page(look)
    table = begin_at(page, "alhambra-4", 0)
    offers = table.message()["own"]["offers"]
    tile = next(offer["tile"] for offer in offers if offer["fit"] == "over")
    n = table.state()["n"]
    Hand(page, look).hit(f'[data-yard="{tile}"]', times=2)
    expect(page.locator(f'[data-yard="{tile}"]')).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-act=main]")).to_be_enabled()
    assert table.state()["n"] == n


def test_a_double_click_takes_one_card_even_if_the_table_moves_on(page: Page) -> None:
    """The second click falls on the card that has come into the place: it may be picked, but not taken."""
    table = begin_at(page, *RICH)
    card(page, "g9").dblclick()
    page.wait_for_function("() => Number(document.querySelector('[data-table]').dataset.n) > 2")
    assert table.wait_for_turn()
    assert [action for action in played(table) if action.startswith("take")] == ["take g9"]


def test_a_double_tap_does_not_zoom(new_page: NewPage) -> None:
    page = new_page(PHONE)
    begin_at(page, *RICH)
    pieces = "[data-hand], [data-display], [data-yard], .actions button"
    actions = page.locator(pieces).evaluate_all(
        """(pieces) => pieces.map((piece) => {
          const found = [];
          for (let at = piece; at; at = at.parentElement) found.push(getComputedStyle(at).touchAction);
          return found.some((one) => one === "none" || one === "manipulation");
        })"""
    )
    assert actions
    assert all(actions)
