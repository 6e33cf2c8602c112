"""The table in a browser: undo, confirmation, take-over, reconnecting, languages, planning, secrets of the hot seat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from math import floor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from granada.locales import LANGUAGES, translate
from granada.records.replay import Replay
from granada.rules.huts import TakeHut
from tests.kit import rule
from tests.server.running import RunningServer, running
from tests.web import api
from tests.web.driver import Game, Pointer, Table, eager, read
from tests.web.screens import GOLDEN, open_at, ready, visit_first
from tests.web.test_games import BOT, PERSON, open_table
from tests.web.visitors import PHONE, Look, NewPage, Visit, choose, visiting


def begin(page: Page, **options: object) -> Table:
    """Open a table for Ana and two bots on Ana's turn."""
    table = open_table(page, {"edition": "alhambra", **options}, [PERSON, BOT, BOT])
    assert table.wait_for_turn()
    return table


def begin_at(page: Page, record: str, n: int) -> Table:
    """Open a golden game after `n` actions."""
    page.goto(f"/t/{open_at(page, record, n)}")
    ready(page)
    table = Table(page)
    assert table.wait_for_turn()
    return table


def begin_placing(page: Page) -> Table:
    """Open a table with a tile to place."""
    return begin_at(page, "alhambra-3-all-modules", 304)


def test_the_end_of_a_turn_waits_until_it_is_confirmed(page: Page) -> None:
    choose(page, confirm="always")
    table = begin(page)
    n = table.state()["n"]
    Pointer(table).act(read(f"take {table.message()['view']['display'][0]}"))
    expect(table.root).not_to_have_attribute("data-held", "")
    assert table.state()["n"] == n
    page.reload()  # the server stores the pending action
    expect(table.root).not_to_have_attribute("data-held", "")
    expect(page.locator("[data-act=main]")).to_be_focused()
    page.keyboard.press("Enter")
    table.wait_after_confirming()
    assert any(line.startswith("1 take") for line in table.log())


def test_undo_takes_one_step_back_and_restart_the_whole_turn(page: Page) -> None:
    choose(page, confirm="always")
    table = begin_placing(page)
    before = table.state()["n"]
    placing = next(text for text in table.offers() if text.startswith(("place", "reserve")))
    Pointer(table).act(read(placing))
    table.wait_after(before)
    page.locator("[data-act=undo]").click()
    expect(table.root).to_have_attribute("data-held", "")
    expect(table.root).to_have_attribute("data-n", before)
    Pointer(table).act(read(placing))
    table.wait_after(before)
    page.locator("[data-act=restart]").click()
    expect(table.root).to_have_attribute("data-held", "")
    assert int(table.state()["n"]) <= int(before)


@pytest.mark.parametrize("wish", ["never", "countdown"])
def test_turns_end_as_it_was_chosen(new_page: NewPage, wish: str) -> None:
    page = new_page()
    choose(page, confirm=wish)
    table = begin(page)
    n = table.state()["n"]
    Pointer(table).act(read(f"take {table.message()['view']['display'][0]}"))
    if wish == "countdown":
        expect(page.locator(".counting")).to_be_visible()
    expect(table.root).not_to_have_attribute("data-n", n)


def test_the_sentence_says_before_what_happens_after(page: Page) -> None:
    """3.4: "exact: another action" is shown before it is paid."""
    table = begin_at(page, "alhambra-4", 1)
    exact = [one for one in table.message()["own"]["offers"] if one["fit"] == "exact"]
    page.locator(f'[data-yard="{exact[0]["tile"]}"]').click()
    expect(page.locator("[data-sentence]")).to_contain_text(translate("en", "fit.again"))
    expect(page.locator("[data-act=main]")).to_contain_text(translate("en", "fit.again"))


def test_an_illegal_cell_says_why(page: Page) -> None:
    """5: the reason in words, with the number of the rule."""
    table = begin_at(page, "alhambra-4", 0)
    tiles = [tile for space in table.message()["view"]["yard"] for tile in space if tile and tile.count("-") == 2]
    side = tiles[0].rsplit("-", 1)[1][0]
    # The wall would touch the open side of the start tile.
    cell = page.locator(f'[data-cell="{ {"N": "0,1", "E": "-1,0", "S": "0,-1", "W": "1,0"}[side] }"]')
    page.locator(f'[data-yard="{tiles[0]}"]').click()
    cell.hover()
    expect(cell).to_have_attribute("data-state", "illegal")
    expect(page.locator("[data-sentence]")).to_contain_text("rule 5.2")


