"""Analyses of finished games: access, progress, and that they never delay a running game."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, cast

import pytest
from msgspec.structs import replace as replace_struct
from starlette.requests import Request
from starlette.types import Message

from granada.api.call import unless_gone
from granada.bots import analysis
from granada.server.bot_pool.pool import BotPool
from granada.server.http.request_context import disconnected
from granada.tables import analyses
from granada.tables.analyses import Analyses
from granada.tables.bot_jobs import AnalysisJob
from granada.tables.errors import TableError
from granada.tables.levels import strongest
from granada.tables.ports import BotFailed
from granada.tables.table import Table
from tests.server.running import Guest, RunningServer, play_on, running
from tests.server.tables import Log
from tests.server.test_api import error_code


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("analysis")) as found:
        yield found


def finished(guest: Guest, **options: object) -> str:
    """Return a short finished game."""
    table = guest.open_table(["person", "person"], **options)
    guest.start(table)
    with guest.socket(table) as socket:
        play_on(socket, random.Random(7))
    return table


def analysed(guest: Guest, table: str) -> tuple[dict[str, Any], list[float]]:
    """Poll the analysis of a game until it is done; returns it and all progress values."""
    progress: list[float] = []
    until = time.monotonic() + 300
    while time.monotonic() < until:
        found = guest.post(f"/tables/{table}/analysis")
        if found["status"] == "done":
            return found, progress
        progress.append(found["progress"])
        time.sleep(0.2)
    raise AssertionError(progress)


# On a server


@pytest.mark.timeout(400)
def test_a_game_that_is_over_is_analysed_once(server: RunningServer) -> None:
    with Guest(server) as host, Guest(server) as nobody:
        table = finished(host)
        found, progress = analysed(host, table)
        assert progress == sorted(progress)
        last = host.get(f"/tables/{table}")
        assert found["level"] == strongest()
        assert len(found["chances"]) == last["n"] + 1
        assert all(abs(sum(one) - 1) < 0.01 for one in found["chances"])
        won = [seat for seat, chance in enumerate(found["chances"][-1], 1) if chance > 0]
        assert won == last["view"]["winners"]
        log = {
            line["n"]: line["line"] for line in host.get(f"/tables/{table}/log")["lines"] if line["line"][0].isdigit()
        }
        for one in found["decisions"]:
            assert log[one["n"] + 1] == f"{one['seat']} {one['chosen']['action']}"
        assert [len(costly) <= 5 for costly in found["costly"]] == [True, True]
        known = {one["n"] for one in found["decisions"]}
        assert {n for costly in found["costly"] for n in costly} <= known
        # It is not computed again, and everybody who may read the record may read it.
        assert nobody.post(f"/tables/{table}/analysis") == found


def test_an_analysis_is_refused_where_the_record_is(server: RunningServer) -> None:
    def hint_error(guest: Guest, table: str) -> str:
        return error_code(guest.http.post(f"/api/tables/{table}/analysis", json={}))

    with Guest(server) as host, Guest(server) as nobody:
        table = host.open_table(["person", "person"])
        assert hint_error(host, table) == "running"
        host.start(table)
        assert hint_error(host, table) == "running"
        assert hint_error(host, "AAAAAAAAAAAAAAAA") == "not_found"
        closed = finished(host, spectators=False)
        nobody.open_table(["person", "open"])
        assert hint_error(nobody, closed) == "spectators_off"


# Computation


class Reviewers:
    """A bot runner whose analyses end on demand."""

    def __init__(self) -> None:
        self.begun: list[AnalysisJob] = []
        self.report: Callable[[float], None] = lambda _: None
        self.answer: asyncio.Future[analysis.GameAnalysis] = asyncio.get_running_loop().create_future()
        self.cancelled = 0

    async def review(self, work: AnalysisJob, report: Callable[[float], None]) -> analysis.GameAnalysis:
        self.begun.append(work)
        self.report = report
        try:
            return await asyncio.shield(self.answer)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise

    def finish(self) -> None:
        judged = analysis.Judged("take y3", 1.0, 0.5)
        self.answer.set_result(
            analysis.GameAnalysis([[0.5, 0.5]], [analysis.Decision(0, 1, 1, judged, judged, 0)], [[], []])
        )


def table(name: str = "t") -> Table:
    log = Log().start()
    log.table.id = name  # type: ignore[misc]
    return log.table


async def settled() -> None:
    """Wait until some rounds have passed and their tasks are done."""
    await asyncio.sleep(0.02)
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "_ROUND", 0.005)


def test_progress_is_told_and_what_was_found_is_kept() -> None:
    async def run() -> None:
        pool = Reviewers()
        found, one = Analyses(cast(BotPool, pool)), table()
        assert found.analysis(one).status == "waiting"
        await settled()
        assert (found.analysis(one).status, found.analysis(one).progress) == ("thinking", 0)
        pool.report(0.25)
        assert found.analysis(one).progress == 0.25
        pool.finish()
        await settled()
        done = found.analysis(one)
        assert (done.status, done.progress, done.decisions[0].seat) == ("done", 1, 2)
        assert found.analysis(one) is done
        assert len(pool.begun) == 1

    asyncio.run(run())


def test_one_game_is_looked_at_at_a_time_and_not_too_many_wait() -> None:
    async def run() -> None:
        pool = Reviewers()
        found = Analyses(cast(BotPool, pool))
        tables = [table(f"t{number}") for number in range(analyses.MAX_WAITING + 2)]
        for number, one in enumerate(tables[:-1]):
            found.analysis(one, f"192.0.2.{number}")
        await settled()
        assert len(pool.begun) == 1
        assert [found.analysis(one).status for one in tables[:2]] == ["thinking", "waiting"]
        with pytest.raises(TableError, match="Try again later") as caught:
            found.analysis(tables[-1])
        assert caught.value.code == "too_many"
        pool.finish()
        await settled()
        assert all(found.analysis(one).status == "done" for one in tables[:-1])
        assert found.analysis(tables[-1]).status == "waiting"
        await found.close()

    asyncio.run(run())


def test_an_address_has_two_games_looked_at_and_addresses_take_turns() -> None:
    async def run() -> None:
        pool = Reviewers()
        found = Analyses(cast(BotPool, pool))
        tables = [table(f"t{number}") for number in range(5)]
        assert [found.analysis(one, "a").status for one in tables[:2]] == ["waiting", "waiting"]
        with pytest.raises(TableError, match="Two of your games") as caught:
            found.analysis(tables[2], "a")
        assert caught.value.code == "too_many"
        assert found.analysis(tables[3], "b").status == "waiting"
        assert found.analysis(tables[0], "c").status == "waiting"  # an analysis in progress is shared
        await settled()
        pool.answer, first = asyncio.get_running_loop().create_future(), pool.answer
        pool.finish()
        done, pool.answer = pool.answer, asyncio.get_running_loop().create_future()
        first.set_result(done.result())
        await settled()
        statuses = [found.analysis(one, "d").status for one in (tables[0], tables[3], tables[1])]
        assert statuses == ["done", "thinking", "waiting"]
        assert found.analysis(tables[2], "a").status == "waiting"  # one is done, so another can start
        await found.close()

    asyncio.run(run())


def test_the_same_game_is_looked_at_once_wherever_it_lies() -> None:
    async def run() -> None:
        pool = Reviewers()
        found, log = Analyses(cast(BotPool, pool)), Log().start()
        copies = [log.again() for _ in range(3)]
        renamed = log.again()
        renamed.id = "another"  # type: ignore[misc]
        renamed.seats[0] = replace(renamed.seats[0], plan=replace_struct(renamed.seats[0].plan, name="Somebody"))
        log.act(log.offers()[0])
        other = log.again()
        for one in (*copies, renamed, other):
            found.analysis(one)
        await settled()
        pool.finish()
        await settled()
        assert {found.analysis(one).status for one in (*copies, renamed, other)} == {"done"}
        assert len(pool.begun) == 2
        assert len(found._known) == 2

    asyncio.run(run())


def test_what_nobody_waits_for_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        pool = Reviewers()
        found, one = Analyses(cast(BotPool, pool)), table()
        found.analysis(one)
        await settled()
        monkeypatch.setattr(analyses, "FORGOTTEN", 0)
        await settled()
        assert pool.cancelled == 1
        monkeypatch.setattr(analyses, "FORGOTTEN", 30_000)
        assert found.analysis(one).status == "waiting"  # a new request starts it again
        await settled()
        assert len(pool.begun) == 2
        await found.close()
        assert pool.cancelled == 2

    asyncio.run(run())


@pytest.mark.parametrize("fault", [BotFailed("it is out"), ValueError("it is out")], ids=type)
def test_a_bot_that_fails_is_asked_again(fault: Exception) -> None:
    async def run() -> None:
        pool = Reviewers()
        found, one = Analyses(cast(BotPool, pool)), table()
        found.analysis(one)
        await settled()
        pool.answer.set_exception(fault)
        await settled()
        with pytest.raises(TableError) as caught:
            found.analysis(one)
        assert caught.value.code == "unavailable"
        assert "it is out" not in caught.value.detail
        pool.answer = asyncio.get_running_loop().create_future()
        assert found.analysis(one).status == "waiting"
        await settled()
        pool.finish()
        await settled()
        assert found.analysis(one).status == "done"

    asyncio.run(run())


def test_only_the_last_games_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        monkeypatch.setattr(analyses, "KEPT", 3)
        pool = Reviewers()
        found = Analyses(cast(BotPool, pool))
        pool.finish()
        for number in range(6):
            found.analysis(table(f"t{number}"))
            await settled()
        assert len(found._known) <= 4

    asyncio.run(run())


# Cancelling


def request_of(messages: asyncio.Queue[Message]) -> Request:
    return Request({"type": "http", "headers": []}, messages.get)


def test_who_closes_the_connection_stops_the_work() -> None:
    async def run() -> None:
        messages: asyncio.Queue[Message] = asyncio.Queue()
        ended: list[str] = []

        async def work() -> str:
            try:
                await asyncio.sleep(60)
            finally:
                ended.append("work")
            return "never"

        waiting = asyncio.create_task(unless_gone(disconnected(request_of(messages)), work()))
        await settled()
        assert not waiting.done()
        messages.put_nowait({"type": "http.disconnect"})
        assert await waiting is None
        await settled()
        assert ended == ["work"]

    asyncio.run(run())


def test_who_waits_gets_the_answer_or_the_refusal() -> None:
    async def run() -> None:
        async def work(is_good: bool) -> str:
            await asyncio.sleep(0)
            if not is_good:
                raise TableError("stale", "no")
            return "yes"

        assert await unless_gone(disconnected(request_of(asyncio.Queue())), work(True)) == "yes"
        with pytest.raises(TableError):
            await unless_gone(disconnected(request_of(asyncio.Queue())), work(False))

    asyncio.run(run())
