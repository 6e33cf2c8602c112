"""All screens of the web client, and functions that open them."""

from __future__ import annotations

import base64
import json
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page, expect

from tests.web import api, daily_lists
from tests.web.driver import TURN, Choose, eager
from tests.web.puzzles import CHAIN, answer, open_puzzle

GOLDEN = Path(__file__).parent.parent / "golden"
NAMES = ("Ana", "Ben", "Carla", "Dario", "Eva", "Finn")


@dataclass(frozen=True)
class Screen:
    """A screen of the web client."""

    name: str
    go: Callable[[Page], None]


def ready(page: Page) -> None:
    """Wait until the screen is visible and loaded."""
    screen = page.locator("main, [data-table]").first
    expect(screen).to_be_visible()  # before that, not even the loading message is visible
    expect(page.locator("#app .loading, #app .device-opening")).to_have_count(0)
    expect(screen).to_be_visible()
    page.evaluate("() => document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => done())))")


def at(path: str) -> Callable[[Page], None]:
    """Return a function that opens an address."""

    def go(page: Page) -> None:
        page.goto(path)
        ready(page)

    return go


# Tables are opened over the API, as the browser of the page.


def upload(page: Page, record: str) -> str:
    """Open a table from a golden game; returns its id."""
    text = (GOLDEN / f"{record}.record").read_text("utf-8")
    table: str = api.post_text(page, "/records", text)["table"]["id"]
    return table


def visit_first(page: Page) -> None:
    """Load a page, which gives the browser its identity."""
    if page.url == "about:blank":
        page.goto("/about")


def open_at(page: Page, record: str, n: int, is_hot_seat: bool = False, names: tuple[str, ...] = NAMES) -> str:
    """Open a golden game after `n` actions, as the player whose turn it is; the others are bots unless hot seat."""
    visit_first(page)
    table = upload(page, record)
    deciding = api.get(page, f"/tables/{table}/positions/{n}")["view"]["deciding"]
    players = len(api.table_message(page, table)["table"]["seats"])
    seats: list[dict[str, str]] = []
    for seat in range(1, players + 1):
        is_person = seat == deciding or is_hot_seat
        seat_request = {"kind": "person"} if is_person else {"kind": "bot", "level": "greedy"}
        seats.append({**seat_request, "name": names[seat - 1]})
    forked: str = api.post(page, f"/tables/{table}/fork", {"n": n, "seats": seats})["table"]["id"]
    api.post(page, f"/tables/{forked}/start")
    return forked


def table_at(record: str, n: int, is_hot_seat: bool = False) -> Callable[[Page], None]:
    """Return a function that opens a golden game after `n` actions."""

    def go(page: Page) -> None:
        page.goto(f"/t/{open_at(page, record, n, is_hot_seat)}")
        ready(page)

    return go


def scoring(page: Page, names: tuple[str, ...] = NAMES) -> None:
    """Open a table and play until a scoring is shown."""
    table = open_at(page, "alhambra-3-all-modules", 40, names=names)
    page.goto(f"/t/{table}")
    ready(page)
    choose, root = eager("scoring"), page.locator("[data-table]")
    end = time.monotonic() + TURN / 1000
    while not root.get_attribute("data-scoring") and time.monotonic() < end:
        message = api.table_message(page, table)
        # Wait until the page has shown each action, because a scoring stops it.
        if root.get_attribute("data-n") == str(message["n"]) and message["own"] and message["own"]["actions"]:
            play(page, table, choose)
    expect(page.locator("[data-table] .scoring .prows")).to_be_visible()


def play(page: Page, table: str, choose: Choose) -> None:
    """Play an action over the API for the deciding seat of this browser."""
    message = api.table_message(page, table)
    action = {"id": f"played-{message['n']}", "type": "act", "n": message["n"], "hold": False}
    api.post(page, f"/tables/{table}/commands", {**action, "action": choose(message["own"]["actions"])})


