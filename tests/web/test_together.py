"""Playing together: reactions, notifications, and correspondence games, each between two browsers."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from granada.locales import translate
from tests.web import api
from tests.web.screens import lobby, people_at_the_end, ready, store, visit_first, wait_for_turn
from tests.web.test_games import PERSON
from tests.web.visitors import PHONE, NewPage, Visit

#: Counts what the page would show, because a headless browser shows nothing.
STUB = """
window.shown = []; window.asked = 0;
class Stub { constructor(title, options) { window.shown.push([title, options.body]); } close() {}
  static permission = localStorage.getItem("test.permission") ?? "default";
  static async requestPermission() { window.asked += 1; localStorage.setItem("test.permission", "granted");
    return (Stub.permission = "granted"); } }
window.Notification = Stub;
"""
#: Notes the numbers on the icon of the app; 0 if it is cleared.
BADGE = """
window.badges = [];
navigator.setAppBadge = async (count) => { window.badges.push(count); };
navigator.clearAppBadge = async () => { window.badges.push(0); };
"""
SHOW = "() => Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })"
HIDE = "() => Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })"


def text(key: str, **values: object) -> str:
    return translate("en", key, **values)


def two_people(ana: Page, ben: Page, **options: object) -> tuple[str, Page, Page]:
    """Open a table for two and show it to both; returns its id, who decides, and who waits."""
    for page in (ana, ben):
        visit_first(page)
    table: str = api.post(ana, "/tables", {"seats": [PERSON, {"kind": "open"}], "options": options})["table"]["id"]
    api.post(ben, f"/tables/{table}/seats/2/take", {"name": "Ben"})
    api.post(ana, f"/tables/{table}/start")
    for page in (ana, ben):
        page.goto(f"/t/{table}")
        ready(page)
    return (table, ana, ben) if api.table_message(ana, table)["view"]["deciding"] == 1 else (table, ben, ana)


def play_turn(page: Page, table: str) -> None:
    """Play a whole turn of this browser over the API."""
    while (message := api.table_message(page, table))["own"]["actions"]:
        command = {"type": "act", "id": f"t{message['n']}", "n": message["n"], "action": message["own"]["actions"][0]}
        api.post(page, f"/tables/{table}/commands", command)


def test_two_browsers_react_and_mute(new_page: NewPage) -> None:
    _, deciding, waiting = two_people(new_page(), new_page())
    waiting.set_viewport_size({"width": PHONE.width, "height": PHONE.height})
    deciding.locator("[data-act=react]").click()
    expect(deciding.locator(".reacttray [data-reaction]")).to_have_count(6)
    deciding.locator("[data-reaction=wall]").click()
    bubble = waiting.locator(".bubble")
    expect(bubble).to_contain_text("What a wall!")
    # On a phone over the seats, never over the sentence.
    box, sentence = bubble.bounding_box(), waiting.locator("[data-sentence]").bounding_box()
    assert box is not None
    assert sentence is not None
    assert box["y"] + box["height"] <= sentence["y"]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE.width
    expect(deciding.locator(".bubble")).to_have_count(1)
    deciding.locator("[data-act=react]").click()
    expect(deciding.locator("[data-reaction=ouch]")).to_be_disabled()
    # A key reacts while others play.
    waiting.keyboard.press("5")
    expect(deciding.locator(".bubble").filter(has_text="Thank you")).to_have_count(1)
    # A muted person is not shown, also after a reload.
    deciding.locator("[data-act=mute]").click()
    deciding.locator(".muting input").nth(1).check()
    deciding.reload()
    ready(deciding)
    deciding.locator("[data-act=react]").click()
    deciding.locator("[data-act=mute]").click()
    expect(deciding.locator(".muting input").nth(1)).to_be_checked()


def test_at_a_table_with_bots_nobody_reacts(new_page: NewPage) -> None:
    page = new_page()
    visit_first(page)
    seats = [PERSON, {"kind": "bot", "level": "random"}]
    table = api.post(page, "/tables", {"seats": seats})["table"]["id"]
    api.post(page, f"/tables/{table}/start")
    page.goto(f"/t/{table}")
    ready(page)
    expect(page.locator("[data-act=react]")).to_have_count(0)


def test_notifications_are_offered_in_the_settings_and_shown_only_when_hidden(
    new_visit: Callable[..., Visit], new_page: NewPage
) -> None:
    visit = new_visit()
    visit.context.add_init_script(STUB)
    ana, ben = visit.page, new_page()
    table, deciding, _ = two_people(ana, ben)
    assert ana.evaluate("window.asked") == 0  # never at the start
    expect(ana.locator("[data-alerts]")).to_have_count(0)
    ana.goto("/settings")
    ana.get_by_role("switch", name="Notify me when it’s my turn").check()
    expect(ana.get_by_role("switch", name="Notify me when it’s my turn")).to_be_checked()
    assert ana.evaluate("window.asked") == 1
    if deciding is ana:
        play_turn(ana, table)
    ana.goto(f"/t/{table}")
    ready(ana)
    assert ana.evaluate("window.shown") == []
    ana.evaluate(HIDE)
    play_turn(ben, table)
    ana.wait_for_function("window.shown.length === 1")
    assert ana.evaluate("window.shown[0]") == ["It’s your turn", "Your table with Ben"]
    assert ana.evaluate("document.querySelector('link[rel=icon]').href").startswith("data:image/svg")


def test_a_home_page_in_the_background_notices_a_turn(new_visit: Callable[..., Visit], new_page: NewPage) -> None:
    """It asks about once a minute, notifies, and numbers the icon of the app while it is the reader's turn."""
    visit = new_visit()
    visit.context.add_init_script(STUB + BADGE)
    ana, ben = visit.page, new_page()
    visit_first(ana)
    ana.evaluate("localStorage.setItem('test.permission', 'granted')")
    store(ana, alerts={"isOn": True, "isAnswered": True})
    table, deciding, _ = two_people(ana, ben)
    if deciding is ana:
        play_turn(ana, table)
    ana.clock.install()
    ana.goto("/")
    expect(ana.locator(".home-top > .tcard").filter(has_text="Ben")).to_be_visible()
    ana.evaluate(HIDE)
    asked: list[str] = []
    ana.on("request", lambda request: asked.append(request.url.partition("/api")[2]))
    ana.clock.run_for(60_000)
    assert ana.evaluate("window.shown") == []
    play_turn(ben, table)
    ana.clock.run_for(60_000)
    ana.wait_for_function("() => window.shown.length === 1")
    assert ana.evaluate("window.shown[0]") == ["It’s your turn", "Your table with Ben"]
    ana.wait_for_function("() => window.badges.at(-1) === 1")
    play_turn(ana, table)
    ana.clock.run_for(60_000)
    ana.wait_for_function("() => window.badges.at(-1) === 0")
    assert ana.evaluate("window.shown.length") == 1
    # A table that is asked for counts as visited: bots play on there, and the server keeps it in memory.
    assert "/mine" in asked
    assert f"/tables/{table}" not in asked
    ana.evaluate(SHOW)
    with ana.expect_request(f"**/api/tables/{table}"):
        ana.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")


