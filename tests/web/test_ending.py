"""The ending of a game: who has won, what decided it, the rematch, and what can be shared."""

from __future__ import annotations

import base64
import re
import struct
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from granada.locales import translate
from tests.web import api
from tests.web.screens import finished, last_action, people_at_the_end, play_out, ready, sit_down, visit_first
from tests.web.visitors import PHONE, NewPage, Visit

CLIPBOARD = ["clipboard-read", "clipboard-write"]


def text(key: str, **values: object) -> str:
    return translate("en", key, **values)


def facts_of(page: Page, table: str) -> dict[str, Any]:
    found: dict[str, Any] = api.get(page, f"/tables/{table}/facts")
    return found


def link_to_best_turn(page: Page) -> tuple[dict[str, Any], str]:
    """Copy the link from the end of a game to its best turn; returns that turn and the link."""
    finished("alhambra-3-all-modules")(page)
    best: dict[str, Any] = facts_of(page, page.url.rpartition("/")[2])["seats"][2]["best_turn"]
    expect(page.locator("[data-fact=best_turn]")).to_be_visible()
    page.locator("[data-act=link]").click()
    expect(page.locator("[data-spoken]")).to_contain_text(text("lobby.copied"))
    return best, page.evaluate("() => navigator.clipboard.readText()")


def open_end(page: Page, table: str) -> None:
    page.goto(f"/t/{table}")
    ready(page)
    expect(page.locator("[data-fact]").first).to_be_visible()


# Who has won


def test_winner_and_loser_see_their_own_ending(new_page: NewPage) -> None:
    pages = [new_page(), new_page()]
    table = people_at_the_end(pages, "granada-2")
    facts = facts_of(pages[0], table)
    names = [seat["name"] for seat in api.table_message(pages[0], table)["table"]["seats"]]
    scores = [seat["score"] for seat in facts["seats"]]
    assert scores == [107, 111]
    margin = 4
    for index, page in enumerate(pages):
        open_end(page, table)
        seat, other = facts["seats"][index], 1 - index
        is_won = seat["rank"] == 1
        title = text("ending.you_win", n=margin) if is_won else text("ending.behind", name=names[other], n=margin)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
        expect(page.locator("[data-pennant] use")).to_have_attribute("href", "#pennant" if is_won else "#react-well")
        own = page.locator(".place.mine")
        expect(own).to_have_attribute("data-seat", str(index + 1))
        expect(own.locator(".pt")).to_have_text(str(scores[index]))
        numbers = [int(number) for number in own.locator(".stat b").all_inner_texts()]
        assert numbers == [seat["longest"]["moat"], seat["exact"], seat["tiles"]]
        agree(page, facts, index + 1, names)
    expect(pages[0].locator("[data-fact]").first).to_have_text(  # the loser's nearest chance
        re.compile(rf"One more park\s+{re.escape(text('fact.tile', tile='Park 11', name='Ben'))}")
    )


def agree(page: Page, facts: dict[str, Any], seat: int, names: list[str]) -> None:
    """Compare the facts in the page with those of the API."""
    deciding = facts["deciding"][seat - 1]
    shown = page.locator("[data-fact]")
    expect(shown).to_have_count(len(deciding))
    for i, fact in enumerate(deciding):
        expect(shown.nth(i)).to_have_attribute("data-fact", fact["kind"])
        numbers = [int(number) for number in re.findall(r"\d+", shown.nth(i).inner_text())]
        if fact["kind"] == "source":
            lead = fact["own_points"] - fact["rival_points"]
            assert numbers == [fact["own_points"], lead if lead > 0 else fact["rival_points"]]
            expect(shown.nth(i)).to_contain_text(names[fact["rival"] - 1])
        elif fact["kind"] == "payment":
            others = [count for place, count in enumerate(fact["counts"], start=1) if place != seat]
            assert numbers == [fact["counts"][seat - 1], *others]
        elif fact["kind"] == "length":
            assert numbers == [fact["more"], fact["length"] + fact["more"], fact["length"]]
        elif fact["kind"] == "tile":
            expect(shown.nth(i)).to_contain_text(text(f"one_more.{fact['item']}"))
            assert numbers == [int(fact["tile"].split("-")[1])]
        else:
            best = fact["best_turn"]
            prices = [int(tile.split("-")[1]) for tile in best["tiles"]]
            assert numbers == [best["turn"], *prices, best["gain"]]
            href = shown.nth(i).get_by_role("link").get_attribute("href") or ""
            assert href.endswith(f"/replay?n={best['end']}")


