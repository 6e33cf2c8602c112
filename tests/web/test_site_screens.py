"""The screens that only the static site has: for everybody, in every size and language; and handing a game over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from granada.locales import FALLBACK, LANGUAGES, translate
from tests.server.running import RunningServer
from tests.web import axe
from tests.web.screens import SITE_SCREENS, Screen, ready
from tests.web.static_site import StaticSite
from tests.web.test_screens import LARGE, faults_in
from tests.web.visitors import LAPTOP, PHONE, SIZES, Look, Visit


@pytest.fixture
def site_visit(browser: Browser, games_site: StaticSite) -> Iterator[Visit]:
    """A visit of the site below /games/; addresses are relative to it."""
    context = browser.new_context(base_url=f"{games_site.url}/", **Look().settings())
    visit = Visit(context, games_site.origin)
    # Screens with a failed download, and deep links, which a static host answers with 404.html.
    visit.ignore("Failed to load resource")
    yield visit
    visit.check()
    context.close()


@pytest.fixture
def site_page(site_visit: Visit) -> Page:
    """The page of the visit."""
    return site_visit.page


@pytest.mark.parametrize("screen", SITE_SCREENS, ids=lambda one: one.name)
def test_everybody_can_use_it_and_it_fits(site_page: Page, screen: Screen) -> None:
    screen.go(site_page)
    found = faults_in(site_page, (*SIZES, LARGE))
    axe.check(site_page)
    site_page.emulate_media(color_scheme="dark")
    axe.check(site_page, only_colours=True)
    assert not found, f"{screen.name}:\n" + "\n".join(found)


@pytest.mark.parametrize("name", ["site-home", "site-settings"])
def test_it_fits_in_every_language(site_page: Page, name: str) -> None:
    screen = next(one for one in SITE_SCREENS if one.name == name)
    screen.go(site_page)
    found = []
    for language in [one for one in LANGUAGES if one != FALLBACK]:
        site_page.evaluate("(tag) => localStorage.setItem('granada.language', JSON.stringify(tag))", language)
        screen.go(site_page)
        assert site_page.evaluate("() => document.documentElement.lang") == language
        found += [f"{language} {fault}" for fault in faults_in(site_page, (PHONE, LAPTOP, LARGE))]
    assert not found, "\n".join(found)


def test_a_game_of_the_device_continues_at_a_server(site_visit: Visit, server: RunningServer) -> None:
    site_visit.ignore("request to another host")
    site_page = site_visit.page
    site_page.goto("./")
    ready(site_page)
    site_page.locator(".hero button[type=submit]").click()
    expect(site_page.locator("[data-table]")).to_be_visible()
    assert "/games/t/" in site_page.url
    site_page.locator("[data-act=menu]").click()
    site_page.locator("[data-act=handover]").click()
    form = site_page.locator("dialog[open] .server-form")
    form.locator("input").fill("nonsense")
    form.locator("button").click()
    expect(form.locator(".form-wrong")).to_have_text(translate("en", "device.address_bad"))
    form.locator("input").fill(server.url)
    form.locator("button").click()
    site_page.get_by_role("button", name=translate("en", "record.open_running")).click()
    expect(site_page.locator(".lobby")).to_be_visible()
    assert site_page.url.startswith(f"{server.url}/t/")


def test_all_games_can_be_moved_to_another_browser(site_page: Page, browser: Browser, games_site: StaticSite) -> None:
    site_page.goto("./")
    ready(site_page)
    site_page.locator(".hero button[type=submit]").click()
    expect(site_page.locator("[data-table]")).to_be_visible()
    table = site_page.url.rpartition("/t/")[2]
    site_page.goto("./settings")
    with site_page.expect_download() as saving:
        site_page.get_by_role("button", name=translate("en", "storage.export")).click()
    file = saving.value.path()
    other = browser.new_context(base_url=f"{games_site.url}/", **Look().settings()).new_page()
    other.goto("./settings")
    # A damaged file changes nothing.
    whole = file.read_bytes()
    chooser = other.locator(".storage input[type=file]")
    chooser.set_input_files({"name": "cut.json", "mimeType": "application/json", "buffer": whole[:-9]})
    expect(other.locator(".storage .form-wrong")).to_have_text(translate("en", "storage.bad_file"))
    chooser.set_input_files({"name": "games.json", "mimeType": "application/json", "buffer": whole})
    expect(other.locator(".storage-said")).to_contain_text(translate("en", "storage.imported", n=1))
    # The seat goes along: soon it is the turn of the reader.
    other.goto(f"./t/{table}")
    expect(other.locator("[data-table]")).to_have_attribute("data-yours", "true")
    other.context.close()