def confirming(record: str, n: int) -> Callable[[Page], None]:
    """Return a function that opens a table where a placement must be confirmed."""

    def go(page: Page) -> None:
        table = open_at(page, record, n)
        message = api.table_message(page, table)
        placing = next(text for text in message["own"]["actions"] if text.startswith("place"))
        action = {"id": "confirming", "type": "act", "n": message["n"], "hold": True, "action": placing}
        api.post(page, f"/tables/{table}/commands", action)
        page.goto(f"/t/{table}")
        ready(page)
        expect(page.locator(".delta").first).to_be_visible()

    return go


def doubting(page: Page) -> None:
    """Open a table and pay too much, although an exact payment is possible: the player is asked."""
    table_at("alhambra-4", 2)(page)
    for picked in ('[data-hand="y8"]', '[data-hand="y4"]', '[data-yard="garden-10-N"]', "[data-act=main]"):
        page.locator(picked).click()
    expect(page.locator("[data-table]")).to_have_attribute("data-asking", "true")


def lobby(page: Page) -> None:
    """Open a lobby with an open seat."""
    visit_first(page)
    seats = [{"kind": "person", "name": "Ana"}, {"kind": "open"}, {"kind": "bot", "level": "greedy"}]
    table = api.post(page, "/tables", {"seats": seats, "options": {"edition": "alhambra"}})["table"]["id"]
    page.goto(f"/t/{table}")
    ready(page)


def away(page: Page) -> None:
    """Open a table where it is the turn of an absent player."""
    visit_first(page)
    table = api.post(page, "/tables", {"seats": [{"kind": "person", "name": "Ana"}, {"kind": "open"}]})["table"]["id"]
    browser = page.context.browser
    assert browser is not None
    other = browser.new_context()
    other.request.post(page.url.rpartition("/")[0] + f"/api/tables/{table}/seats/2/take", data={"name": "Zoë"})
    other.close()
    api.post(page, f"/tables/{table}/start")
    for _ in range(20):
        if api.table_message(page, table)["view"]["deciding"] == 2:
            break
        play(page, table, eager("away"))
    page.goto(f"/t/{table}")
    ready(page)
    expect(page.locator(".countdown")).to_be_visible()


# The turns of others


def follow(page: Page, record: str, n: int, pace: Literal["follow", "quick", "instant"]) -> str:
    """Open a golden game after `n` actions at a pace, with bots on all other seats; returns the table."""
    table = open_at(page, record, n)
    store(page, settings={"pace": pace})
    page.goto(f"/t/{table}")
    ready(page)
    return table


def wait_for_turn(page: Page, table: str, seat: int) -> None:
    """Wait until a seat has to act, whatever the page shows."""
    end = time.monotonic() + TURN / 1000
    while (view := api.table_message(page, table)["view"])["deciding"] != seat or view["step"] != "act":
        assert time.monotonic() < end, f"it is not the turn of seat {seat}"


def hold_clock(page: Page) -> None:
    """Let the time of a page stand still: it draws and waits only while `run_until` lets it."""
    page.clock.install()
    page.clock.pause_at(page.evaluate("() => Date.now() + 100"))


def run_until(page: Page, selector: str) -> None:
    """Let the time of a page run, one frame after the other, until an element is there."""
    end = time.monotonic() + TURN / 1000
    while page.locator(selector).count() == 0 and time.monotonic() < end:
        page.clock.run_for(16)
    expect(page.locator(selector)).not_to_have_count(0)


def with_banner(record: str, n: int) -> Callable[[Page], None]:
    """Return a function that opens a table where bots have just played; their banner stays."""

    def go(page: Page) -> None:
        table = follow(page, record, n, "follow")
        page.evaluate(
            """() => {
              const wait = window.setTimeout;
              window.setTimeout = (call, time) => (time >= 2500 && time <= 4000 ? 0 : wait(call, time));
            }"""
        )
        finish_turn(page, table)
        expect(page.locator("[data-yours=true] [data-banner]")).to_be_visible()

    return go


def with_round(record: str, n: int) -> Callable[[Page], None]:
    """Return a function that opens a table where the last round is shown again."""

    def go(page: Page) -> None:
        table = follow(page, record, n, "instant")
        finish_turn(page, table)
        expect(page.locator("[data-table][data-yours=true]")).to_be_visible()
        page.keyboard.press("b")
        expect(page.locator("[data-round]")).to_be_visible()

    return go


