"""Complete games without a server and without a network; `granada replay` checks every record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.driver import Choose, Game, Pointer, eager
from tests.web.screens import ready
from tests.web.site.device import configure, offline
from tests.web.static_site import StaticSite
from tests.web.test_games import BOT, HANDS, MODULES, PERSON, check_record, flipping, open_table
from tests.web.visitors import PHONE, Visit

NOVICE = {"kind": "bot", "level": "novice"}
BUILDER = {"kind": "bot", "level": "builder"}
SEARCH = {"kind": "bot", "level": "search"}
BEN = {"kind": "person", "name": "Ben"}

#: The way to play, the options, the seats, and the choice of each game.
GAMES: dict[str, tuple[str, dict[str, Any], list[dict[str, str]], Callable[[str], Choose]]] = {
    "alhambra": ("clicks", {"edition": "alhambra"}, [PERSON, NOVICE, BUILDER, SEARCH], eager),
    "granada with Dirk and flips": ("keys", {"edition": "granada"}, [PERSON, BOT], flipping),
    "combined with all modules": ("clicks", {"edition": "combined", "modules": MODULES}, [PERSON, BOT], eager),
    "hot seat": ("command line", {"edition": "alhambra", "modules": ["vizier"]}, [PERSON, BEN, BOT], eager),
}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_offline(visit: Visit, server: StaticSite, game: str, tmp_path: Path) -> None:
    way, options, seats, choose = GAMES[game]
    configure(visit.context)
    page = visit.page
    with offline(visit, server):
        table = open_table(page, options, seats)
        played = Game(table, HANDS[way](table), choose(game))
        played.play(12)
        page.reload()  # the game goes on where it was
        ready(page)
        played.play()
        expect(page.locator("[data-table]")).to_have_count(0)
        record = check_record(page, table.id, tmp_path)
    own = [line[2:] for line in record.splitlines() if line.startswith(("1 ", "2 "))]
    assert [action for action in played.played if action not in own] == []
    if choose is flipping:
        assert " as " in record


@pytest.mark.timeout(900)
def test_a_whole_game_online_by_touch_on_a_phone(new_visit: Callable[..., Visit], tmp_path: Path) -> None:
    visit = new_visit(PHONE)
    configure(visit.context)
    table = open_table(visit.page, {"edition": "granada", "modules": ["vizier"]}, [PERSON, BUILDER, NOVICE])
    Game(table, Pointer(table, is_touch=True), eager("touch on a device")).play()
    expect(visit.page.locator("[data-table]")).to_have_count(0)
    check_record(visit.page, table.id, tmp_path)
