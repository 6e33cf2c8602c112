"""The bot pool with real processes: a misbehaving bot only fails its own job."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from granada import Luck, Options, Replay
from granada.arena.simulation import play_game
from granada.bots import BOTS, LEVELS, PERSONALITIES, Advice, Bot, RandomBot, make_bot
from granada.bots.spec import Spec
from granada.records.notation import action_text
from granada.rules.state import Action
from granada.rules.view import View
from granada.server.bot_pool.pool import RESTART_COST, BotPool
from granada.tables.bot_jobs import AdviceJob, AnalysisJob, Job
from granada.tables.bot_work import advise, choose
from granada.tables.fair_queue import Owner
from granada.tables.levels import is_level, levels, ratings, spec_of, strongest
from granada.tables.ports import BotFailed
from tests.kit import rule

ROOT = Path(__file__).parent.parent.parent
ODD_BOTS = ["tests.server.odd_bots"]
#: A time limit in seconds that no job of these tests should reach.
LONG = 60.0
KINDS = ["level", "personality", "other"]


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the odd bots available in the worker processes."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)


@cache
def whole() -> str:
    """Return a finished game."""
    bots = [RandomBot(seat) for seat in range(2)]
    return str(play_game(Options("alhambra", 2), bots, Luck(random.Random("whole"))).record)


@cache
def record(actions: int = 30) -> str:
    """Return a record that ends before a decision."""
    bots = [RandomBot(seat) for seat in range(3)]
    whole = play_game(Options("alhambra", 3, ("vizier", "bonus")), bots, Luck(random.Random("pool"))).record
    start = [index for index, line in enumerate(whole.lines) if line[0].isdigit()][actions]
    return "\n".join([whole.header(), *whole.lines[:start]]) + "\n"


def with_pool(
    work: Callable[[BotPool], Awaitable[None]],
    processes: int = 1,
    time_limit: float = LONG,
    plugins: list[str] = ODD_BOTS,
) -> None:
    """Run a test with a pool, and check that no process is left behind."""

    async def run() -> None:
        pool = BotPool(processes, time_limit, plugins)
        await pool.start()
        try:
            await work(pool)
        finally:
            pids = pool.pids
            await pool.stop()
        assert (pool.waiting, pool.busy, pool.pids) == (0, 0, [])
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)

    asyncio.run(run())


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not is_so():
            await asyncio.sleep(0.005)


async def check_works(pool: BotPool) -> None:
    """Check that the pool still works."""
    assert await pool.choose(record(), "greedy", "7") == choose(Job(record(), "greedy", "7"))


# Choices


@pytest.mark.parametrize("level", ["greedy", "random"])
def test_the_pool_chooses_what_a_bot_here_would_choose(level: str) -> None:
    async def work(pool: BotPool) -> None:
        for actions in range(0, 40, 5):
            text = record(actions)
            state = Replay(text, partial=True).run()
            assert state.n == actions
            offers = state.offers()
            expected = make_bot(level, f"s{actions}").choose(state.view(state.seat, remembers=True), offers)
            assert await pool.choose(text, level, f"s{actions}") == action_text(expected)
        assert len(pool.pids) == 1

    with_pool(work, plugins=[])


def test_many_jobs_share_few_processes() -> None:
    async def work(pool: BotPool) -> None:
        assert not pool.pids
        jobs = [asyncio.create_task(pool.choose(record(n), "greedy", "s")) for n in range(40)]
        await until(lambda: pool.busy == 2)
        assert pool.waiting == 38
        assert await asyncio.gather(*jobs) == [choose(Job(record(n), "greedy", "s")) for n in range(40)]
        assert len(pool.pids) == 2

    with_pool(work, processes=2)


def test_many_jobs_of_one_address_delay_another_only_by_the_one_that_is_running() -> None:
    async def work(pool: BotPool) -> None:
        done: list[str] = []

        async def ask(owner: Owner) -> None:
            await pool.choose(record(), "greedy", "s", owner)
            done.append(owner.address)

        many = [asyncio.create_task(ask(Owner("a", f"table {n}"))) for n in range(20)]
        await until(lambda: pool.busy == 1)
        await ask(Owner("b", "table"))
        assert done == ["a", "b"]
        await asyncio.gather(*many)

    with_pool(work)


def test_who_gives_up_a_job_pays_for_the_process_that_is_killed() -> None:
    async def work(pool: BotPool) -> None:
        charged: list[tuple[Owner, float]] = []
        pool._turns.charge = lambda owner, amount: charged.append((owner, amount))  # type: ignore[method-assign]
        sleeping = asyncio.create_task(pool.choose(record(), "sleeper", "s", Owner("a")))
        await until(lambda: pool.busy == 1 and bool(pool.pids))
        sleeping.cancel()
        await until(sleeping.done)
        await pool.choose(record(), "greedy", "s", Owner("b"))
        assert charged == [(Owner("a"), RESTART_COST)]

    with_pool(work)


def test_processes_are_started_only_when_they_are_needed() -> None:
    async def work(pool: BotPool) -> None:
        await check_works(pool)
        first = pool.pids
        await check_works(pool)
        assert pool.pids == first
        assert os.getpriority(os.PRIO_PROCESS, first[0]) > os.getpriority(os.PRIO_PROCESS, 0)

    with_pool(work, processes=3)


def test_bots_are_told_nothing_of_the_settings_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRANADA_DATABASE", "postgresql://granada:secret@db/granada")
    monkeypatch.setenv("GRANADA_METRICS_TOKEN", "secret")
    monkeypatch.setenv("granada_small", "secret")
    monkeypatch.setenv("SOMETHING_ELSE", "1")

    async def work(pool: BotPool) -> None:
        with pytest.raises(BotFailed) as caught:
            await pool.choose(record(), "snooper", "s")
        assert caught.value.reason == "LookupError: SOMETHING_ELSE"

    with_pool(work)


# Failures


@pytest.mark.parametrize(
    ("level", "reason"),
    [
        ("thrower", "KeyError: 'nowhere'"),
        ("leaver", "SystemExit: enough"),
        ("cheat", "ValueError: 'remove .*' is not allowed: rule .*"),
        ("nobody", "BadOptions: the bot 'nobody' is none of .*"),
    ],
)
def test_a_bot_that_fails_keeps_its_process(level: str, reason: str) -> None:
    async def work(pool: BotPool) -> None:
        await check_works(pool)
        pids = pool.pids
        with pytest.raises(BotFailed) as caught:
            await pool.choose(record(), level, "7")
        assert re.fullmatch(reason, caught.value.reason)
        await check_works(pool)
        assert pool.pids == pids

    with_pool(work)


@rule("16.2")
@pytest.mark.parametrize(
    ("reason", "loggable"),
    [
        ("KeyError: 'tower-11'", "KeyError"),
        ("ValueError: 'reveal tower-11' is not allowed: rule 13.2: no", "ValueError"),
        ("RecordError: line 7: 1 reveal tower-11", "RecordError"),
        ("its process ended with code 3", "its process ended with code 3"),
        (
            "BotError: the bot 'a' (b.py) chose reveal tower-11, which is not allowed: rule 13.2: no",
            "BotError: the bot 'a' (b.py) chose",
        ),
        (
            "BotError: the bot 'a' (b.py, line 3) failed: KeyError: 'x'",
            "BotError: the bot 'a' (b.py, line 3) failed: KeyError",
        ),
    ],
)
def test_the_log_does_not_hear_what_may_be_hidden(reason: str, loggable: str) -> None:
    assert BotFailed(reason).loggable == loggable


def test_a_record_that_cannot_be_read_is_a_failure() -> None:
    async def work(pool: BotPool) -> None:
        for text, reason in [
            ("nonsense", "RecordError: line 1: "),
            (record() + "1 dance\n", "RecordError: line "),
            (record(1).rpartition("! display")[0], "the record ends where"),
        ]:
            with pytest.raises(BotFailed, match=reason):
                await pool.choose(text, "greedy", "7")

    with_pool(work)


def test_what_a_bot_prints_and_reads_harms_nobody() -> None:
    async def work(pool: BotPool) -> None:
        assert await pool.choose(record(), "chatterer", "7") == choose(Job(record(), "random", "7"))
        await check_works(pool)

    with_pool(work)


def test_a_bot_that_ends_its_process_fails_alone() -> None:
    async def work(pool: BotPool) -> None:
        good = [asyncio.create_task(pool.choose(record(n), "greedy", "s")) for n in range(10)]
        with pytest.raises(BotFailed, match=r"^its process ended with code 3$"):
            await pool.choose(record(), "quitter", "7")
        await asyncio.gather(*good)
        await check_works(pool)

    with_pool(work, processes=2)


@pytest.mark.parametrize("level", ["sleeper", "spinner", "hermit"])
def test_a_slow_bot_is_stopped_and_the_next_job_has_another_process(level: str, tmp_path: Path) -> None:
    async def work(pool: BotPool) -> None:
        await check_works(pool)
        pids = pool.pids
        with pytest.raises(BotFailed, match=r"^no answer came within 0.5 s$"):
            await pool.choose(record(), level, str(tmp_path / "started"))
        assert not pool.pids
        await check_works(pool)
        assert len(pool.pids) == 1
        assert pool.pids != pids

    with_pool(work, time_limit=0.5)


def test_a_job_does_not_wait_for_ever_behind_slow_bots(tmp_path: Path) -> None:
    async def work(pool: BotPool) -> None:
        # Four hanging jobs take two seconds of the only process; the last one times out after one.
        jobs = [pool.choose(record(), "sleeper", str(tmp_path / str(number))) for number in range(4)]
        failures = await asyncio.gather(*jobs, return_exceptions=True)
        assert str(failures[0]) == "no answer came within 0.5 s"
        assert str(failures[3]) == "no process was free in time"
        await check_works(pool)

    with_pool(work, time_limit=0.5)


def test_a_process_killed_amid_a_job_fails_only_that(tmp_path: Path) -> None:
    async def work(pool: BotPool) -> None:
        job = asyncio.create_task(pool.choose(record(), "sleeper", str(tmp_path / "started")))
        await until((tmp_path / "started").exists)
        os.kill(pool.pids[0], signal.SIGKILL)
        with pytest.raises(BotFailed, match=r"^its process ended with code -9$"):
            await job
        await check_works(pool)

    with_pool(work)


def test_a_process_killed_between_jobs_fails_none() -> None:
    async def work(pool: BotPool) -> None:
        await check_works(pool)
        os.kill(pool.pids[0], signal.SIGKILL)
        await until(lambda: not pool.pids)
        await check_works(pool)

    with_pool(work)


def test_an_interrupt_is_left_to_the_server() -> None:
    async def work(pool: BotPool) -> None:
        await check_works(pool)
        pids = pool.pids
        os.kill(pids[0], signal.SIGINT)
        await check_works(pool)
        assert pool.pids == pids

    with_pool(work)


def test_a_process_that_cannot_start_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(pool: BotPool) -> None:
        with pytest.raises(BotFailed, match=r"^its process ended with code 1$"):
            await pool.choose(record(), "greedy", "7")
        monkeypatch.setattr(sys, "executable", str(ROOT / "no_python"))
        with pytest.raises(BotFailed, match="the process could not be started"):
            await pool.choose(record(), "greedy", "7")

    with_pool(work, plugins=["tests.server.no_such_bots"])


# Cancelling and stopping


def test_a_cancelled_job_frees_its_process(tmp_path: Path) -> None:
    async def work(pool: BotPool) -> None:
        job = asyncio.create_task(pool.choose(record(), "spinner", str(tmp_path / "started")))
        await until((tmp_path / "started").exists)
        pids = pool.pids
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        assert pool.busy == 0
        await check_works(pool)
        assert pool.pids != pids

    with_pool(work)


def test_a_cancelled_job_that_waits_is_dropped(tmp_path: Path) -> None:
    async def work(pool: BotPool) -> None:
        running = asyncio.create_task(pool.choose(record(), "sleeper", str(tmp_path / "started")))
        await until((tmp_path / "started").exists)
        waiting = asyncio.create_task(pool.choose(record(), "sleeper", str(tmp_path / "never")))
        await until(lambda: pool.waiting == 1)
        pids = pool.pids
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert (pool.waiting, pool.busy, pool.pids) == (0, 1, pids)
        running.cancel()
        await check_works(pool)
        assert not (tmp_path / "never").exists()

    with_pool(work)


@pytest.mark.parametrize("delay", [0, 0.002, 0.02, 0.1])
def test_a_job_can_be_cancelled_while_its_process_starts(delay: float) -> None:
    async def work(pool: BotPool) -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(pool.choose(record(), "sleeper", "/dev/null"), delay)

    with_pool(work)


def test_stopping_fails_all_jobs(tmp_path: Path) -> None:
    async def work(pool: BotPool) -> None:
        seeds = [str(tmp_path / str(number)) for number in range(5)]
        jobs = [asyncio.create_task(pool.choose(record(), "spinner", seed)) for seed in seeds]
        await until(lambda: len(list(tmp_path.iterdir())) == 2)
        await pool.stop()
        reasons = [str(error) for error in await asyncio.gather(*jobs, return_exceptions=True)]
        assert reasons == ["its process ended with code -9"] * 2 + ["the pool is not running"] * 3
        with pytest.raises(BotFailed, match="not running"):
            await check_works(pool)

    with_pool(work, processes=2)


def test_stopping_amid_a_start_leaves_nothing() -> None:
    async def work(pool: BotPool) -> None:
        job = asyncio.create_task(check_works(pool))
        await until(lambda: pool.busy == 1)
        await pool.stop()
        with pytest.raises(BotFailed):
            await job
        await pool.start()
        await check_works(pool)

    with_pool(work)


SERVER = f"""
import asyncio
from granada.server.bot_pool.pool import BotPool
from tests.server.test_bot_pool import record

