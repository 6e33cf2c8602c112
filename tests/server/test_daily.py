"""The daily deal at tables: first attempts and practice, results and lists."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from granada.browser.dispatcher import Dispatcher
from granada.daily.check import check_record
from granada.daily.deal import DailyDeal
from granada.records.shuffle import verify
from granada.server.store.notifier import LocalNotifier
from granada.server.store.sql_store import SqlStore
from granada.tables import daily_deals
from granada.tables.clock import ServerTime
from granada.tables.daily_messages import DailyStart
from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.ports import BotFailed, DailyEntry
from granada.tables.service import TableService
from tests.browser.devices import QuickBots
from tests.daily.games import played
from tests.server.running import prefer_building

JSON, TEXT = "application/json", "text/plain"
#: 2026-09-21, 14:13 UTC.
NOON = 1_790_000_000_000
HOUR = 3600 * 1000
TODAY = date(2026, 9, 21)
DEAL = DailyDeal("alhambra", TODAY)
HERE = "/api/daily/alhambra/today"


@dataclass
class Club:
    """Tables with several visitors, at a time that can be set."""

    tables: TableService
    bots: Failing
    now: int = NOON
    browsers: dict[str, Dispatcher] = field(default_factory=dict)

    async def send(self, who: str, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Send a request of a visitor; returns the status and the content of the reply."""
        browser = self.browsers.setdefault(who, Dispatcher(self.tables, who.ljust(43, "s")))
        media, text = (TEXT, body) if isinstance(body, str) else (JSON, "" if body is None else json.dumps(body))
        reply = await browser.request(method, path, media, text)
        return reply.status, json.loads(reply.body) if reply.media_type.endswith("json") else reply.body.decode()

    async def ask(self, who: str, method: str, path: str, body: object = None) -> Any:
        """Return the content of the reply to a request that succeeds."""
        status, found = await self.send(who, method, path, body)
        assert status < 300, found
        return found

    async def refused(self, who: str, method: str, path: str, body: object = None) -> Any:
        """Return the problem document of a request that fails."""
        status, found = await self.send(who, method, path, body)
        assert status >= 400, found
        return found

    async def day(self, who: str = "Ana", path: str = HERE) -> Any:
        return await self.ask(who, "GET", path)

    async def open(self, who: str = "Ana", path: str = HERE) -> str:
        opened = await self.ask(who, "POST", f"{path}/table", {"name": who})
        table: str = opened["table"]["id"]
        return table

    async def play(self, who: str, table: str, most: int = 10_000) -> Any:
        """Play at most this many actions of a visitor; returns the last message."""
        async with asyncio.timeout(120):
            while True:
                message = await self.ask(who, "GET", f"/api/tables/{table}")
                if message["table"]["phase"] == "over" or (message["own"]["actions"] and most == 0):
                    return message
                if message["own"]["actions"]:
                    most -= 1
                    action = prefer_building(message["own"]["actions"])[0]
                    command = {"type": "act", "id": f"c{message['n']}", "n": message["n"], "action": action}
                    await self.ask(who, "POST", f"/api/tables/{table}/commands", command)
                await asyncio.sleep(0)

    async def result(self, who: str = "Ana", path: str = HERE) -> Any:
        """Wait until a result is entered, without asking for the day: that would enter it, too."""
        async with asyncio.timeout(30):
            edition, day = path.split("/")[3], (TODAY - date(1970, 1, 1)).days
            holder = self.browsers[who]._holder.hash
            while await self.tables.registry.store.daily.result(edition, day, holder) is None:
                await asyncio.sleep(0.01)
        return await self.day(who, path)


class Failing(QuickBots):
    """Bots of which one can be made to fail."""

    broken = ""

    async def choose(self, record: str, level: str, seed: str, owner: Any = None) -> str:
        if level == self.broken:
            raise BotFailed("broken")
        return await super().choose(record, level, seed)


