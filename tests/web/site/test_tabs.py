"""Several tabs on one device: they share the tables, and one of them plays the bots."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.web import api
from tests.web.driver import Game, Pointer, Table, eager
from tests.web.screens import play, ready
from tests.web.site.device import configure, wait_for_python
from tests.web.test_games import BOT, PERSON, check_record, open_table
from tests.web.visitors import Visit


def open_tab(context: BrowserContext, table: str) -> Page:
    """Open another tab at a table."""
    tab = context.new_page()
    tab.goto(f"/t/{table}")
    ready(tab)
    return tab


def actions_in(log: list[str]) -> list[str]:
    """Return the actions of a log, without what followed from them."""
    return [line for line in log if re.match(r"\d ", line)]


@pytest.mark.timeout(300)
def test_two_tabs_at_one_table(visit: Visit) -> None:
    """Both show every action, whichever tab plays it, and no bot plays twice."""
    configure(visit.context)
    first = open_table(visit.page, {"edition": "alhambra"}, [PERSON, BOT, BOT])
    second = Table(open_tab(visit.context, first.id))
    choose = eager("two tabs")
    for turn in range(6):
        table = (first, second)[turn % 2]
        game = Game(table, Pointer(table), choose)
        game.play(1)
        n = str(table.message()["n"])
        for other in (first, second):
            other.wait_for_turn()
            assert int(other.state()["n"]) >= int(n)
    assert first.log() == second.log()
    assert first.message()["n"] == len(actions_in(first.log()))


@pytest.mark.timeout(300)
def test_the_other_tab_plays_the_bots_after_the_first_is_closed(visit: Visit) -> None:
    configure(visit.context)
    first = open_table(visit.page, {"edition": "alhambra"}, [PERSON, BOT])
    second = Table(open_tab(visit.context, first.id))
    first.wait_for_turn()
    visit.page.close()
    game = Game(second, Pointer(second), eager("alone"))
    game.play(4)
    assert second.wait_for_turn()  # the bot has played


@pytest.mark.timeout(600)
def test_a_tab_killed_in_the_middle_of_an_action_loses_nothing(new_visit: Callable[..., Visit], tmp_path: Path) -> None:
    """What a tab has seen acknowledged is stored; an action is never stored twice."""
    visit = new_visit()
    visit.ignore("the page crashed")
    configure(visit.context)
    table = open_table(visit.page, {"edition": "granada"}, [PERSON, BOT])
    choose, table_id = eager("killed"), table.id
    tab = visit.page
    for kill in range(5):
        found = Table(tab)
        found.wait_for_turn()
        message = found.message()
        before = actions_in(found.log())
        assert message["n"] == len(before)
        # Send the action, and kill the process of the tab at once or a little later.
        action = {"id": f"kill-{kill}", "type": "act", "n": message["n"], "hold": False}
        body = {**action, "action": choose(message["own"]["actions"])}
        tab.evaluate(
            "([path, body]) => void globalThis.granada.request('POST', path, JSON.stringify(body), 'application/json')"
            ".then(() => { globalThis.isAcknowledged = true; })",
            [f"/api/tables/{table_id}/commands", body],
        )
        is_acknowledged = False
        if kill % 2:
            tab.wait_for_function("() => globalThis.isAcknowledged")
            is_acknowledged = True
        crash(tab)
        tab = open_tab(visit.context, table_id)
        wait_for_python(tab)
        after = actions_in(Table(tab).log())
        assert after[: len(before)] == before
        if is_acknowledged:
            assert after[len(before)] == f"1 {body['action']}"
        assert api.table_message(tab, table_id)["n"] >= len(before)
        # Sent again after the crash, as the client does: it is stored once.
        reply = api.request(tab, "POST", f"/tables/{table_id}/commands", api.encoded(body))
        assert reply.ok or reply.json()["code"] in ("stale", "not_your_turn"), reply.text
        again = actions_in(Table(tab).log())
        assert again[len(before)] == f"1 {body['action']}"
        assert again[: len(after)] == after
    for _ in range(1000):
        message = api.table_message(tab, table_id)
        if message["table"]["phase"] == "over":
            break
        if message["own"]["actions"]:
            play(tab, table_id, choose)
    check_record(tab, table_id, tmp_path)


def crash(tab: Page) -> None:
    """Kill the processes of all tabs of the browser."""
    browser = tab.context.browser
    assert browser is not None
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    with tab.expect_event("crash"):
        for process in processes:
            if process["type"] == "renderer":
                with suppress(ProcessLookupError):
                    os.kill(process["id"], signal.SIGKILL)