async def main():
    pool = BotPool(3, {LONG}, {ODD_BOTS})
    await pool.start()
    await asyncio.gather(*(pool.choose(record(), "random", "7") for _ in range(3)))
    jobs = [asyncio.create_task(pool.choose(record(), level, level)) for level in ("spinner", "sleeper")]
    await asyncio.gather(*jobs)

asyncio.run(main())
"""


def test_the_processes_end_when_the_server_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER], cwd=tmp_path, stderr=subprocess.PIPE) as server:
        asyncio.run(until(lambda: {"spinner", "sleeper"} <= {path.name for path in tmp_path.iterdir()}))
        killed = time.monotonic()
        server.kill()
        # The processes inherit the log pipe, which closes when the last of them ends.
        assert server.communicate(timeout=10)[1] == b""
        assert time.monotonic() - killed < 5


# Levels


def test_levels_go_from_friendly_to_strong() -> None:
    known = levels()
    assert [level.id for level in known if level.kind == "level"] == list(LEVELS)
    assert [level.id for level in known if level.kind == "personality"] == list(PERSONALITIES)
    assert [level.kind for level in known] == sorted([level.kind for level in known], key=KINDS.index)
    assert {level.id for level in known} == set(BOTS)
    assert strongest() == LEVELS[-1]
    assert all(is_level(level.id) for level in known)
    assert not is_level("nobody")


def test_what_cannot_think_here_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without something that computes its network, there is no learned bot, and hints come from the next level."""
    monkeypatch.setattr("granada.engine.model._has_numpy", lambda: False)
    assert [level.id for level in levels() if level.kind == "level"] == list(LEVELS[:-1])
    assert strongest() == LEVELS[-2]
    assert not is_level(LEVELS[-1])


