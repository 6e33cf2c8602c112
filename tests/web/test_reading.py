"""Information at the table is shown completely: majorities, other cities, reserve and bonus cards."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from granada.locales import LANGUAGES, translate
from tests.web.screens import TABLES, Screen, ready
from tests.web.visitors import LAPTOP, PHONE, Look, NewPage

SCREENS = {screen.name: screen for screen in TABLES}
WHOLE = [SCREENS[name] for name in ("table-alhambra", "table-granada", "table-combined", "table-dirk")]


def cut(page: Page, selector: str) -> list[str]:
    """Return elements whose content overflows."""
    found: list[str] = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility())
          .filter((e) => e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)
          .map((e) => `${e.className}: ${[e.scrollWidth, e.clientWidth, e.scrollHeight, e.clientHeight].join(" ")}`)""",
        selector,
    )
    return found


def speak(page: Page, language: str) -> None:
    page.locator(".lang select").first.select_option(language)
    expect(page.locator("html")).to_have_attribute("lang", language)


@pytest.mark.parametrize("height", [720, 800])
@pytest.mark.parametrize("screen", WHOLE, ids=[screen.name for screen in WHOLE])
def test_the_majorities_are_seen_as_a_whole(new_page: NewPage, screen: Screen, height: int) -> None:
    """UX 10: every type, the sum and the names, without scrolling."""
    page = new_page(Look(1280, height))
    screen.go(page)
    for language in LANGUAGES:
        speak(page, language)
        assert cut(page, ".maj-scroll, .maj .majhead, .maj .pn, .mm, .fg, .dirk-tiles") == [], language
        expect(page.locator(".maj tfoot")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("name", ["table-begin", "table-six"])
def test_the_sums_of_many_players_are_seen_as_a_whole(new_page: NewPage, name: str) -> None:
    page = new_page(LAPTOP)
    SCREENS[name].go(page)
    for language in LANGUAGES:
        speak(page, language)
        assert cut(page, ".maj-scroll, .maj tfoot th, .maj tfoot td") == [], language


@pytest.mark.parametrize("look", [PHONE, Look(360, 740, touch=True)], ids=lambda look: look.name)
def test_how_money_fits_is_seen_as_a_whole(new_page: NewPage, look: Look) -> None:
    """UX 2: in the combined game two tiles share a space."""
    page = new_page(look)
    SCREENS["table-combined"].go(page)
    for language in LANGUAGES:
        page.goto(f"{page.url.partition('?')[0]}?lang={language}")
        ready(page)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert cut(page, ".fit") == [], language


def test_who_is_away_keeps_the_name_and_the_letter(new_page: NewPage) -> None:
    """UX 19: the note about the absence is next to the caption, not over it."""
    page = new_page(LAPTOP)
    SCREENS["table-away"].go(page)
    for look in (LAPTOP, PHONE):
        page.set_viewport_size({"width": look.width, "height": look.height})
        token, badge = (page.locator(f".seat.away {part}").bounding_box() for part in (".tok", ".absence"))
        assert token is not None
        assert badge is not None
        # The letter is centred.
        assert badge["x"] + badge["width"] < token["x"] + token["width"] / 2
        assert badge["y"] + badge["height"] < token["y"] + token["height"] / 2
        if look is LAPTOP:
            assert cut(page, ".mini .mh b") == []


@pytest.mark.parametrize("look", [LAPTOP, PHONE, Look(360, 740, touch=True)], ids=lambda look: look.name)
def test_every_tile_of_the_reserve_is_seen(new_page: NewPage, look: Look) -> None:
    page = new_page(look)
    SCREENS["table-dirk"].go(page)
    tiles = page.locator("[data-reserve]")
    assert tiles.count() >= 4
    box = page.locator(".reserve").bounding_box()
    assert box is not None
    for tile in tiles.all():
        expect(tile).to_be_in_viewport(ratio=1)
        place = tile.bounding_box()
        assert place is not None
        assert place["x"] >= box["x"] - 1
        assert place["x"] + place["width"] <= box["x"] + box["width"] + 1


def test_bonus_cards_say_what_they_are(new_page: NewPage) -> None:
    page = new_page(LAPTOP)
    SCREENS["table-alhambra"].go(page)
    cards = page.locator("[data-bonus]")
    assert cards.count() > 0
    for language in LANGUAGES:
        speak(page, language)
        expect(page.locator(".bonusgroup .ribbon")).to_have_text(translate(language, "hand.bonus_short"))
        expect(page.locator(".bonusgroup .ribbon")).to_be_in_viewport(ratio=1)
        for card in cards.all():
            expect(card.locator("i")).not_to_be_empty()