def finish_turn(page: Page, table: str) -> None:
    """Play the turn of the reader to its end."""
    seat = api.table_message(page, table)["view"]["deciding"]
    choose = eager("follow")
    while (message := api.table_message(page, table))["view"]["deciding"] == seat and message["own"]["actions"]:
        turns = message["view"]["turns"]
        play(page, table, choose)
        if api.table_message(page, table)["view"]["turns"] > turns:
            return


def watching(page: Page) -> None:
    """Open a running game as a spectator."""
    browser = page.context.browser
    assert browser is not None
    visit_first(page)
    player = browser.new_context(base_url=page.url.rpartition("/")[0])
    table = open_at(player.new_page(), "alhambra-3-all-modules", 300)
    player.close()
    page.goto(f"/t/{table}")
    ready(page)


def by_correspondence(page: Page, is_left: bool = False) -> str:
    """Open a correspondence game with another person, who leaves it or not; returns the table."""
    visit_first(page)
    options = {"clock": {"mode": "days", "days": 5}}
    opened = api.post(page, "/tables", {"seats": [{"kind": "person"}, {"kind": "open"}], "options": options})
    table: str = opened["table"]["id"]
    browser = page.context.browser
    assert browser is not None
    guest = browser.new_context(base_url=page.url.rpartition("/")[0])
    try:
        guest.request.post(f"/api/tables/{table}/seats/2/take", data={"name": "Ben"})
        api.post(page, f"/tables/{table}/start")
        if is_left:
            guest.request.post(f"/api/tables/{table}/seats/2/leave")
    finally:
        guest.close()
    return table


def reacting(page: Page) -> None:
    """Open the tray of reactions at a correspondence game with another person."""
    page.goto(f"/t/{by_correspondence(page)}")
    ready(page)
    page.locator("[data-act=react]").click()
    page.locator(".reacttray").wait_for()


def left(page: Page) -> None:
    """Open a correspondence game where it is the turn of somebody who has left."""
    table = by_correspondence(page, is_left=True)
    while api.table_message(page, table)["view"]["deciding"] != 2:
        play(page, table, eager("left"))
    page.goto(f"/t/{table}")
    ready(page)
    expect(page.locator("[data-late]")).to_be_visible()


def joining(page: Page) -> None:
    """Open a lobby as a visitor with a name who has no seat."""
    page.goto("/settings")
    page.locator("[data-own-name]").fill("Mencía")
    table = api.post(page, "/tables", {"seats": [{"kind": "bot"}, {"kind": "open"}, {"kind": "open"}]})["table"]["id"]
    page.goto(f"/t/{table}")
    ready(page)


def refused(page: Page) -> None:
    """Upload an invalid record and show the reason."""
    at("/record")(page)
    page.locator(".paste summary").click()
    page.locator(".paste textarea").fill("granada-record 1\nedition: alhambra\nscoring: regular\n")
    page.locator(".paste button").click()
    expect(page.locator("[data-reason]")).to_be_visible()


def finished(record: str, then: str = "") -> Callable[[Page], None]:
    """Return a function that opens a finished golden game."""

    def go(page: Page) -> None:
        visit_first(page)
        page.goto(f"/t/{upload(page, record)}{then}")
        ready(page)

    return go


@dataclass(frozen=True)
class LastAction:
    """A table of people at different browsers where one action is left, and who plays it."""

    table: str
    page: Page
    command: dict[str, object]

    def play(self) -> None:
        """End the game."""
        api.post(self.page, f"/tables/{self.table}/commands", self.command)