def test_the_bots_of_others_are_offered_after_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "guest", RandomBot)
    assert (levels()[-1].id, levels()[-1].kind, levels()[-1].rating) == ("guest", "other", None)
    assert strongest() == LEVELS[-1]


def test_ratings_are_those_of_the_ladder_if_there_are_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("granada.tables.levels.files", lambda _: tmp_path)
    ratings.cache_clear()
    assert ratings() == {}
    (tmp_path / "ratings.json").write_text('{"random": 712.6, "greedy": 1350}', "utf-8")
    assert ratings() == {}  # they are cached
    ratings.cache_clear()
    assert {level.id: level.rating for level in levels()}.items() >= {"random": 713, "greedy": 1350}.items()
    ratings.cache_clear()


@pytest.mark.parametrize(("seconds", "text"), [(1.0, "x:1s"), (0.25, "x:0.25s"), (10.0, "x:10s"), (0.01, "x:0.01s")])
def test_how_a_level_is_told_how_long_to_think(seconds: float, text: str) -> None:
    assert spec_of("x", seconds) == text
    assert Spec.parse(text) == Spec("x", seconds)
    assert Spec.parse(spec_of("x", seconds, 40)) == Spec("x", seconds, 40)


def test_bots_think_as_long_as_the_pool_says() -> None:
    async def run() -> None:
        pool = BotPool(1, LONG, ODD_BOTS, 0.25, 40)
        await pool.start()
        try:
            with pytest.raises(BotFailed, match=re.escape("LookupError: 0.25 s, 40 nodes")):
                await pool.choose(record(), "echo", "s")
        finally:
            await pool.stop()

    asyncio.run(run())