@pytest.mark.parametrize(
    ("edition", "expected"), [("granada", "moat to moat, open"), ("combined", "moat to moat, open")]
)
def test_an_illegal_cell_speaks_of_moats_in_granada(page: Page, edition: str, expected: str) -> None:
    """5.2, 10.5: Granada tiles have moats, not walls."""
    record = {"granada": "granada-5", "combined": "combined-3"}[edition]
    table = begin_at(page, record, 40)
    for tile in page.locator("[data-yard]").all():
        tile.click()
        name = tile.get_attribute("data-yard")
        asked = {"id": f"ask-{name}", "type": "ask", "how": "place", "tile": name}
        cells = api.post(page, f"/tables/{table.id}/commands", asked)["cells"]
        wrong = [cell["cell"] for cell in cells if cell["code"] == "edge"]
        if wrong:
            page.locator(f'[data-cell="{wrong[0]}"]').hover()
            expect(page.locator("[data-sentence]")).to_contain_text(expected)
            return
        tile.click()
    raise AssertionError("no tile of the yard has an edge that does not fit")


def test_plans_can_be_made_while_others_decide(new_page: NewPage) -> None:
    ana, ben = new_page(), new_page()
    visit_first(ana)
    visit_first(ben)
    seats = [PERSON, {"kind": "open"}]
    table_id: str = api.post(ana, "/tables", {"seats": seats})["table"]["id"]
    api.post(ben, f"/tables/{table_id}/seats/2/take", {"name": "Ben"})
    api.post(ana, f"/tables/{table_id}/start")
    for page in (ana, ben):
        page.goto(f"/t/{table_id}")
        ready(page)
    waiting = ben if Table(ana).message()["view"]["deciding"] == 1 else ana
    assert Table(waiting).state()["yours"] == "false"
    waiting.locator("[data-yard]").first.click()
    expect(waiting.locator('[data-state="legal"], [data-state="ghost"]').first).to_be_visible()
    expect(waiting.locator("[data-act=main]")).to_be_disabled()


def test_the_language_changes_in_the_middle_of_a_game(page: Page) -> None:
    table = begin(page)
    expect(page.locator("[data-sentence]")).to_contain_text("Take money")
    page.locator("[data-yard]").first.click()
    for tag, title in (("de", "Deine Stadt"), ("fr", "Votre ville"), ("nl", "Jouw stad"), ("hu", "A városod")):
        page.locator(".lang select").first.select_option(tag)
        expect(page.locator("html")).to_have_attribute("lang", tag)
        expect(page.locator("#h-city")).to_have_text(title)
    expect(page.locator("[data-yard][aria-pressed=true]")).to_have_count(1)
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "hu")
    expect(table.root).to_have_attribute("data-yours", "true")


def test_hot_seat_hides_the_hand_until_the_next_player_has_the_device(page: Page) -> None:
    """16.1."""
    ben = {"kind": "person", "name": "Ben"}
    open_table(page, {"edition": "alhambra"}, [PERSON, ben])
    expect(page.locator("[data-act=lift]")).to_be_visible()
    expect(page.locator("[data-hand]")).to_have_count(0)
    table = Table(page)
    page.locator("[data-act=lift]").click()
    expect(page.locator("[data-hand]").first).to_be_visible()
    Game(table, Pointer(table), eager("hot")).step()
    for _ in range(6):
        if page.locator("[data-act=lift]").count() > 0:
            break
        Game(table, Pointer(table), eager("hot")).step()
    expect(page.locator("[data-hand]")).to_have_count(0)