def last_action(pages: Sequence[Page], record: str) -> LastAction:
    """Open a golden game before its last action, with a person at each page."""
    visit_first(pages[0])
    table = upload(pages[0], record)
    *_, last = [line for line in api.get(pages[0], f"/tables/{table}/log")["lines"] if line["line"][0].isdigit()]
    seats = [{"kind": "person", "name": NAMES[0]}, *[{"kind": "open"} for _ in pages[1:]]]
    forked: str = api.post(pages[0], f"/tables/{table}/fork", {"n": last["n"] - 1, "seats": seats})["table"]["id"]
    sit_down(pages, forked)
    seat, _, action = last["line"].partition(" ")
    return LastAction(forked, pages[int(seat) - 1], played(last["n"] - 1, action))


def people_at_the_end(pages: Sequence[Page], record: str) -> str:
    """Play the last action of a golden game as people at different browsers, one a page; returns the table's id."""
    last = last_action(pages, record)
    last.play()
    return last.table


def sit_down(pages: Sequence[Page], table: str) -> None:
    """Take the open seats of a table, one for each page after the host's, and start the game."""
    for seat, page in enumerate(pages[1:], start=2):
        visit_first(page)
        api.post(page, f"/tables/{table}/seats/{seat}/take", {"name": NAMES[seat - 1]})
    api.post(pages[0], f"/tables/{table}/start")


def play_out(pages: Sequence[Page], table: str) -> None:
    """Play a game over the API to its end; each seat is played by the page in its place."""
    choose = eager("the end")
    message = api.table_message(pages[0], table)
    while message["table"]["phase"] == "playing":
        page = pages[message["view"]["deciding"] - 1]
        offers = api.table_message(page, table)["own"]["actions"]
        message = api.post(page, f"/tables/{table}/commands", played(message["n"], choose(offers)))


def played(n: int, action: str) -> dict[str, object]:
    """Return the command for an action."""
    return {"id": f"played-{n}", "type": "act", "n": n, "action": action}


def lost(page: Page) -> None:
    """Open a game that the reader has lost by a point, and whose winner wants a rematch."""
    browser = page.context.browser
    assert browser is not None
    visit_first(page)
    first, third = [browser.new_context(base_url=page.url.rpartition("/")[0]).new_page() for _ in range(2)]
    table = people_at_the_end([first, page, third], "alhambra-3-all-modules")
    api.post(third, f"/tables/{table}/rematch")
    for other in (first, third):
        other.context.close()
    page.goto(f"/t/{table}")
    ready(page)
    expect(page.locator("[data-fact]")).to_have_count(3)


def answer_analysis(page: Page) -> dict[str, Any]:
    """Replace the analysis request by a fixed result, which a bot would need a minute for; returns the result."""
    table = page.url.rpartition("/t/")[2]
    log = api.get(page, f"/tables/{table}/log")["lines"]
    deeds = [line for line in log if line["line"][0].isdigit()]
    seats = len(api.table_message(page, table)["table"]["seats"])
    decisions: list[dict[str, Any]] = []
    for seat in range(1, seats + 1):
        for line in [line for line in deeds if line["line"].startswith(f"{seat} ")][10:60:10]:
            chosen = {"action": line["line"][2:], "lead": -3.2, "win": 0.48}
            best = {"action": "buy garden-8-NE with y5 y3", "lead": 4.4, "win": 0.61}
            at = {"n": line["n"] - 1, "turn": line["turn"], "seat": seat}
            decisions.append({**at, "chosen": chosen, "best": best, "loss": 0.13})
    wave = [
        [1 / seats + 0.3 * (n % 40) / 40 * (1 if seat else 1 - seats) / seats for seat in range(seats)]
        for n in range(len(deeds))
    ]
    found = {
        "status": "done",
        "progress": 1.0,
        "level": "strongest",
        "chances": [*wave, [1.0, *[0.0] * (seats - 1)]],
        "decisions": sorted(decisions, key=lambda one: one["n"]),
        "costly": [[one["n"] for one in decisions if one["seat"] == seat + 1] for seat in range(seats)],
    }
    thinking = {**found, "status": "thinking", "progress": 0.25, "chances": [], "decisions": [], "costly": []}
    replies = iter([thinking])
    page.route("**/analysis", lambda route: route.fulfill(json=next(replies, found)))
    return found


