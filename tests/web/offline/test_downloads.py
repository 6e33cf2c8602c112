"""Scripts of the page that do not arrive: what the reader sees, and the way out."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from granada.locales import LANGUAGES, translate
from tests.web import api
from tests.web.offline.worker import LOADING
from tests.web.screens import ready
from tests.web.static_site import StaticSite
from tests.web.visitors import Visit

#: What the console says about a script that did not arrive.
NOT_ARRIVED = r"status of 503|ERR_|Failed to fetch|dynamically imported|Unable to preload|import"
#: The service worker would fetch the files itself.
NO_WORKER = "delete Navigator.prototype.serviceWorker"
DOWNLOAD, RETRY = translate("en", "problem.device_download"), translate("en", "app.retry")


@pytest.fixture
def broken(visit: Visit) -> Visit:
    """A visit in which scripts may fail."""
    visit.ignore(NOT_ARRIVED)
    visit.context.add_init_script(NO_WORKER)
    return visit


def starts(page: Page, host: StaticSite) -> None:
    """The page starts after a reload with the link."""
    host.failing = host.cut = None
    page.get_by_role("link", name="Reload", exact=True).click()
    ready(page)
    expect(page.locator(".unloaded")).to_have_count(0)


@pytest.mark.parametrize("fault", ["failing", "cut"])
def test_a_page_whose_script_does_not_arrive_says_so_after_a_while(broken: Visit, host: StaticSite, fault: str) -> None:
    setattr(host, fault, re.compile(r"base-.*\.js"))
    page = broken.page
    page.goto("/games/")
    sentence = page.locator(".unloaded")
    expect(sentence).to_be_hidden()
    # Instead of waiting
    page.evaluate("() => document.getAnimations().forEach((one) => one.finish())")
    expect(sentence).to_be_visible()
    for language in LANGUAGES:
        expect(sentence.locator(f"[lang={language}]")).to_contain_text("JavaScript")
    starts(page, host)


def test_a_language_that_does_not_arrive_is_reported_at_once(broken: Visit, host: StaticSite) -> None:
    host.failing = re.compile(r"/en-")
    page = broken.page
    page.goto("/games/")
    expect(page.locator("#app.failed > .unloaded")).to_be_visible()
    starts(page, host)


@pytest.mark.parametrize("path", ["", "new"])
def test_without_the_script_of_the_tables_the_page_says_why_nobody_can_play(
    broken: Visit, host: StaticSite, path: str
) -> None:
    host.failing = re.compile(r"/start-")
    page = broken.page
    page.goto(f"/games/{path}")
    failure = page.locator("[data-failed=download]")
    expect(failure).to_contain_text(DOWNLOAD)
    host.failing = None
    failure.get_by_role("button", name=RETRY).click()
    page.wait_for_function("() => globalThis.granada?.isReady()", timeout=LOADING)
    expect(failure).to_have_count(0)


def test_a_screen_that_does_not_arrive_can_be_loaded_again(broken: Visit, host: StaticSite) -> None:
    page = broken.page
    page.goto("/games/")
    ready(page)
    host.failing = re.compile(r"/Rules-")
    page.locator('a[href="/games/rules"]').first.click()
    expect(page.locator("main")).to_contain_text(DOWNLOAD)
    host.failing = None
    page.get_by_role("button", name=RETRY).click()
    ready(page)
    expect(page.get_by_role("button", name=RETRY)).to_have_count(0)
    expect(page).to_have_url(f"{host.url}/rules")


@pytest.mark.timeout(300)
def test_a_part_of_a_table_that_does_not_arrive_can_be_loaded_again(broken: Visit, host: StaticSite) -> None:
    page = broken.page
    page.goto("/games/about")
    seats = [{"kind": "person", "name": "Ana"}, {"kind": "bot", "level": "novice"}]
    table: str = api.post(page, "/tables", {"seats": seats, "options": {"edition": "alhambra"}})["table"]["id"]
    host.failing = re.compile(r"/Lobby-")
    page.goto(f"/games/t/{table}")
    expect(page.locator("main")).to_contain_text(DOWNLOAD, timeout=LOADING)
    host.failing = None
    page.get_by_role("button", name=RETRY).click()
    expect(page.get_by_role("button", name=translate("en", "lobby.start"))).to_be_visible(timeout=LOADING)
