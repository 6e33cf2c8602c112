"""After the game: replay, continuing, rematch and analysis; also the score pad and the lessons."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from granada.locales import translate
from granada.rules.scoring import ALHAMBRA_POINTS
from tests.web.driver import Game, Pointer, Table, eager
from tests.web.screens import answer_analysis, finished, ready, visit_first
from tests.web.visitors import PHONE, Look, NewPage, Visit


def text(key: str, **values: object) -> str:
    return translate("en", key, **values)


def test_a_game_can_be_gone_through(page: Page) -> None:
    finished("alhambra-3-all-modules", "/replay")(page)
    place = page.locator("[data-n]").first
    expect(place).to_have_attribute("data-n", "0")
    page.get_by_role("button", name=text("replay.forward")).click()
    expect(place).to_have_attribute("data-n", "1")
    page.get_by_role("button", name=text("show.title", scoring="B")).click()
    expect(place).not_to_have_attribute("data-n", "1")
    at_b = int(place.get_attribute("data-n") or "0")
    page.get_by_role("button", name=text("replay.end")).click()
    expect(place).not_to_have_attribute("data-n", str(at_b))
    assert int(place.get_attribute("data-n") or "0") > at_b > 1
    page.get_by_role("slider", name=text("replay.title")).fill("5")
    expect(place).to_have_attribute("data-n", "5")


def test_a_position_can_be_played_on(page: Page) -> None:
    finished("alhambra-3-all-modules", "/replay")(page)
    page.get_by_role("slider", name=text("replay.title")).fill("40")
    expect(page.locator("[data-n]").first).to_have_attribute("data-n", "40")
    before = page.url
    page.get_by_role("button", name=text("replay.fork")).click()
    page.get_by_role("dialog").locator("button[type=submit]").click()
    expect(page).not_to_have_url(before)
    expect(page.locator("[data-table]")).to_have_attribute("data-phase", "playing")
    table = Table(page)
    assert int(table.state()["n"]) >= 40
    Game(table, Pointer(table), eager("fork")).play(2)


def test_a_scoring_goes_on_by_itself_until_it_is_stopped(new_page: NewPage) -> None:
    page = new_page(moves=True)
    page.clock.install()
    finished("alhambra-3-all-modules")(page)
    title = page.locator(".scoring .ptitle p")
    page.clock.run_for(60_000)
    expect(title).to_have_text(text("show.result"))
    page.get_by_role("button", name=text("show.again"), exact=True).click()
    page.get_by_role("button", name=text("show.pause")).click()
    stopped = title.inner_text()
    assert stopped.startswith("Step ")
    page.clock.run_for(60_000)
    expect(title).to_have_text(stopped)
    page.get_by_role("button", name=text("show.play"), exact=True).click()
    page.clock.run_for(60_000)
    expect(title).to_have_text(text("show.result"))


def test_a_replay_goes_on_by_itself(new_page: NewPage) -> None:
    page = new_page(moves=True)
    finished("alhambra-3-all-modules", "/replay")(page)
    page.locator(".speed input").fill("3")
    page.get_by_role("button", name=text("replay.play"), exact=True).click()
    expect(page.locator("[data-n]").first).to_have_attribute("data-n", re.compile("[3-9]|.."))


# The analysis


def test_an_analysis_leads_to_the_turns_that_cost_most(page: Page) -> None:
    finished("alhambra-3-all-modules")(page)
    found = answer_analysis(page)
    page.get_by_role("button", name=text("analysis.title"), exact=True).click()
    panel = page.locator("[data-analysis]")
    expect(panel.get_by_role("progressbar")).to_have_attribute("value", "0.25")
    expect(panel).to_have_attribute("data-analysis", "done")
    chart = panel.get_by_role("img")
    expect(chart).to_have_accessible_name(re.compile(r"Chance of winning over time\. .*: Start \d+%, A \d+%, B \d+%"))
    expect(panel.locator(".curve path.ln")).to_have_count(3)
    panel.get_by_role("button", name=text("chart.as_table")).click()
    expect(panel.get_by_role("table").get_by_role("row")).to_have_count(4)
    turns = panel.locator(".costly li")
    expect(turns).to_have_count(15)
    first = next(one for one in found["decisions"] if one["n"] == found["costly"][0][0])
    expect(turns.first).to_contain_text(f"Turn {first['turn']}")
    expect(turns.first).to_contain_text("Better: Buy Garden 8 for 5 florins + 3 florins")
    expect(turns.first).to_contain_text(re.compile("48%.→.61%"))
    turns.first.get_by_role("link").click()
    expect(page).to_have_url(re.compile(rf"/replay\?n={first['n']}$"))
    expect(page.locator("[data-n]").first).to_have_attribute("data-n", str(first["n"]))
    expect(page.locator(".rp-when")).to_contain_text(text("replay.turn", n=first["turn"]))
    page.keyboard.press("ArrowRight")  # from here on, the actions played
    expect(page.locator(".rp-when")).to_contain_text(text("replay.turn", n=first["turn"]))


def test_an_analysis_can_be_called_off_and_says_what_went_wrong(visit: Visit) -> None:
    visit.ignore("503")
    page = visit.page
    finished("alhambra-2")(page)
    waiting = {"status": "waiting", "progress": 0, "level": "strongest", "chances": [], "decisions": [], "costly": []}
    page.route("**/analysis", lambda route: route.fulfill(json=waiting))
    panel = page.locator("[data-analysis]")
    page.locator("[data-act=analyse]").click()
    expect(panel.get_by_role("status")).to_have_text(text("analysis.waiting"))
    panel.get_by_role("button", name=text("analysis.stop")).click()
    expect(panel).to_have_attribute("data-analysis", "none")
    expect(panel).to_be_focused()
    page.unroute("**/analysis")
    page.route("**/analysis", lambda route: route.fulfill(status=503, json={"code": "unavailable", "detail": ""}))
    page.locator("[data-act=analyse]").click()
    expect(panel.get_by_role("alert")).to_have_text(text("problem.unavailable"))


@pytest.mark.timeout(300)
def test_a_bot_looks_at_a_whole_game(page: Page) -> None:
    finished("alhambra-2")(page)
    page.locator("[data-act=analyse]").click()
    panel = page.locator("[data-analysis]")
    expect(panel).to_have_attribute("data-analysis", "done", timeout=200_000)
    expect(panel.locator(".curve path.ln")).to_have_count(2)


# The score pad


def open_pad(page: Page) -> Page:
    """Open the pad with its defaults: Alhambra without modules."""
    page.goto("/pad")
    ready(page)
    start = page.locator("form.pad-setup button[type=submit]")
    if start.count() > 0:
        start.click()
    return page


def test_the_score_pad_counts(new_page: NewPage) -> None:
    """7.3: most pavilions score 1 in A and 8 in B, the second 1."""
    page = open_pad(new_page())
    for seat, count in ((1, 3), (2, 1)):
        field = page.locator(f'input[data-seat="{seat}"][data-field="counts.pavilion"]')
        field.fill(str(count))
        field.press("Tab")
    first = ALHAMBRA_POINTS[0][0]
    expect(page.locator(".pad-content")).to_contain_text(f"+{first}")
    page.reload()
    expect(page.locator('input[data-seat="1"][data-field="counts.pavilion"]')).to_have_value("3")


def test_the_score_pad_says_what_cannot_be(new_page: NewPage) -> None:
    """1.3: there are seven pavilions."""
    page = open_pad(new_page())
    field = page.locator('input[data-seat="1"][data-field="counts.pavilion"]')
    field.fill("9")
    field.press("Tab")
    expect(field).to_have_attribute("aria-invalid", "true")


# The lessons

#: The number of the step that a lesson is at; undefined at its end.
PLACE = "() => document.querySelector('.coach-bar')?.value"


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("lesson", "look"),
    [(1, Look()), (2, PHONE), (3, Look()), (4, PHONE), (5, Look()), (6, PHONE), (6, Look())],
    ids=["1", "2-phone", "3", "4-phone", "5", "6-phone", "6"],
)
def test_every_lesson_leads_to_its_end(new_page: NewPage, lesson: int, look: Look) -> None:
    page = new_page(look)
    visit_first(page)
    page.goto(f"/learn/{lesson}")
    coach = page.locator("[data-coach]")
    hit = page.touchscreen.tap if look.touch else page.mouse.click
    for _ in range(90):
        expect(coach).to_be_visible()
        step = coach.get_attribute("data-coach")
        if step == "end":
            break
        onward = page.locator("[data-coach-act=next]")
        page.locator("[data-coach-act=next], .ring").first.wait_for()
        if onward.count() > 0:
            place = page.evaluate(PLACE)
            onward.tap() if look.touch else onward.click()
            page.wait_for_function(f"(place) => ({PLACE})() !== place", arg=place)
            # The rings follow their elements from frame to frame.
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        else:
            if step == "5_take" and page.locator("[data-display][aria-pressed=true]").count() == 0:
                card = page.locator("[data-display]").first
                card.tap() if look.touch else card.click()
            else:
                # Click where the coach points.
                middle = page.evaluate(
                    """() => {
                      const ring = document.querySelector(".ring")?.getBoundingClientRect();
                      return ring ? [ring.x + ring.width / 2, ring.y + ring.height / 2] : null;
                    }"""
                )
                if middle is not None:  # it disappears if a reply arrives meanwhile
                    hit(*middle)
            page.wait_for_timeout(350)  # the rings follow their elements
    expect(coach).to_have_attribute("data-coach", "end")