def test_the_hot_seat_clock_waits_while_the_device_is_passed(page: Page) -> None:
    ben = {"kind": "person", "name": "Ben"}
    open_table(page, {"edition": "alhambra", "clock": {"mode": "turn", "seconds": 60}}, [PERSON, ben])
    waiting = page.locator(".curtain [data-part=clock]")
    passing = (
        "async () => (await (await fetch('/api' + location.pathname.replace('/t/', '/tables/'))).json()).table.passing"
    )
    table = Table(page)
    for _ in range(2):  # at the start, and for the next player
        expect(waiting).to_have_text("The clock is paused.")
        assert page.evaluate(passing)["left"] is None
        page.locator("[data-act=lift]").click()
        expect(page.locator("[data-hand]").first).to_be_visible()
        page.wait_for_function(f"async () => (await ({passing})()) === null")
        for _ in range(6):
            if page.locator("[data-act=lift]").count() > 0:
                break
            Game(table, Pointer(table), eager("hot")).step()


def test_a_bot_takes_over_and_the_seat_can_be_taken_back(new_page: NewPage) -> None:
    ana, ben = new_page(), new_page()
    visit_first(ana)
    visit_first(ben)
    options = {"edition": "alhambra", "takeover": True, "grace": 5}
    table_id: str = api.post(ana, "/tables", {"seats": [PERSON, {"kind": "open"}], "options": options})["table"]["id"]
    api.post(ben, f"/tables/{table_id}/seats/2/take", {"name": "Ben"})
    api.post(ana, f"/tables/{table_id}/start")
    here, away = (ben, ana) if api.table_message(ana, table_id)["view"]["deciding"] == 1 else (ana, ben)
    away.goto("/about")
    here.goto(f"/t/{table_id}")
    ready(here)
    expect(here.locator('[data-table][data-yours="true"], [data-held]:not([data-held=""])').first).to_be_visible(
        timeout=40_000
    )
    away.goto(f"/t/{table_id}")
    ready(away)
    back = away.locator("[data-act=main]")
    expect(back).to_contain_text("Take back")
    back.click()
    expect(back).not_to_contain_text("Take back")


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[RunningServer]:
    """A server that a test may kill."""
    with running(tmp_path) as server:
        yield server


def test_a_killed_server_costs_nobody_anything(browser: Browser, own_server: RunningServer) -> None:
    with visiting(browser, own_server.url) as visit:
        visit.ignore("WebSocket|Failed to load resource|ERR_CONNECTION|net::")
        page = visit.page
        table = begin(page)
        Game(table, Pointer(table), eager("kill")).step()
        assert table.wait_for_turn()
        before = table.message()
        own_server.kill()
        expect(page.locator("[data-sentence]")).to_contain_text(translate("en", "line.lost"))
        own_server.start()
        expect(table.root).to_have_attribute("data-line", "open")
        after = table.message()
        assert (after["n"], after["view"], after["own"]) == (before["n"], before["view"], before["own"])
        Game(table, Pointer(table), eager("on")).step()


def test_everything_of_the_own_turn_fits_one_screen(new_page: NewPage) -> None:
    """UX 31: the page does not scroll on a phone or a small laptop."""
    for look in (PHONE, Look(1280, 720)):
        page = new_page(look)
        begin(page)
        scrolls = page.evaluate("() => document.scrollingElement.scrollHeight - innerHeight")
        assert scrolls <= 1, f"{look.name}: {scrolls} pixels too high"


def test_the_log_is_there_after_a_reload(page: Page) -> None:
    table = begin(page)
    Game(table, Pointer(table), eager("log")).step()
    assert table.wait_for_turn()
    page.reload()
    ready(page)
    page.keyboard.press("l")
    expect(page.locator(".lines p").first).to_be_visible()
    lines = page.locator(".lines p").count()
    assert lines > 5
    expect(page.locator(".lines")).to_contain_text(re.compile("Ana (takes|buys)"))


def test_a_tile_can_be_dragged_into_the_city(new_page: NewPage) -> None:
    page = new_page()
    table = begin_placing(page)
    action = next(read(text) for text in table.offers() if text.startswith("place"))
    n = table.state()["n"]
    page.locator(f'[data-tray="{action.tile}"]').drag_to(page.locator(f'[data-cell="{action.cell}"]'))
    table.wait_after(n)
    deeds = [table.state().get("held", ""), *table.log()]
    assert any(action.text in deed for deed in deeds)