@asynccontextmanager
async def club(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Club]:
    store = SqlStore(make_url(f"sqlite+aiosqlite:///{folder / 'club.sqlite'}"), worker="w")
    await store.open()
    bots = Failing()
    tables = TableService(store, LocalNotifier(), bots, bots)
    found = Club(tables, bots)
    monkeypatch.setattr(ServerTime, "now", lambda _: found.now)
    tables.start()
    try:
        yield found
    finally:
        await tables.stop()
        await store.close()
        await asyncio.sleep(0)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Club], Awaitable[None]]], None]:
    """Run a coroutine function with a new club."""

    def run_it(work: Callable[[Club], Awaitable[None]]) -> None:
        async def whole() -> None:
            async with club(tmp_path, monkeypatch) as found:
                await work(found)

        asyncio.run(whole())

    return run_it


Run = Callable[[Callable[[Club], Awaitable[None]]], None]


# Before the game


def test_the_facts_of_a_day_are_those_of_the_deal(run: Run) -> None:
    async def work(club: Club) -> None:
        found = await club.day()
        opening = DEAL.opening()
        assert found["date"] == found["today"] == "2026-09-21"
        assert found["ends_in"] == 10 * HOUR - (13 * 60 + 20) * 1000
        assert found["bots"] == list(DEAL.bots)
        assert found["yard"] == [[tile.name] for tile in opening.yard if tile is not None]
        assert found["display"] == [card.name for card in opening.display]
        assert found["commitment"] == DEAL.commitment
        assert (found["table"], found["mine"], found["place"], found["players"]) == (None, None, None, 0)
        assert found["yesterday"] == {"date": "2026-09-20", "players": 0, "rows": []}
        combined = await club.day(path="/api/daily/combined/today")
        assert [len(space) for space in combined["yard"]] == [2] * 4

    run(work)


def test_the_seed_is_shown_when_the_day_is_over(run: Run) -> None:
    async def work(club: Club) -> None:
        found = await club.day()
        assert (found["seed"], found["results"]) == (None, None)
        assert DEAL.seed not in json.dumps(found)
        before = DailyDeal("alhambra", date(2026, 9, 20))
        found = await club.day(path="/api/daily/alhambra/2026-09-20")
        assert (found["seed"], found["ends_in"], found["yesterday"]) == (before.seed, 0, None)
        assert found["results"] == {"date": "2026-09-20", "players": 0, "rows": []}

    run(work)


@pytest.mark.parametrize(
    ("day", "code"),
    [
        ("2026-09-22", "daily_future"),
        ("9999-12-31", "daily_future"),
        ("2026-08-22", ""),
        ("2026-08-21", "daily_past"),
        ("0001-01-01", "daily_past"),
        ("2026-02-30", "malformed"),
        ("2026-9-1", "malformed"),
        ("today", ""),
    ],
)
def test_only_today_and_the_last_weeks_can_be_played(run: Run, day: str, code: str) -> None:
    async def work(club: Club) -> None:
        path = f"/api/daily/granada/{day}"
        for method, where, body in (("GET", path, None), ("POST", f"{path}/table", {})):
            if code:
                assert (await club.refused("Ana", method, where, body))["code"] == code
            else:
                await club.ask("Ana", method, where, body)

    run(work)


def test_everybody_has_the_same_seat_bots_and_cards(run: Run) -> None:
    async def work(club: Club) -> None:
        ana, ben = await club.open("Ana"), await club.open("Ben")
        one, other = await club.play("Ana", ana, 0), await club.play("Ben", ben, 0)
        for message, name in ((one, "Ana"), (other, "Ben")):
            assert message["table"]["seats"][0]["name"] == name
            assert [seat["level"] for seat in message["table"]["seats"]] == [None, *DEAL.bots]
            assert message["table"]["daily"] == {"date": "2026-09-21", "counts": True}
            assert not message["table"]["is_same_deal"]
            assert not message["table"]["options"]["takeover"]
        assert one["view"] == other["view"]
        assert one["own"] == other["own"]
        bots = [seat["name"] for seat in one["table"]["seats"]][1:]
        assert bots == [seat["name"] for seat in other["table"]["seats"]][1:]
        assert len({*bots, "Ana"}) == 3
        named = await club.ask(bots[0], "POST", f"{HERE}/table", {"name": bots[0]})
        assert len({seat["name"] for seat in named["table"]["seats"]}) == 3

    run(work)