def test_after_a_game_well_played_is_said_and_notifications_are_offered_once(
    new_visit: Callable[..., Visit], new_page: NewPage
) -> None:
    visit = new_visit()
    visit.context.add_init_script(STUB)
    ana, ben = visit.page, new_page()
    table = people_at_the_end([ana, ben], "granada-2")
    for page in (ana, ben):
        page.goto(f"/t/{table}")
        ready(page)
    ben.locator("[data-act=well]").click()
    expect(ben.locator("[data-praise]")).to_contain_text(text("react.said"))
    expect(ben.locator("[data-act=well]")).to_have_count(0)
    expect(ana.locator("[data-praise]")).to_contain_text(text("react.heard", names="Ben"))
    question = ana.locator("[data-alerts]")
    expect(question).to_contain_text(text("alerts.ask"))
    assert ana.evaluate("window.asked") == 0
    question.locator("[data-act=alerts]").click()
    expect(ana.get_by_text(text("alerts.on"))).to_be_visible()
    assert ana.evaluate("window.asked") == 1
    ana.reload()
    ready(ana)
    expect(ana.locator("[data-praise]")).to_be_visible()
    expect(question).to_have_count(0)


def test_an_invitation_is_copied_with_its_link(visit: Visit) -> None:
    visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visit.page
    visit_first(page)
    store(page, name="Ana")
    lobby(page)
    page.locator("[data-act=invite]").click()
    expect(page.locator("[data-act=invite]")).to_have_text(text("invite.copied"))
    words, link = page.evaluate("() => navigator.clipboard.readText()").split("\n")
    assert words.startswith("Ana invites you to play Alhambra")
    assert link == page.url


def test_a_public_game_is_listed_with_its_turn_and_watched(new_page: NewPage) -> None:
    ana, guest = new_page(), new_page()
    visit_first(ana)
    seats = [{"kind": "person", "name": "Ana"}, {"kind": "bot", "level": "greedy"}]
    table = api.post(ana, "/tables", {"seats": seats, "is_public": True})["table"]["id"]
    api.post(ana, f"/tables/{table}/start")
    wait_for_turn(ana, table, 1)
    guest.goto("/")
    listed = guest.locator(f'.open-tables a[href="/t/{table}"]')
    turn = next(one["turn"] for one in api.get(guest, "/tables")["tables"] if one["id"] == table)
    expect(listed).to_contain_text(f"{text('watch.turn', n=turn)} · {text('home.resume_decides', name='Ana')}")
    expect(listed).to_contain_text(text("home.watch"))
    listed.click()
    ready(guest)
    assert api.table_message(guest, table)["own"] is None
    expect(guest.locator("[data-table]")).to_have_attribute("data-yours", "false")


def test_a_correspondence_game_is_opened_left_and_found_by_whose_turn_it_is(new_page: NewPage) -> None:
    ana, ben = new_page(), new_page(PHONE)
    visit_first(ana)
    ana.goto("/new")
    ready(ana)
    ana.locator("details summary").filter(has_text="Table options").click()
    ana.get_by_text("By correspondence").click()
    ana.locator("[data-days]").select_option("5")
    expect(ana.get_by_text("5 days for each turn")).not_to_have_count(0)
    table, deciding, waiting = two_people(ana, ben, clock={"mode": "days", "days": 5})
    expect(deciding.locator(".seat.now .clock")).to_have_text(re.compile("4d 23h|5d"))
    for page in (deciding, waiting):
        page.goto("/")
    expect(deciding.locator(".tcard.turn")).to_contain_text("Your turn")
    expect(deciding.locator(".tcard.turn")).to_contain_text("left")
    expect(waiting.locator(".tcard.turn")).to_have_count(0)
    play_turn(deciding, table)
    # A browser that has lost its list still finds the table.
    waiting.evaluate("localStorage.removeItem('granada.tables')")
    waiting.reload()
    expect(waiting.locator(".tcard.turn")).to_contain_text("Your turn")