def test_a_hint_can_be_asked_for_and_followed(page: Page) -> None:
    """UX 26: the best ideas in order, each with its expected result and a reason."""
    table = begin(page)
    page.locator("[data-act=hint]").click()
    page.locator("[data-act=unhint]").focus()
    ideas = page.locator(".hintbox li")
    expect(ideas.first).to_be_visible()
    assert 1 <= ideas.count() <= 3
    expect(page.locator("[data-act=unhint]")).to_be_focused()  # the focus was there when the reply arrived
    hint = api.post(page, f"/tables/{table.id}/hint")
    assert len(hint["ideas"]) == ideas.count()
    for number, idea in enumerate(hint["ideas"]):
        assert idea["win"] is not None
        percent = floor(100 * Decimal(str(idea["win"])) + Decimal("0.5"))  # as browsers round
        expect(ideas.nth(number)).to_contain_text(f"{percent}% chance of winning")
        expect(ideas.nth(number)).to_contain_text(re.compile("at the end"))
        if idea["acts_again"]:
            expect(ideas.nth(number)).to_contain_text(translate("en", "fit.again"))
        if idea["fits"]:
            expect(ideas.nth(number).locator("small")).to_contain_text(
                re.compile(r"then \w+ .*: (exact|\d+ (too much|short))")
            )
    n = table.state()["n"]
    page.locator("[data-act=follow]").first.click()
    table.wait_after(n)
    assert any(hint["ideas"][0]["action"] in deed for deed in (table.state().get("held", ""), *table.log()))


def test_a_hint_tells_what_money_is_taken_for(page: Page) -> None:
    """3.3: the two tiles that it fits best, in words."""
    table = begin(page)
    take = next(text for text in table.offers() if text.startswith("take"))
    fits = [("garden-8-NW", "exact", 0), ("tower-11", "short", 2), ("tower-12", "short", 3)]
    shown = [{"tile": tile, "fit": fit, "by": by, "payment": []} for tile, fit, by in fits]
    idea = {"action": take, "lead": 1.0, "win": 0.5, "acts_again": False, "fits": shown}
    page.route("**/hint", lambda route: route.fulfill(json={"level": "strongest", "ideas": [idea]}))
    page.locator("[data-act=hint]").click()
    expect(page.locator(".hintbox li small")).to_have_text("then Garden 8: exact; Tower 11: 2 short")


@rule("3.4", "4.1")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [360, 1280])
def test_a_hint_shows_the_whole_turn(new_page: NewPage, language: str, width: int) -> None:
    """The purchase, the next action, and the placement of each tile next to a neighbour, without coordinates."""
    page = new_page(Look(width, 720, locale=language))
    begin(page)
    then = ["buy tower-11 with b9 b2", "take g4 y1", "place garden-8-NW at 1,0", "place tower-11 at 2,0"]
    idea = {"action": "buy garden-8-NW with g8", "lead": 1.0, "win": 0.5, "acts_again": True, "then": then}
    page.route("**/hint", lambda route: route.fulfill(json={"level": "strongest", "ideas": [idea]}))
    page.locator("[data-act=hint]").click()
    steps = page.locator(".hintbox li > b, .hintbox .then")
    expect(steps).to_have_count(5)
    texts = [text.strip() for text in steps.all_text_contents()]
    assert all(text.startswith(translate(language, "hint.then")) for text in texts[1:])
    assert not any(re.search(r"-?\d,-?\d", text) for text in texts)
    if language == "en":
        assert texts == [
            "Buy Garden 8 for 8 dirhams",
            "then: Buy Tower 11 for 9 denars + 2 denars",
            "then: Take 4 dirhams + 1 florin",
            "then: Place Garden 8 right of the starting tile",
            "then: Place Tower 11 right of Garden 8",
        ]
        expect(page.locator("[data-spoken]")).to_contain_text("then: Place Tower 11 right of Garden 8")
    box = page.locator(".hintbox").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert page.locator(".hintbox").evaluate("(box) => box.scrollWidth - box.clientWidth") == 0