def analysed(page: Page) -> None:
    """Open a finished game with its analysis."""
    finished("alhambra-3-all-modules")(page)
    answer_analysis(page)
    page.locator("[data-act=analyse]").click()
    expect(page.locator("[data-analysis=done]")).to_be_visible()


def fragment(record: str) -> str:
    """Return a record as a site without a server puts it into a link (web/src/lib/record_link.ts)."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(record.encode()) + packer.flush()
    return "#r=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def sent(page: Page) -> None:
    """Open a link with a game in it."""
    page.goto(f"/record{fragment((GOLDEN / 'combined-3.record').read_text('utf-8'))}")
    ready(page)
    expect(page.locator(".tell h2")).to_be_visible()


def kept(page: Page) -> None:
    """Keep a finished game in the browser, and open the home page with the list of kept games."""
    finished("alhambra-3-all-modules")(page)
    page.locator("[data-act=keep]").click()
    expect(page.locator("[data-act=keep]")).to_be_disabled()
    at("/")(page)
    expect(page.locator(".kept-games li")).to_have_count(1)


def store(page: Page, **values: Any) -> None:
    """Store values in the browser of a page, as the client stores them."""
    page.evaluate(
        "(all) => Object.entries(all).forEach(([key, one]) => localStorage.setItem(`granada.${key}`, one))",
        {key: json.dumps(value) for key, value in values.items()},
    )


def profile_of(count: int, first: str = "A") -> dict[str, Any]:
    """Return a stored profile (web/src/you/stored_profile.ts) with finished games against bots and Lena."""
    levels = ("greedy", "mason", "courtier", "novice", "builder", "search")
    unknown = {"value": 1500, "deviation": 350, "volatility": 0.06}
    after = {"value": 1700, "deviation": 48, "volatility": 0.06}
    games = []
    for i in range(count):
        rank, is_practice = 1 + i % 2, i == 5
        people = {"kind": "person", "level": None, "rating": None}
        seats = [
            {**people, "name": "Anna", "score": 100 + 7 * i, "rank": rank},
            {"kind": "bot", "level": levels[i % 6], "rating": 1635, "name": "Zirid", "score": 104, "rank": 3 - rank},
            {**people, "name": "Lena", "score": 70, "rank": 3},
        ]
        types = ("pavilion", "seraglio", "arcades", "chambers", "garden", "tower")
        games.append(
            {
                "id": f"{first}bcdefghijklmn{i:02d}",
                "ended": 1_770_000_000_000 + i * 86_400_000,
                "edition": "alhambra",
                "modules": [],
                "seat": 1,
                "seats": seats,
                "points": {"wall": 20 + i, **{name: 9 + j for j, name in enumerate(types)}},
                "others": {"wall": 19, **{name: 14 - j for j, name in enumerate(types)}},
                "exact": 4,
                "purchases": 11,
                "longest": {"wall": 9 + i},
                "city": {"0,0": "start-alhambra", "0,-1": "garden-11", "1,0": "arcades-9", "-1,0": "pavilion-8"},
                "daily": "2026-02-03" if i == 4 else None,
                "exempt": "practice" if is_practice else None,
                "rating": None if is_practice else {"before": unknown, "after": after},
            }
        )
    return {"version": 1, "base": unknown, "rating": after, "puzzles": unknown, "games": games}


def mine(path: str) -> Callable[[Page], None]:
    """Return a function that opens a screen of a reader with finished games."""

    def go(page: Page) -> None:
        visit_first(page)
        store(page, name="Anna", you=profile_of(6))
        at(path)(page)
        page.wait_for_function(
            "() => [...document.querySelectorAll('.face use')].every((one) => one.getBBox().width > 0)"
        )

    return go


def pressed(path: str, act: str, shown: str) -> Callable[[Page], None]:
    """Return a function that opens a screen of the reader's own and presses a button there."""

    def go(page: Page) -> None:
        mine(path)(page)
        page.locator(f"[data-act={act}]").click()
        expect(page.locator(shown)).to_be_visible()

    return go


