"""Complete games in a browser, by clicks, keyboard and command line; `granada replay` checks every record."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from granada.cli import main
from tests.web import api
from tests.web.driver import Choose, Game, Hands, Keys, Line, Pointer, Table, anything, eager
from tests.web.screens import ready, visit_first
from tests.web.visitors import PHONE, Look, NewPage

MODULES = ["vizier", "exchange", "bonus", "huts"]
PERSON = {"kind": "person", "name": "Ana"}
BOT = {"kind": "bot", "level": "greedy"}
HANDS: dict[str, Callable[[Table], Hands]] = {"clicks": Pointer, "keys": Keys, "command line": Line}


def flipping(seed: str) -> Choose:
    """Return a choice that flips Granada tiles whenever possible (4.2)."""
    otherwise = eager(seed)

    def choose(offers: list[str]) -> str:
        turned = [text for text in offers if " as " in text]
        return turned[0] if turned else otherwise(offers)

    return choose


#: The options, the seats and the choice of each game.
GAMES: dict[str, tuple[dict[str, Any], list[dict[str, str]], Callable[[str], Choose]]] = {
    "alhambra": ({"edition": "alhambra"}, [PERSON, BOT, BOT, BOT], eager),
    "granada with flips": ({"edition": "granada"}, [PERSON, BOT, BOT, BOT], flipping),
    "combined with all modules": ({"edition": "combined", "modules": MODULES}, [PERSON, *[BOT] * 5], eager),
    "two with Dirk": ({"edition": "alhambra", "modules": ["vizier"]}, [PERSON, BOT], eager),
    "hot seat of three": (
        {"edition": "alhambra"},
        [PERSON, {"kind": "person", "name": "Ben"}, {"kind": "person", "name": "Cleo"}],
        eager,
    ),
}


#: The games of every test run: each set-up once, each way to play several times. `make games` plays all combinations.
DAILY = (
    ("clicks", "combined with all modules"),
    ("clicks", "two with Dirk"),
    ("keys", "alhambra"),
    ("keys", "granada with flips"),
    ("command line", "hot seat of three"),
    ("command line", "combined with all modules"),
)
IS_WHOLE = bool(os.environ.get("GRANADA_ALL_GAMES"))
ALL = tuple((way, game) for way in HANDS for game in GAMES)


def open_table(page: Page, options: dict[str, Any], seats: list[dict[str, str]]) -> Table:
    """Open and start a table."""
    visit_first(page)
    table: str = api.post(page, "/tables", {"seats": seats, "options": options})["table"]["id"]
    api.post(page, f"/tables/{table}/start")
    page.goto(f"/t/{table}")
    ready(page)
    return Table(page)


def check_record(page: Page, table: str, tmp_path: Path) -> str:
    """Check and return the record of a finished game."""
    text = api.request(page, "GET", f"/tables/{table}/record").text
    path = tmp_path / "game.record"
    path.write_text(text, "utf-8")
    assert main(["replay", str(path)]) == 0
    assert "\n= end " in text
    return text


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("way", "game"), ALL if IS_WHOLE else DAILY)
def test_a_whole_game(new_page: NewPage, way: str, game: str, tmp_path: Path) -> None:
    options, seats, choose = GAMES[game]
    page = new_page()
    table = open_table(page, options, seats)
    played = Game(table, HANDS[way](table), choose(f"{way} {game}"))
    played.play()
    expect(page.locator("[data-table]")).to_have_count(0)  # the end has its own screen
    record = check_record(page, table.id, tmp_path)
    own = [line[2:] for line in record.splitlines() if line.startswith(("1 ", "2 ", "3 "))]
    assert [action for action in played.played if action not in own] == []
    if choose is flipping:
        assert " as " in record


@pytest.mark.timeout(600)
@pytest.mark.parametrize("way", HANDS if IS_WHOLE else ["clicks"])
def test_two_browsers_at_one_table(new_page: NewPage, way: str, tmp_path: Path) -> None:
    ana, ben = new_page(), new_page()
    visit_first(ana)
    visit_first(ben)
    seats = [PERSON, {"kind": "open"}]
    table: str = api.post(ana, "/tables", {"seats": seats, "options": {"edition": "alhambra"}})["table"]["id"]
    api.post(ben, f"/tables/{table}/seats/2/take", {"name": "Ben"})
    api.post(ana, f"/tables/{table}/start")
    games = []
    for number, page in enumerate((ana, ben)):
        page.goto(f"/t/{table}")
        ready(page)
        found = Table(page)
        games.append(Game(found, HANDS[way](found), eager(f"{way} {number}")))
    is_over = False
    for _ in range(2000):
        seat = games[0].table.message()["view"]["deciding"]
        is_over = seat is None
        if is_over:
            break
        games[seat - 1].step()
    assert is_over
    for page in (ana, ben):
        expect(page.locator("[data-table]")).to_have_count(0)
    check_record(ana, table, tmp_path)


@pytest.mark.timeout(600)
def test_a_whole_game_by_touch_on_a_phone(new_page: NewPage, tmp_path: Path) -> None:
    page = new_page(PHONE)
    table = open_table(page, {"edition": "combined", "modules": MODULES}, [PERSON, BOT, BOT, BOT])
    Game(table, Pointer(table, is_touch=True), eager("touch")).play()
    expect(page.locator("[data-table]")).to_have_count(0)
    check_record(page, table.id, tmp_path)


def test_everything_that_is_offered_can_be_done_by_clicks(new_page: NewPage) -> None:
    """All verbs: rebuilding, huts, gifts to Dirk, bonus cards."""
    table = open_table(new_page(Look(1920, 1080)), {"edition": "combined", "modules": MODULES}, [PERSON, BOT])
    game = Game(table, Pointer(table), anything("clicks"))
    game.play(45)
    assert len({action.split(" ")[0] for action in game.played}) > 6
