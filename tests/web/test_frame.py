"""Behaviour of all screens: navigation, languages, light and dark, and error messages."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from granada.locales import LANGUAGES, translate
from tests.server.running import RunningServer
from tests.web.screens import PAGES, Screen, ready
from tests.web.visitors import NewPage, Visit

LOCALES = {"en": "en-GB", "de": "de-AT", "fr": "fr-FR", "nl": "nl-BE", "hu": "hu-HU"}


def lang(page: Page) -> str:
    found: str = page.evaluate("() => document.documentElement.lang")
    return found


# Languages


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_of_the_browser_is_spoken(new_page: NewPage, language: str) -> None:
    page = new_page(locale=LOCALES[language])
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(translate(language, "home.motto"))
    assert lang(page) == language


def test_a_browser_of_another_language_gets_english(new_page: NewPage) -> None:
    page = new_page(locale="pt-BR")
    page.goto("/")
    ready(page)
    assert lang(page) == "en"


def test_another_language_is_spoken_at_once_and_remembered(page: Page) -> None:
    page.goto("/settings")
    for language in ("hu", "de"):
        page.get_by_role("combobox").first.select_option(language)
        expect(page.get_by_role("heading", level=1)).to_have_text(translate(language, "settings.title"))
        assert lang(page) == language
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(translate("de", "settings.title"))


def test_a_link_can_name_the_language(page: Page) -> None:
    page.goto("/about?lang=nl")
    ready(page)
    assert lang(page) == "nl"


@pytest.mark.parametrize(("number", "screen"), list(enumerate(PAGES)), ids=[screen.name for screen in PAGES])
def test_no_screen_shows_a_key_instead_of_words(new_page: NewPage, screen: Screen, number: int) -> None:
    """Each screen in another language; tests/test_locales.py checks that all languages have the same keys."""
    language = list(LANGUAGES)[number % len(LANGUAGES)]
    page = new_page(locale=LOCALES[language])
    screen.go(page)
    text = page.locator("body").inner_text()
    assert re.findall(r"\b(?:home|app|settings|learn|rules|pad|record|about)\.[a-z_]+\b", text) == []
    assert re.findall(r"\{\w+\}|undefined|\bNaN\b|\[object", text) == []


# Light and dark


def test_light_and_dark_follow_the_browser_until_somebody_chooses(new_page: NewPage) -> None:
    page = new_page(colours="dark")
    page.goto("/settings")
    ready(page)
    ground = "() => getComputedStyle(document.documentElement).getPropertyValue('--ground').trim()"
    dark = page.evaluate(ground)
    page.emulate_media(color_scheme="light")
    assert page.evaluate(ground) != dark
    page.reload()
    page.get_by_role("button", name=translate("en", "app.dark"), exact=True).click()
    assert page.evaluate(ground) == dark
    page.reload()
    ready(page)
    assert page.evaluate(ground) == dark


# Navigation


def test_the_screens_have_titles_of_their_own(page: Page) -> None:
    titles = []
    for screen in PAGES:
        screen.go(page)
        titles.append(page.title())
        assert page.get_by_role("heading", level=1).count() == 1, screen.name
        assert page.get_by_role("main").count() == 1, screen.name
    assert len(set(titles)) == len(PAGES)


def test_links_change_the_screen_without_loading_the_page_anew(page: Page) -> None:
    page.goto("/")
    ready(page)
    page.evaluate("() => (window.isSame = true)")
    page.locator('a[href="/rules"], a[href="/learn"]').first.click()
    expect(page).to_have_url(re.compile(r"/(rules|learn)$"))
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text(translate("en", "home.motto"))
    page.go_forward()
    expect(page).to_have_url(re.compile(r"/(rules|learn)$"))
    assert page.evaluate("() => window.isSame") is True


def test_the_first_tab_leads_past_the_frame(page: Page) -> None:
    page.goto("/about")
    ready(page)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name=translate("en", "app.skip"))
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.querySelector('main').contains(document.activeElement)")


@pytest.mark.parametrize("screen", PAGES, ids=[screen.name for screen in PAGES])
def test_everything_is_reached_by_tab_and_shows_it(page: Page, screen: Screen) -> None:
    screen.go(page)
    wanted = page.evaluate(
        """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")].filter((e) =>
          e.checkVisibility({ visibilityProperty: true }) && !e.disabled && e.tabIndex >= 0
          && !(e.type === "radio" && !e.checked)).length"""
    )
    seen = set()
    for _ in range(min(wanted, 60) + 2):
        page.keyboard.press("Tab")
        found = page.evaluate(
            """() => {
              const e = document.activeElement;
              if (!e || e === document.body) return null;
              window.numbers ??= new Map();
              if (!window.numbers.has(e)) window.numbers.set(e, window.numbers.size);
              const looks = (one) => {
                const style = getComputedStyle(one);
                return style.outlineStyle !== "none" || style.boxShadow !== "none";
              };
              const label = e.labels?.[0] ?? e.closest("label");
              const isMarked = looks(e) || (label && (looks(label) || [...label.querySelectorAll("*")].some(looks)));
              return [window.numbers.get(e), isMarked, e.outerHTML.slice(0, 120)];
            }"""
        )
        if found is not None:
            assert found[1], f"no visible focus on {found[2]}"
            seen.add(found[0])
    assert len(seen) >= min(wanted, 60)


# Errors


def test_at_an_address_where_nothing_is_the_page_says_so(page: Page) -> None:
    response = page.goto("/nothing/here")
    assert response is not None
    assert response.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text(translate("en", "app.lost"))
    page.get_by_role("link", name=translate("en", "app.home"), exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(translate("en", "home.motto"))


def test_a_table_that_is_gone_is_told_of(visit: Visit) -> None:
    visit.ignore("404")
    visit.page.goto("/t/0123456789abcdef")
    expect(visit.page.get_by_role("heading", level=1)).to_have_text(translate("en", "lost.not_found"))


def test_when_the_server_does_not_answer_one_can_try_again(new_visit: Callable[..., Visit]) -> None:
    visit = new_visit()
    visit.ignore("Failed to load resource")
    visit.page.route("**/api/components", lambda route: route.abort())
    visit.page.goto("/")
    again = visit.page.get_by_role("button", name=translate("en", "app.retry"))
    expect(again).to_be_visible()
    visit.page.unroute("**/api/components")
    again.click()
    expect(visit.page.get_by_role("heading", level=1)).to_have_text(translate("en", "home.motto"))


def test_without_scripts_the_page_says_what_it_needs(browser: Browser, server: RunningServer) -> None:
    context = browser.new_context(base_url=server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    assert "JavaScript" in page.locator("body").inner_text()
    context.close()


def test_a_browser_that_may_not_remember_works_too(new_visit: Callable[..., Visit]) -> None:
    visit = new_visit()
    visit.context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
    visit.page.goto("/settings")
    visit.page.get_by_role("combobox").first.select_option("fr")
    expect(visit.page.get_by_role("heading", level=1)).to_have_text(translate("fr", "settings.title"))