def puzzles(page: Page) -> None:
    """Open the list of puzzles of a reader who has solved some and failed some."""
    visit_first(page)
    states = {str(n): {"isFirstRight": n % 3 > 0, "isSolved": n % 3 > 0, "last": n} for n in range(1, 9)}
    known = {"value": 1480.4, "deviation": 60.2, "volatility": 0.06}
    answers = {"version": 1, "count": 8, "streak": 2, "answers": states}
    store(page, you={**profile_of(0), "puzzles": known}, puzzles=answers)
    at("/puzzles")(page)
    expect(page.locator("[data-puzzle]").first).to_be_visible()


def puzzle(page: Page) -> None:
    """Open a puzzle at its table."""
    page.goto("/about")
    open_puzzle(page, CHAIN)
    ready(page)


def judged(turn: Sequence[str]) -> Callable[[Page], None]:
    """Return a function that answers a puzzle with a turn."""

    def go(page: Page) -> None:
        page.goto("/about")
        answer(page, CHAIN, turn)
        ready(page)

    return go


#: The list of all results of a day, or without a server of one's own days.
RESULTS = "[data-list=open], [data-list=own]"


def daily(path: str = "/daily", is_done: bool = False) -> Callable[[Page], None]:
    """Return a function that opens a daily deal, with a calendar of earlier days, before or after it was played."""

    def go(page: Page) -> None:
        visit_first(page)
        results = [daily_lists.result_of(days) for days in range(9, 0, -1) if days != 6]
        page.evaluate(
            "(results) => localStorage.setItem('granada.daily', JSON.stringify({ version: 1, results }))", results
        )
        daily_lists.enter_others(page)
        if is_done:
            daily_lists.enter(page, "Ana")
        at(path)(page)
        expect(page.locator(RESULTS if is_done else "[data-list], [data-problem]")).to_be_visible()
        expect(page.locator(".day use, .deal-art use").first).to_be_attached()

    return go


def daily_past(page: Page) -> None:
    """Open the daily deal of a week ago, which can be practised."""
    daily(f"/daily/granada/{daily_lists.today() - timedelta(days=7)}")(page)


def home_back(is_done: bool = False) -> Callable[[Page], None]:
    """Return a function that opens the home page of a reader with tables, earlier days and answers to puzzles."""

    def go(page: Page) -> None:
        visit_first(page)
        for n in (300, 40) if is_done else (300, 150, 40):
            table = open_at(page, "alhambra-3-all-modules", n, names=("Ana", "Lena", "Zirid"))
            page.goto(f"/t/{table}")
            ready(page)
        results = [daily_lists.result_of(days) for days in range(4, -1 if is_done else 0, -1)]
        states = {str(n): {"isFirstRight": n > 3, "isSolved": n > 3, "last": n} for n in range(1, 8)}
        known = {"value": 1480.4, "deviation": 60.2, "volatility": 0.06}
        store(
            page,
            name="Ana",
            daily={"version": 1, "results": results},
            you={**profile_of(0), "puzzles": known},
            puzzles={"version": 1, "count": 7, "streak": 4, "answers": states},
        )
        if is_done:
            daily_lists.enter_others(page)
            daily_lists.enter(page, "Ana")
        at("/")(page)
        expect(page.locator("[data-card=turn]")).to_be_visible()
        expect(page.locator("[data-card=puzzle] .tcard-city")).to_be_visible()
        expect(page.locator("[data-card=daily] .lanterns use").first).to_be_attached()

    return go