def test_everybody_is_ranked_side_by_side(page: Page) -> None:
    for record, players in (("alhambra-2", 2), ("alhambra-3-all-modules", 3), ("alhambra-6-ages", 6)):
        finished(record)(page)
        table = page.url.rpartition("/")[2]
        seats = sorted(facts_of(page, table)["seats"], key=lambda seat: (seat["rank"], seat["seat"]))
        places = page.locator("[data-place]")
        expect(places).to_have_count(players)
        assert places.evaluate_all("(all) => all.map((one) => Number(one.dataset.seat))") == [
            seat["seat"] for seat in seats
        ]
        expect(places.locator(".pt")).to_have_text([str(seat["score"]) for seat in seats])
        expect(page.get_by_role("heading", level=1)).to_have_text(
            text("ending.wins", name=f"Player {seats[0]['seat']}", n=seats[0]["score"] - seats[1]["score"])
        )
        if players == 2:
            expect(page.locator(".sub")).to_contain_text("Dirk 145")
        bar = places.first.locator(".src")
        assert (bar.get_attribute("aria-label") or "").count(",") == len(seats[0]["points"]) - 1
        expect(page.locator(".mine")).to_have_count(0)
        page.locator("[data-act=sheet]").click()
        expect(page.get_by_role("heading", name=text("sheet.title"))).to_be_in_viewport()


def test_facts_that_do_not_come_can_be_asked_for_again(visit: Visit) -> None:
    visit.ignore("503")
    page = visit.page
    page.route("**/facts", lambda route: route.fulfill(status=503, json={"code": "unavailable", "detail": ""}))
    finished("alhambra-2")(page)
    panel = page.locator(".facts")
    expect(panel.get_by_role("alert")).to_have_text(text("problem.unavailable"))
    expect(page.locator("[data-place]")).to_have_count(2)
    page.unroute("**/facts")
    panel.get_by_role("button", name=text("ending.retry")).click()
    expect(page.locator("[data-fact]")).to_have_count(3)


# The ceremony

RUNNING = "() => document.getAnimations().filter((one) => one.effect.target.closest('.ending')).length"


def test_the_last_scoring_leads_to_the_ceremony_which_any_input_ends(new_page: NewPage) -> None:
    pages = [new_page(moves=True), new_page()]
    page = pages[0]
    page.clock.install()
    last = last_action(pages, "granada-2")
    page.goto(f"/t/{last.table}")
    expect(page.locator("[data-table]")).to_be_visible()
    last.play()
    expect(page.get_by_role("heading", level=1)).to_have_text(text("over.counting"))
    expect(page.locator("[data-place]")).to_have_count(0)  # the result is not shown early
    page.get_by_role("button", name=text("show.skip")).click()
    expect(page.locator("[data-place]")).to_have_count(2)
    expect(page.locator("[data-spoken]")).to_contain_text(text("ending.behind", name="Ben", n=4))
    assert page.evaluate(RUNNING) > 0
    page.keyboard.press("Shift")
    assert page.evaluate(RUNNING) == 0
    assert page.locator("[data-place]").first.evaluate("(one) => getComputedStyle(one).opacity") == "1"
    page.reload()  # seen once is enough
    expect(page.locator("[data-place]")).to_have_count(2)
    assert page.evaluate(RUNNING) == 0


def test_nothing_moves_for_readers_who_prefer_that(new_page: NewPage) -> None:
    pages = [new_page(), new_page()]
    last = last_action(pages, "granada-2")
    pages[0].goto(f"/t/{last.table}")
    expect(pages[0].locator("[data-table]")).to_be_visible()
    last.play()
    expect(pages[0].locator("[data-place]")).to_have_count(2)
    assert pages[0].evaluate(RUNNING) == 0


# The rematch


def test_a_rematch_starts_when_both_have_clicked(new_page: NewPage) -> None:
    pages = [new_page(), new_page()]
    ana, ben = pages
    table = people_at_the_end(pages, "granada-2")
    open_end(ana, table)
    open_end(ben, table)
    ben.locator("[data-act=rematch]").click()
    expect(ben.locator(".lobby-start")).to_contain_text(text("ending.starts"))
    expect(ana.locator(".rem")).to_contain_text(text("ending.wants", n=1, names="Ben"))
    expect(ana.locator("[data-act=rematch]")).to_have_text(text("ending.accept"))
    ana.locator("[data-act=rematch]").click()
    for page in pages:
        expect(page.locator("[data-table]")).to_have_attribute("data-phase", "playing")
    assert ana.url == ben.url
    assert ana.url.rpartition("/")[2] != table
    open_end(ana, table)
    expect(ana.get_by_role("link", name=text("ending.go"))).to_be_visible()


def test_a_whole_game_is_rated_and_its_deal_can_be_played_again(new_page: NewPage) -> None:
    pages = [new_page(), new_page()]
    ana, ben = pages
    visit_first(ana)
    seats = [{"kind": "person", "name": "Ana"}, {"kind": "open"}]
    table = api.post(ana, "/tables", {"seats": seats})["table"]["id"]
    sit_down(pages, table)
    play_out(pages, table)
    open_end(ana, table)
    expect(ana.locator(".marks")).to_contain_text(re.compile(r"Rating \d+, [+−-]\d+|Rating \d+, 0"))
    expect(ana.locator(".sub")).to_contain_text("1 minute")
    ana.locator("[data-act=same]").click()
    expect(ana.locator(".lobby-start")).to_contain_text(text("ending.starts"))
    open_end(ben, table)
    expect(ben.locator(".rem")).to_contain_text(text("ending.wants_same", n=1, names="Ana"))


