"""Games that are kept in the browser, and games that come in a link."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from granada.locales import translate
from tests.web.screens import GOLDEN, finished, fragment, kept, ready, sent


def text(key: str, **values: object) -> str:
    return translate("en", key, **values)


def test_a_kept_game_can_be_replayed_without_its_table_and_removed(page: Page) -> None:
    kept(page)
    # Only the record is in the browser: opening it makes a new table.
    page.locator(".kept-games .resume-a").click()
    expect(page.locator(".replay [data-n]").first).to_be_visible()
    page.goto("/")
    ready(page)
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.locator(".kept-games .btn.icon").click()
    expect(page.locator(".kept-games li")).to_have_count(1)
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator(".kept-games .btn.icon").click()
    expect(page.locator(".kept-games")).to_have_count(0)
    page.reload()
    ready(page)
    expect(page.locator(".kept-games")).to_have_count(0)


def test_a_game_that_is_kept_is_known_at_its_table(page: Page) -> None:
    finished("alhambra-3-all-modules")(page)
    keep = page.locator("[data-act=keep]")
    expect(keep).to_have_text(text("kept.keep"))
    keep.click()
    expect(keep).to_have_text(text("kept.kept"))
    page.reload()
    expect(keep).to_be_disabled()


def test_a_game_is_kept_where_the_browser_promises_nothing(page: Page) -> None:
    """Without HTTPS a page has no `navigator.storage`."""
    page.add_init_script("delete Navigator.prototype.storage")
    finished("alhambra-3-all-modules")(page)
    keep = page.locator("[data-act=keep]")
    keep.click()
    expect(keep).to_have_text(text("kept.kept"))
    expect(page.get_by_text(text("kept.failed"))).to_have_count(0)


def test_a_finished_game_in_a_link_is_shown_and_opened(page: Page) -> None:
    sent(page)
    expect(page.get_by_role("button", name=text("record.open_over"))).to_be_visible()
    page.get_by_role("button", name=text("record.open_over")).click()
    expect(page.locator(".replay [data-n]").first).to_be_visible()


def test_a_running_game_in_a_link_continues_at_a_table(page: Page) -> None:
    lines = (GOLDEN / "alhambra-4.record").read_text("utf-8").splitlines(keepends=True)
    score = next(i for i, line in enumerate(lines) if line.startswith("= score"))
    last = max(i for i in range(score) if lines[i][0].isdigit() and lines[i][2:6] == "take")
    page.goto(f"/record{fragment(''.join(lines[:last]))}")
    page.get_by_role("button", name=text("record.open_running")).click()
    expect(page.locator(".lobby, [data-table]").first).to_be_visible()


def test_a_damaged_link_is_explained(page: Page) -> None:
    whole = fragment((GOLDEN / "alhambra-4.record").read_text("utf-8"))
    page.goto(f"/record{whole[:-50]}")
    expect(page.locator(".record-bad")).to_contain_text(text("record.damaged"))
    page.goto("/")
    page.goto("/record#p=bm90aGluZw")
    expect(page.locator(".record-bad")).to_contain_text(text("record.damaged"))