#: Screens without a table.
PAGES = (
    Screen("home", at("/")),
    Screen("new", at("/new")),
    Screen("record", at("/record")),
    Screen("settings", at("/settings")),
    Screen("about", at("/about")),
    Screen("me", at("/me")),
    Screen("me-stored", at("/me/stored")),
    Screen("learn", at("/learn")),
    Screen("rules", at("/rules")),
    Screen("pad", at("/pad")),
    Screen("lost", at("/nothing/here")),
)
#: The same screens with something on them.
FILLED_PAGES = (
    Screen("record-sent", sent),
    Screen("home-kept", kept),
    Screen("home-back", home_back()),
    Screen("home-done", home_back(is_done=True)),
    Screen("me-played", mine("/me")),
    Screen("me-games", mine("/me/games")),
    Screen("me-code", pressed("/me", "code", ".code-qr")),
    Screen("me-enter", pressed("/me", "enter", "dialog[open] .code-input")),
    Screen("me-erase", pressed("/me/stored", "erase", "dialog[open] [data-act=erase-all]")),
    Screen("puzzles", puzzles),
    Screen("daily-new", daily("/daily/alhambra")),
    Screen("daily-done", daily("/daily/alhambra", is_done=True)),
    Screen("daily-past", daily_past),
)
#: Screens of a table, also after the game.
TABLES = (
    Screen("lobby", lobby),
    Screen("joining", joining),
    Screen("curtain", table_at("alhambra-4", 60, is_hot_seat=True)),
    Screen("table-begin", table_at("alhambra-4", 0)),
    Screen("table-alhambra", table_at("alhambra-3-all-modules", 300)),
    Screen("table-placing", table_at("alhambra-3-all-modules", 304)),
    Screen("table-confirming", confirming("alhambra-3-all-modules", 304)),
    Screen("table-doubt", doubting),
    Screen("table-granada", table_at("granada-3-modules-simplified", 261)),
    Screen("table-combined", table_at("combined-2-all-modules", 320)),
    Screen("table-dirk", table_at("combined-2-all-modules", 352)),
    Screen("table-reveal", table_at("combined-2-all-modules", 374)),
    Screen("table-away", away),
    Screen("table-banner", with_banner("alhambra-3-all-modules", 40)),
    Screen("table-round", with_round("alhambra-3-all-modules", 40)),
    Screen("table-watching", watching),
    Screen("table-reactions", reacting),
    Screen("table-left", left),
    Screen("table-six", table_at("combined-6-all-modules-simplified", 500)),
    Screen("puzzle", puzzle),
    Screen("puzzle-solved", judged(CHAIN.best.turn)),
    Screen("puzzle-failed", judged(CHAIN.obvious.turn)),
    Screen("scoring", scoring),
    Screen("end", finished("alhambra-3-all-modules")),
    Screen("end-combined", finished("combined-3")),
    Screen("end-six", finished("combined-6-all-modules-simplified")),
    Screen("end-lost", lost),
    Screen("end-analysis", analysed),
    Screen("replay", finished("alhambra-3-all-modules", "/replay")),
)
SCREENS = (*PAGES, *FILLED_PAGES, *TABLES)


# Screens of the static site without a server; addresses are relative to the base of the site.


def loading(page: Page) -> None:
    """Press Play while Python is being loaded; the worker is held back."""
    page.route("**/python/**", lambda route: None)
    page.goto("./")
    ready(page)
    page.locator(".hero button[type=submit]").click()
    expect(page.locator(".device-opening progress")).to_be_visible()


def broken(page: Page) -> None:
    """Open the home page where Python cannot be downloaded."""
    page.route("**/python/**", lambda route: route.abort())
    page.goto("./")
    ready(page)
    page.locator(".device-failed summary").first.click()
    expect(page.locator(".device-failed input")).to_be_visible()


def handing_over(page: Page) -> None:
    """Open the dialog that continues a game at a server."""
    page.goto("./")
    ready(page)
    page.locator(".hero button[type=submit]").click()
    expect(page.locator("[data-table]")).to_be_visible()
    page.locator("[data-act=menu]").click()
    page.locator("[data-act=handover]").click()
    expect(page.locator("dialog[open] .server-form")).to_be_visible()


def games_here(page: Page) -> None:
    """Open the settings, which count the games on the device."""
    page.goto("./settings")
    ready(page)
    expect(page.locator(".storage .buttons")).to_be_visible()


#: Screens that only the site has.
SITE_SCREENS = (
    Screen("site-home", at("./")),
    Screen("site-new", at("./new")),
    Screen("site-settings", games_here),
    Screen("site-about", at("./about")),
    Screen("site-daily", at("./daily")),
    Screen("site-loading", loading),
    Screen("site-broken", broken),
    Screen("site-handover", handing_over),
)
