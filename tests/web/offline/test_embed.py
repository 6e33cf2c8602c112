"""<granada-replay> in a page of another host: a poster, the replay at a move, and sentences for bad records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from build_page import WEB
from tests.web.offline.worker import LOADING
from tests.web.static_site import StaticSite, serving

RECORD = (WEB / "public" / "example.record").read_text("utf-8")


@pytest.fixture
def blog(tmp_path: Path) -> Iterator[StaticSite]:
    """Another host, with records beside its page."""
    folder = tmp_path / "blog"
    folder.mkdir()
    (folder / "game.record").write_text(RECORD, "utf-8")
    (folder / "text.record").write_text("Dear diary", "utf-8")
    (folder / "open.record").write_text(RECORD.partition("\n= score A ")[0] + "\n", "utf-8")
    wrong = re.sub(r"^1 (buy|take) .*$", "1 pass", RECORD, count=1, flags=re.MULTILINE)
    (folder / "wrong.record").write_text(wrong, "utf-8")
    with serving(folder) as started:
        yield started


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB")
    yield context.new_page()
    context.close()


def embed(page: Page, blog: StaticSite, host: StaticSite, attributes: str) -> FrameLocator:
    """Open a page of the blog with the element, and return its frame."""
    script = f'<script src="{host.url}/embed.js"></script>'
    text = f"<!doctype html><title>Blog</title>{script}<granada-replay {attributes}>A game</granada-replay>"
    (blog.folder / "index.html").write_text(text, "utf-8")
    page.goto(blog.url)
    return page.frame_locator("granada-replay iframe")


@pytest.mark.timeout(300)
def test_a_game_is_shown_at_a_move(page: Page, blog: StaticSite, host: StaticSite) -> None:
    frame = embed(page, blog, host, 'src="game.record" move="40" language="de" theme="dark"')
    expect(frame.get_by_role("heading")).to_contain_text("Ana, Ben und Cleo")
    expect(frame.locator(".embed-points")).to_contain_text("148")
    expect(frame.locator("html")).to_have_attribute("lang", "de")
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    element = page.locator("granada-replay iframe")
    expect(element).to_have_attribute("title", re.compile("Ana, Ben und Cleo"))
    poster = element.evaluate("(frame) => frame.offsetHeight")
    # The poster needs no Python.
    assert not [path for path in host.requests if "/python/" in path]
    frame.get_by_role("button", name="Partie nachspielen").click()
    expect(frame.locator("main[data-n]")).to_have_attribute("data-n", "40", timeout=LOADING)
    assert element.evaluate("(frame) => frame.offsetHeight") > poster
    # There are no ways to other screens.
    expect(frame.locator("a[href]:not([download]):not(.skip)")).to_have_count(0)
    frame.locator("main").press("ArrowRight")
    expect(frame.locator("main[data-n]")).to_have_attribute("data-n", "41")
    # Nothing is stored.
    inner = next(one for one in page.frames if one.url.startswith(host.url))
    assert inner.evaluate("async () => [localStorage.length, (await indexedDB.databases()).length]") == [0, 0]
    assert inner.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("missing.record", "wasn’t found"),
        ("text.record", "isn’t the record of a game"),
        ("open.record", "isn’t finished"),
    ],
)
def test_a_record_that_cannot_be_shown_is_explained(
    page: Page, blog: StaticSite, host: StaticSite, name: str, sentence: str
) -> None:
    frame = embed(page, blog, host, f'src="{name}"')
    expect(frame.get_by_role("alert")).to_contain_text(sentence)
    expect(frame.get_by_role("button")).to_have_count(0)


@pytest.mark.timeout(300)
def test_a_record_with_an_illegal_action_is_refused_with_its_line(
    page: Page, blog: StaticSite, host: StaticSite
) -> None:
    frame = embed(page, blog, host, 'src="wrong.record"')
    frame.get_by_role("button", name="Show the replay").click()
    expect(frame.locator(".refusal")).to_contain_text("1 pass", timeout=LOADING)


@pytest.mark.timeout(120)
def test_records_are_accepted_only_from_the_page_around_the_frame(
    page: Page, blog: StaticSite, host: StaticSite
) -> None:
    frame = embed(page, blog, host, 'src="game.record"')
    expect(frame.get_by_role("heading")).to_contain_text("Ana")
    inner = next(one for one in page.frames if one.url.startswith(host.url))
    # A message of the frame to itself is not from the page around it.
    inner.evaluate("() => postMessage({ granada: 'record', text: null }, '*')")
    inner.evaluate("() => new Promise((resolve) => setTimeout(resolve))")
    expect(frame.get_by_role("alert")).to_have_count(0)
    # The element believes only its own frame.
    page.evaluate("() => postMessage({ granada: 'height', height: 7 }, '*')")
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve))")
    assert page.locator("granada-replay iframe").evaluate("(frame) => frame.style.height") != "7px"


@pytest.mark.timeout(300)
def test_the_example_page_of_the_site_works(page: Page, host: StaticSite) -> None:
    assert len((host.folder / "example.html").read_text("utf-8").splitlines()) <= 30
    page.goto(f"{host.url}/example.html")
    frame = page.frame_locator("granada-replay iframe")
    frame.get_by_role("button", name="Show the replay").click()
    expect(frame.locator("main[data-n]")).to_have_attribute("data-n", "40", timeout=LOADING)