def test_a_hint_can_be_called_off(page: Page) -> None:
    """Closing it cancels the request, so that the server stops the bot; the focus returns."""
    begin(page)
    # The reply never arrives; the page must cancel the request.
    page.route("**/hint", lambda _: None)
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/hint")):
        page.locator("[data-act=hint]").press("Enter")
        expect(page.locator(".hintbox [role=status]")).to_be_visible()
        page.locator("[data-act=unhint]").press("Enter")
    expect(page.locator(".hintbox")).to_have_count(0)
    expect(page.locator("[data-act=hint]")).to_be_focused()
    page.locator("[data-act=hint]").press("Enter")
    page.locator("[data-act=unhint]").focus()
    page.keyboard.press("Escape")
    expect(page.locator(".hintbox")).to_have_count(0)


def test_a_hint_does_not_come_back_by_itself(page: Page) -> None:
    """After another action, the next turn starts without a hint."""
    choose(page, confirm="never")
    table = begin(page)
    n = table.state()["n"]
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/hint") else None)
    page.keyboard.press("h")
    expect(page.locator(".hintbox li").first).to_be_visible()
    Pointer(table).act(read(f"take {table.message()['view']['display'][0]}"))
    expect(page.locator(".hintbox")).to_have_count(0)
    table.wait_after(n)
    assert table.wait_for_turn()
    expect(page.locator(".hintbox")).to_have_count(0)
    expect(page.locator("[data-act=hint]")).to_have_attribute("aria-expanded", "false")
    assert len(asked) == 1
    # Escape closes it wherever the focus is.
    page.keyboard.press("h")
    expect(page.locator(".hintbox")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".hintbox")).to_have_count(0)


def test_a_hint_that_fails_is_said_aloud(visit: Visit) -> None:
    visit.ignore("503")
    page = visit.page
    begin(page)
    page.route("**/hint", lambda route: route.fulfill(status=503, json={"code": "unavailable", "detail": ""}))
    page.locator("[data-act=hint]").click()
    expect(page.locator(".hintbox").get_by_role("alert")).to_have_text(translate("en", "problem.unavailable"))
    page.locator("[data-act=unhint]").click()
    expect(page.locator("[data-act=hint]")).to_be_focused()


def test_unseen_money_leaves_the_own_hand_out(page: Page) -> None:
    """16.1: the deck and the other hands; cards that the player takes have been seen."""
    table = begin(page)
    cards = 108  # 1.2, with three players
    for _ in range(2):
        message = table.message()
        view, own = message["view"], message["own"]
        shown = [int(text) for text in page.locator("[data-unseen] .digits").all_inner_texts()]
        assert sum(shown) == cards - len(view["display"]) - view["discards"] - len(own["hand"])
        assert shown == [own["unseen"]["money"][letter] for letter in "ygbo"]
        Game(table, Pointer(table), eager("unseen")).step()
        assert table.wait_for_turn()


def test_purists_get_no_aids(page: Page) -> None:
    """UX 16."""
    begin(page, aids="purist")
    expect(page.locator("[data-act=hint]")).to_be_disabled()
    expect(page.locator("[data-act=hint]")).to_have_attribute("title", translate("en", "problem.purist"))
    expect(page.locator(".fit")).to_have_count(0)
    expect(page.locator("#sheet-majority")).to_contain_text(translate("en", "table.purist"))


def test_only_the_last_action_of_a_turn_is_said_to_end_it(page: Page) -> None:
    """14.2: a hut must be placed after taking it; taking it is confirmed because it reveals the next hut."""
    reading = Replay((GOLDEN / "alhambra-3-all-modules.record").read_text("utf-8"))
    while not any(isinstance(offer, TakeHut) for offer in reading.state.offers()):
        assert reading.step()
    choose(page, confirm="always")
    table = begin_at(page, "alhambra-3-all-modules", reading.state.n)
    sentence, main = page.locator("[data-sentence]"), page.locator("[data-act=main]")
    hands = Pointer(table)
    hands.act(read(next(one for one in table.offers() if one.startswith("hut "))))
    expect(sentence).to_contain_text(translate("en", "turn.final"))
    expect(sentence).not_to_contain_text(translate("en", "turn.last"))
    expect(main).to_contain_text("hut")
    hands.confirm()
    expect(table.root).to_have_attribute("data-step", "place")
    hands.act(read(next(one for one in table.offers() if one.startswith("place "))))
    expect(sentence).to_contain_text(translate("en", "turn.last"))
    expect(main).to_have_text(translate("en", "undo.end"))