def test_a_first_attempt_has_one_table(run: Run) -> None:
    async def work(club: Club) -> None:
        table = await club.open()
        assert await club.open() == table
        message = await club.play("Ana", table, 3)
        assert (await club.day())["table"] == table
        assert await club.open() == table
        assert (await club.ask("Ana", "GET", f"/api/tables/{table}"))["n"] == message["n"]
        assert await club.open("Ben") != table
        assert await club.open("Ana", "/api/daily/granada/today") != table

    run(work)


def test_two_windows_at_once_get_the_same_table(run: Run) -> None:
    async def work(club: Club) -> None:
        opened = await asyncio.gather(*[club.ask("Ana", "POST", f"{HERE}/table", {"name": "Ana"}) for _ in range(4)])
        assert len({one["table"]["id"] for one in opened}) == 1
        assert {one["table"]["phase"] for one in opened} == {"playing"}

    run(work)


def test_the_seats_are_fixed(run: Run) -> None:
    async def work(club: Club) -> None:
        table = await club.open()
        seats = f"/api/tables/{table}/seats"
        for who, method, path, body in (
            ("Ana", "PUT", f"{seats}/2", {"kind": "bot", "level": "random"}),
            ("Ana", "PUT", f"{seats}/1", {"kind": "bot", "level": "strongest"}),
            ("Ana", "POST", f"{seats}/1/leave", None),
            ("Ana", "POST", f"{seats}/3/take", {}),
            ("Ben", "POST", f"{seats}/1/take", {"name": "Ben"}),
        ):
            assert (await club.refused(who, method, path, body))["code"] == "daily_seats"
        renamed = await club.ask("Ana", "POST", f"{seats}/1/take", {"name": "Mencía"})
        assert renamed["table"]["seats"][0]["name"] == "Mencía"

    run(work)


def test_there_are_hints_only_in_practice(run: Run) -> None:
    async def work(club: Club) -> None:
        table = await club.open()
        await club.play("Ana", table, 0)
        assert (await club.refused("Ana", "POST", f"/api/tables/{table}/hint", {}))["code"] == "daily_hints"
        practice = await club.open("Ana", "/api/daily/alhambra/2026-09-20")
        message = await club.play("Ana", practice, 0)
        assert message["table"]["daily"] == {"date": "2026-09-20", "counts": False}
        assert (await club.ask("Ana", "POST", f"/api/tables/{practice}/hint", {}))["ideas"]

    run(work)


# Results


def test_a_finished_game_is_entered_and_opens_the_list(run: Run) -> None:
    async def work(club: Club) -> None:
        table = await club.open()
        await club.play("Ana", table)
        found = await club.result()
        record = await club.ask("Ana", "GET", f"/api/tables/{table}/record")
        outcome = check_record(DEAL, record)
        assert verify(record).is_over
        mine = {"points": outcome.points, "margin": outcome.margin, "won": outcome.won, "wall": outcome.wall}
        assert found["mine"] == {**mine, "course": list(outcome.course), "exact": outcome.exact}
        assert (found["place"], found["players"], found["table"], found["yesterday"]) == (1, 1, table, None)
        row = {"place": 1, "name": "Ana", "points": outcome.points, "margin": outcome.margin}
        assert found["results"]["rows"] == [{**row, "is_yours": True}]
        other = await club.day("Ben")
        assert (other["mine"], other["results"], other["players"]) == (None, None, 1)
        # Only yesterday's list is open to those who have not played.
        club.now += 24 * HOUR
        found = await club.day("Ben", "/api/daily/alhambra/2026-09-21")
        assert found["results"]["rows"] == [{**row, "is_yours": False}]
        assert (await club.day("Ben"))["yesterday"]["rows"] == found["results"]["rows"]
        assert (await club.day("Ana"))["yesterday"]["rows"] == [{**row, "is_yours": True}]

    run(work)


def test_only_the_first_finished_attempt_counts(run: Run) -> None:
    async def work(club: Club) -> None:
        await club.play("Ana", await club.open())
        first = await club.result()
        again = await club.open()
        message = await club.play("Ana", again, 1)
        assert message["table"]["daily"] == {"date": "2026-09-21", "counts": False}
        await club.ask("Ana", "POST", f"{HERE}/results", str(played(DEAL, name="Ana")))
        assert await club.day() == first
        # The deal with seats exchanged is no attempt either.
        other = await club.ask("Ana", "POST", f"/api/tables/{first['table']}/rematch", {"same_deal": True})
        assert other["table"]["daily"] is None
        assert other["table"]["is_same_deal"]

    run(work)


