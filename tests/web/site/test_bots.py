"""Bots in the page: quick ones beside the tables, searching ones in a second worker, which can be killed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.web import api
from tests.web.driver import Game, Pointer, eager
from tests.web.site.device import change_worker, configure
from tests.web.test_games import PERSON, open_table
from tests.web.visitors import Visit

SEARCH = {"kind": "bot", "level": "search"}
NOVICE = {"kind": "bot", "level": "novice"}


def workers(page: Page) -> list[str]:
    """Return the addresses of the scripts of the page's own workers."""
    return [worker.url for worker in page.workers]


@pytest.mark.timeout(300)
def test_a_second_worker_starts_only_for_a_search(visit: Visit) -> None:
    configure(visit.context)
    table = open_table(visit.page, {"edition": "alhambra"}, [PERSON, NOVICE])
    Game(table, Pointer(table), eager("quick")).play(3)
    assert not [url for url in workers(visit.page) if "bots_worker" in url]
    hint = api.post(visit.page, f"/tables/{table.id}/hint")
    assert hint["level"] in ("strongest", "search")
    assert [url for url in workers(visit.page) if "bots_worker" in url]


@pytest.mark.timeout(300)
def test_strongest_is_offered_and_plays(visit: Visit) -> None:
    configure(visit.context)
    visit.page.goto("/about")
    levels = [level["id"] for level in api.get(visit.page, "/components")["levels"]]
    assert "strongest" in levels
    table = open_table(visit.page, {"edition": "granada"}, [PERSON, {"kind": "bot", "level": "strongest"}])
    Game(table, Pointer(table), eager("strongest")).play(4)
    assert table.wait_for_turn()
    assert api.post(visit.page, f"/tables/{table.id}/hint")["level"] == "strongest"


#: In the worker of the tables: the workers that it starts for bots get ready, but never answer.
HANGING = """{
  const hang = "onmessage = (e) => { if (e.data.type === 'start') postMessage({ type: 'ready' }); else for (;;); }";
  const Real = Worker;
  globalThis.Worker = class extends Real {
    constructor() {
      super(URL.createObjectURL(new Blob([hang])));
    }
  };
}
"""


@pytest.mark.timeout(300)
def test_a_hanging_bot_is_replaced(visit: Visit) -> None:
    """A worker that never answers is killed after the time limit, and another bot plays."""
    visit.ignore("bot failed")
    change_worker(visit, HANGING)
    configure(visit.context, limit=2)
    table = open_table(visit.page, {"edition": "alhambra"}, [PERSON, SEARCH])
    game = Game(table, Pointer(table), eager("hanging"))
    # An exact purchase is followed by another action of the reader.
    while not any(line.startswith("2 ") for line in table.log()):
        assert game.play(len(game.played) + 1) > 0
        assert table.wait_for_turn()
    assert [fault for fault in visit.faults if "bot failed" in fault]