# Advice


def test_the_pool_advises_what_a_bot_here_would_advise() -> None:
    async def work(pool: BotPool) -> None:
        found = await pool.advise(record(), "greedy", "7", 3)
        assert found == advise(AdviceJob(record(), "greedy", "7", 3))
        assert found[0].action == await pool.choose(record(), "greedy", "7")

    with_pool(work)


def test_advice_has_an_order_and_figures() -> None:
    async def work(pool: BotPool) -> None:
        found = await pool.advise(record(), "adviser", "7", 3)
        assert [(one.lead, one.win is not None) for one in found] == [(10.0, True), (8.0, True), (6.0, True)]
        assert len({one.action for one in found}) == 3
        assert await pool.advise(record(), "adviser", "7", 1) == found[:1]
        boundless = (await pool.advise(record(), "boundless", "7", 3))[0]
        assert (boundless.action, boundless.lead, boundless.win) == (found[0].action, None, None)

    with_pool(work)


@rule("16.1", "16.2")
def test_who_advises_sees_what_the_seat_may_see(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record in the job contains secrets, but the bot does not get them."""
    seen: list[View] = []

    class Witness(Bot):
        def advise(self, view: View, actions: Sequence[Action], count: int = 3) -> list[Advice]:
            seen.append(view)
            return [Advice(actions[0])]

    monkeypatch.setitem(BOTS, "witness", Witness)
    for actions in range(0, 40, 5):
        advise(AdviceJob(record(actions), "witness", "s", 3))
        state = Replay(record(actions), partial=True).run()
        assert seen[-1] == state.view(state.seat, remembers=True)
        for other in range(3):
            assert other == state.seat or set(seen[-1].bonus(other)) <= {None, *state.players[other].seen_bonus}


@pytest.mark.parametrize(("level", "reason"), [("braggart", "is not offered"), ("miser", "advises nothing")])
def test_advice_that_is_worth_nothing_fails(level: str, reason: str) -> None:
    async def work(pool: BotPool) -> None:
        with pytest.raises(BotFailed, match=reason):
            await pool.advise(record(), level, "7", 3)
        await check_works(pool)

    with_pool(work)


def test_a_review_tells_how_far_it_is() -> None:
    async def work(pool: BotPool) -> None:
        progress: list[float] = []
        found = await pool.review(AnalysisJob(whole(), "random", "s", 5.0), progress.append)
        assert progress == sorted(progress)
        assert len(progress) > 10
        assert 0 <= progress[0] <= progress[-1] < 1
        assert len(found.chances) == len([line for line in whole().split("\n") if line[:1].isdigit()]) + 1

    with_pool(work)


def test_a_review_gives_way_to_all_others() -> None:
    async def work(pool: BotPool) -> None:
        await pool.review(AnalysisJob(whole(), "random", "s", 1.0), lambda _: None)
        assert os.getpriority(os.PRIO_PROCESS, pool.pids[0]) == 19

    with_pool(work)