def test_a_game_that_ends_after_its_day_does_not_count(run: Run) -> None:
    async def work(club: Club) -> None:
        table = await club.open()
        await club.play("Ana", table, 4)
        club.now += 10 * HOUR
        message = await club.play("Ana", table)
        assert message["table"]["phase"] == "over"
        found = await club.day("Ana", "/api/daily/alhambra/2026-09-21")
        assert (found["mine"], found["players"]) == (None, 0)
        assert await club.open() != table  # that of the new day

    run(work)


def test_a_result_that_was_missed_is_entered_later(run: Run) -> None:
    """As after a restart of the server between the last action and the result."""

    async def work(club: Club) -> None:
        club.tables.registry.finished = lambda _: None
        await club.play("Ana", await club.open())
        club.now += 24 * HOUR
        found = await club.day("Ana", "/api/daily/alhambra/2026-09-21")
        assert found["place"] == found["players"] == 1

    run(work)


def test_a_bot_of_the_server_that_fails_does_not_cost_the_result(run: Run) -> None:
    async def work(club: Club) -> None:
        club.bots.broken = DEAL.bots[1]
        table = await club.open()
        await club.play("Ana", table)
        assert (await club.result())["place"] == 1
        record = await club.ask("Ana", "GET", f"/api/tables/{table}/record")
        problem = await club.refused("Ben", "POST", f"{HERE}/results", record)
        assert problem["reason"]["code"] == "daily_bot"

    run(work)


def test_a_table_that_can_no_longer_be_opened_is_replaced(run: Run) -> None:
    async def work(club: Club) -> None:
        table = await club.open()
        club.tables.registry.tables.clear()
        club.tables.registry.rejected[table] = "5.5"
        assert (await club.day())["table"] is None
        other = await club.open()
        assert other != table
        assert (await club.day())["table"] == other

    run(work)


def test_a_record_from_elsewhere_is_entered_once(run: Run) -> None:
    async def work(club: Club) -> None:
        record = str(played(DEAL, name="Zoë"))
        found = await club.ask("Ana", "POST", f"{HERE}/results", record)
        assert found["results"]["rows"][0]["name"] == "Zoë"
        assert (found["place"], found["table"]) == (1, None)
        assert await club.ask("Ana", "POST", f"{HERE}/results", record) == found
        assert (await club.ask("Ben", "POST", f"{HERE}/results", record))["players"] == 2

    run(work)