def test_spectators_can_watch_the_rematch(new_page: NewPage) -> None:
    pages = [new_page(), new_page()]
    table = people_at_the_end(pages, "granada-2")
    watcher = new_page()
    open_end(watcher, table)
    expect(watcher.get_by_role("link", name=text("over.new"))).to_be_visible()
    for page in pages:
        api.post(page, f"/tables/{table}/rematch")
    watcher.get_by_role("link", name=text("ending.watch")).click()
    expect(watcher.locator("[data-table]")).to_have_attribute("data-phase", "playing")


# What can be shared

#: The colours of some places of a picture, and how many different colours it has.
LOOK = """async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const at = (x, y) => [...context.getImageData(x, y, 1, 1).data];
  const { data } = context.getImageData(560, 60, 580, 480);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  const { data: left } = context.getImageData(40, 160, 420, 120);
  let brass = 0;
  for (let i = 0; i < left.length; i += 4) brass += left[i] === 0x7a && left[i + 1] === 0x54 && left[i + 2] === 0x10;
  return { panel: at(10, 10), edge: at(501, 300), bar: at(50, 600), colours: colours.size, brass };
}"""


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_picture_is_a_png_with_the_city(new_page: NewPage, colours: str, tmp_path: Path) -> None:
    page = new_page(colours=colours)
    finished("alhambra-3-all-modules")(page)
    expect(page.locator(".share-card[src]")).to_be_visible()
    with page.expect_download() as saved:
        page.locator("[data-act=picture]").click()
    assert saved.value.suggested_filename == "granada.png"
    saved.value.save_as(tmp_path / "card.png")
    content = (tmp_path / "card.png").read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", content[16:24]) == (1200, 630)
    found = page.evaluate(LOOK, "data:image/png;base64," + base64.b64encode(content).decode())
    assert found["panel"] == [0xFA, 0xF5, 0xEA, 255]
    assert found["edge"] == [0xD2, 0xA2, 0x4A, 255]
    assert found["bar"] == [0x1B, 0x3F, 0x73, 255]
    assert found["colours"] > 500  # tiles, not an empty panel
    assert found["brass"] > 3000  # the points, large
    expect(page.locator("[data-spoken]")).to_contain_text(text("share.saved"))


def test_the_picture_goes_to_the_dialog_of_a_phone(new_page: NewPage) -> None:
    page = new_page(PHONE)
    page.add_init_script(
        """globalThis.shared = [];
        navigator.canShare = () => true;
        navigator.share = async ({ files, title }) => void shared.push([title, files[0].type, files[0].size > 10_000]);
        const match = globalThis.matchMedia;
        globalThis.matchMedia = (query) => (query === "(pointer: coarse)" ? { matches: true } : match(query));"""
    )
    finished("alhambra-3-all-modules")(page)
    expect(page.locator(".share-card[src]")).to_be_visible()
    page.locator("[data-act=picture]").click()
    page.wait_for_function("() => globalThis.shared.length > 0")
    assert page.evaluate("() => shared") == [["Player 3 wins by 1", "image/png", True]]


def test_a_link_to_a_position_opens_there(visit: Visit, new_page: NewPage) -> None:
    visit.context.grant_permissions(CLIPBOARD)
    page = visit.page
    best, link = link_to_best_turn(page)
    assert link == f"{page.url}/replay?n={best['end']}"
    page.get_by_role("link", name=text("ending.show_turn", n=best["turn"])).click()
    expect(page.locator("[data-n]").first).to_have_attribute("data-n", str(best["end"]))
    expect(page.locator(".rp-when")).to_contain_text(text("replay.turn", n=best["turn"]))
    page.get_by_role("slider", name=text("replay.title")).fill("61")
    expect(page.locator("[data-n]").first).to_have_attribute("data-n", "61")
    page.locator("[data-act=copy-link]").click()
    expect(page.locator("[data-spoken]")).to_contain_text(text("lobby.copied"))
    other = new_page()
    other.goto(page.evaluate("() => navigator.clipboard.readText()"))
    expect(other.locator("[data-n]").first).to_have_attribute("data-n", "61")


def test_a_link_to_a_table_without_spectators_contains_the_record(visit: Visit, new_page: NewPage) -> None:
    visit.context.grant_permissions(CLIPBOARD)
    page = visit.page
    visit_first(page)
    people = [{"kind": "person", "name": "Ana"}, {"kind": "person", "name": "Ben"}]
    options = {"edition": "granada", "spectators": False}
    table = api.post(page, "/tables", {"seats": people, "options": options})["table"]["id"]
    api.post(page, f"/tables/{table}/start")
    play_out([page, page], table)
    page.goto(f"/t/{table}/replay?n=7")
    expect(page.locator("[data-n]").first).to_have_attribute("data-n", "7")
    page.locator("[data-act=copy-link]").click()
    expect(page.locator("[data-spoken]")).to_contain_text(text("lobby.copied"))
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert "/record?n=7#r=" in link
    other = new_page()
    other.goto(link)
    other.get_by_role("button", name=text("record.open_over")).click()
    expect(other).to_have_url(re.compile(r"/replay\?n=7$"))
    expect(other.locator("[data-n]").first).to_have_attribute("data-n", "7")