def test_forged_records_are_refused_with_one_sentence(run: Run) -> None:
    async def work(club: Club) -> None:
        record = str(played(DEAL))
        lines = record.split("\n")
        bot = next(i for i, line in enumerate(lines) if line.startswith("2 take"))
        yard = next(i for i, line in enumerate(lines) if line.startswith("! yard"))

        def forged(i: int, line: str) -> str:
            return "\n".join([*lines[:i], line, *lines[i + 1 :]])

        cases = {
            forged(bot, "2 take y9 y8"): ("illegal", rf"Line {bot + 1}: '2 take y9 y8' breaks rule .*\."),
            forged(yard, "! yard 1 tower-9"): (
                "daily_drawn",
                rf"Line {yard + 1}: the deal gives '! yard 1 .*' here .*\.",
            ),
            "\n".join(lines[: len(lines) // 2]) + "\n": (
                "daily_unfinished",
                r"Line \d+: the game is not over \(D5\)\.",
            ),
            "nonsense": ("first_line", r"Line 1: the first line of a record must be 'granada-record 1'\."),
            str(played(DailyDeal("alhambra", date(2026, 9, 20)))): ("daily_deal", r"The seed is not that of .*\."),
        }
        for text, (code, sentence) in cases.items():
            problem = await club.refused("Ana", "POST", f"{HERE}/results", text)
            assert (problem["code"], problem["reason"]["code"]) == ("bad_result", code)
            assert re.fullmatch(sentence, problem["detail"]), problem["detail"]
        assert (await club.day())["players"] == 0
        path = "/api/daily/alhambra/2026-09-20/results"
        assert (await club.refused("Ana", "POST", path, record))["code"] == "daily_past"
        assert (await club.refused("Ana", "POST", f"{HERE}/results", "x" * 70_000))["code"] == "too_large"

    run(work)


def test_names_in_the_list_are_clean_and_short(run: Run) -> None:
    async def work(club: Club) -> None:
        names = {"Ana": f"{'x' * 200}", "Ben": "B\u202een", "Eva": "\u200b"}
        for who, name in names.items():
            await club.ask(who, "POST", f"{HERE}/results", str(played(DEAL, name=name)))
        shown = [row["name"] for row in (await club.day())["results"]["rows"]]
        assert {"x" * 40, "Ben"} < {*shown}
        assert all(0 < len(name) <= 40 for name in shown)

    run(work)


def test_programs_cannot_enter_a_list(run: Run) -> None:
    async def work(club: Club) -> None:
        robot = Holder("a" * 64, is_program=True)
        for call in (
            club.tables.operations.daily.submit(robot, "x", "alhambra", "today", str(played(DEAL))),
            club.tables.operations.daily.open_table(robot, "x", "alhambra", "today", DailyStart()),
        ):
            with pytest.raises(TableError) as caught:
                await call
            assert caught.value.code == "unauthorized"

    run(work)


# Lists


async def fill(club: Club, count: int, day: date = TODAY) -> None:
    """Enter results with 300, 299, 299, 297, 297, 295 … points."""
    facts = '{"points":1,"margin":1,"won":true,"course":[],"exact":1,"wall":1}'
    for n in range(count):
        entry = DailyEntry(f"{n:064}", f"Player {n}", 300 - 2 * ((n + 1) // 2), 7, NOON + n, facts)
        await club.tables.registry.store.daily.enter("alhambra", (day - date(1970, 1, 1)).days, entry)


def test_a_long_list_shows_the_best_and_those_around_you(run: Run) -> None:
    async def work(club: Club) -> None:
        await fill(club, 200)
        await club.ask("Ana", "POST", f"{HERE}/results", str(played(DEAL)))
        found = await club.day()
        rows = found["results"]["rows"]
        assert [row["place"] for row in rows[:7]] == [1, 2, 2, 4, 4, 6, 6]
        assert rows[99]["name"] == "Player 99"
        near = rows[100:]
        [own] = [i for i, row in enumerate(near) if row["is_yours"]]
        assert near[own]["place"] == found["place"] > 100
        assert len(near) == 5
        assert own == 2
        assert [row["points"] for row in rows] == sorted([row["points"] for row in rows], reverse=True)
        assert found["players"] == found["results"]["players"] == 201

    run(work)


def test_among_many_equal_results_your_own_is_shown(run: Run) -> None:
    async def work(club: Club) -> None:
        record = str(played(DEAL))
        points = check_record(DEAL, record).points
        facts = '{"points":1,"margin":1,"won":true,"course":[],"exact":1,"wall":1}'
        margin = check_record(DEAL, record).margin
        for n in range(120):
            entry = DailyEntry(f"{n:064}", f"Player {n}", points, margin, 0, facts)
            await club.tables.registry.store.daily.enter("alhambra", (TODAY - date(1970, 1, 1)).days, entry)
        found = await club.ask("Ana", "POST", f"{HERE}/results", record)
        assert found["place"] == 1
        assert [row["is_yours"] for row in found["results"]["rows"]] == [False] * 100 + [True]
        assert {row["place"] for row in found["results"]["rows"]} == {1}

    run(work)


def test_old_days_are_removed_and_a_list_has_an_end(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily_deals, "KEPT_DAYS", 2)
    monkeypatch.setattr(daily_deals, "MOST_RESULTS", 3)

    async def work(club: Club) -> None:
        for day in (18, 19, 20):
            await fill(club, 2, date(2026, 9, day))
        await club.ask("Ana", "POST", f"{HERE}/results", str(played(DEAL)))
        store = club.tables.registry.store.daily
        first = (TODAY - date(1970, 1, 1)).days
        assert [await store.count("alhambra", first - back) for back in range(4)] == [1, 2, 0, 0]
        await fill(club, 2)
        problem = await club.refused("Ben", "POST", f"{HERE}/results", str(played(DEAL)))
        assert problem["code"] == "too_many"

    run(work)
