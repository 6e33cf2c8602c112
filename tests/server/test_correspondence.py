"""Correspondence games: days for a turn, also across restarts; bots play on although nobody watches."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from granada.server.bot_pool.pool import BotPool
from granada.server.ops.settings import Settings
from granada.server.server import Server
from granada.server.store.notifier import LocalNotifier
from granada.server.store.sql_store import SqlStore
from granada.tables import lobby
from granada.tables.cleanup import Cleanup
from granada.tables.clock import clock, server_time
from granada.tables.clocks import DAY, Clocks
from granada.tables.commands import expire, propose
from granada.tables.correspondence import let_bot
from granada.tables.entries import Created, HandedOver, Resumed, SeatPlan
from granada.tables.errors import TableError
from granada.tables.holders import Holder
from granada.tables.live_table import UNWATCHED, LiveTable
from granada.tables.messages import Act, Clock, LetBot, TableOptions
from granada.tables.outlooks import Outlooks, outlook_of
from granada.tables.presence import Presence
from granada.tables.registry import CORRESPONDENCE_BURST, TableRegistry
from granada.tables.scheduler import EXPIRES_SOON, IDLE, MAX_UNWATCHED, Scheduler, next_task
from granada.tables.table import MISSED
from tests.server.running import Guest, running
from tests.server.tables import ANA, BEN, NOON, Log
from tests.server.test_clocks import deciding, two_devices
from tests.server.test_watching import Bots, at, played, until

HOUR = 3_600_000
THREE_DAYS = {"mode": "days"}
AUTOMATIC = {"mode": "days", "days": 1, "bot_when_over": True}


@pytest.fixture
def later() -> Iterator[Callable[[float], None]]:
    """Let the time of the server pass, in milliseconds."""
    offset = server_time._offset

    def pass_by(milliseconds: float) -> None:
        server_time._offset += int(milliseconds) * 1_000_000

    yield pass_by
    server_time._offset = offset


def whose(log: Log) -> Holder:
    return (ANA, BEN)[deciding(log)]


def other(log: Log) -> Holder:
    return (BEN, ANA)[deciding(log)]


# The clock


def test_a_turn_has_days() -> None:
    clocks = Clocks(Clock("days", days=2), 2)
    clocks.run(0, 1, 0)
    assert (clocks.left(0, DAY), clocks.expires_at()) == (DAY, 2 * DAY)
    clocks.run(1, 2, DAY + HOUR)
    clocks.run(0, 3, 2 * DAY)
    assert clocks.left(0, 2 * DAY) == 2 * DAY


@pytest.mark.parametrize("days", [0, 15])
def test_a_turn_has_one_to_fourteen_days(days: int) -> None:
    with pytest.raises(Exception, match="days"):
        two_devices(clock={"mode": "days", "days": days})


def test_only_the_time_in_which_the_server_was_down_is_nobodys() -> None:
    log = two_devices(clock=THREE_DAYS)
    seat = deciding(log)
    log.now += 2 * DAY  # a day of thinking, then the server was down for 20 hours, then 4 hours of thinking
    log.store(Resumed(NOON + DAY, NOON + DAY + 20 * HOUR))
    assert log.table.clocks.left(seat, log.now) == 2 * DAY - 4 * HOUR
    assert log.again().clocks.left(seat, log.now) == 2 * DAY - 4 * HOUR
    log.store(Resumed(NOON + DAY, log.now - HOUR))  # what was before the last entry is settled
    assert log.table.clocks.left(seat, log.now) == 2 * DAY - 4 * HOUR


def test_a_shared_device_needs_not_be_passed_in_days() -> None:
    assert Log(clock=THREE_DAYS).start().table.passing is None


# When the time is over


def ask_bot(log: Log, holder: Holder) -> None:
    log.store(let_bot(log.table, holder, LetBot("x", log.n), log.now))


def test_unless_chosen_nothing_happens_and_the_others_may_let_a_bot_play() -> None:
    log = two_devices(clock=THREE_DAYS)
    late, waiting = whose(log), other(log)
    seat = deciding(log)
    with pytest.raises(TableError, match="still has time"):
        ask_bot(log, waiting)
    log.now += 3 * DAY
    assert next_task(LiveTable(log.table)) is None
    for holder in (Holder("s" * 64), waiting):
        with pytest.raises(TableError) as refused:
            let_bot(log.table, holder, LetBot("x", log.n + (holder is waiting)), log.now)
        assert refused.value.code == ("stale" if holder is waiting else "no_seat")
    ask_bot(log, waiting)
    assert log.table.bot_for(seat) == "greedy"
    with pytest.raises(TableError, match="A bot finishes this turn"):
        propose(log.table, late, Act("x", log.n, log.offers()[0]))
    with pytest.raises(TableError, match="playing already"):
        ask_bot(log, waiting)
    while deciding(log) == seat:
        log.play_at_random(random.Random(1), by="bot")
    assert log.table.bot_for(seat) is None  # only for this turn


def test_somebody_late_may_still_play_before_the_others_decide() -> None:
    log = two_devices(clock=THREE_DAYS)
    log.now += 4 * DAY
    n = log.n
    log.act(log.offers()[0], holder=whose(log))
    assert log.n == n + 1


def test_the_turn_of_somebody_who_has_left_can_be_given_to_a_bot_at_once() -> None:
    log = two_devices(clock=THREE_DAYS)
    seat, waiting = deciding(log), other(log)
    log.store(lobby.leave_seat(log.table, whose(log), seat))
    assert next_task(LiveTable(log.table)) is None
    ask_bot(log, waiting)
    assert log.table.seats[seat].handed_over == "left"


def test_in_other_games_nobody_decides_this() -> None:
    log = two_devices(clock={"mode": "turn", "seconds": 60})
    log.now += 61_000
    with pytest.raises(TableError, match="Only in a correspondence game"):
        ask_bot(log, other(log))


def test_if_chosen_a_bot_plays_the_turn_but_not_for_players_who_never_come_back() -> None:
    log = two_devices(clock=AUTOMATIC)
    rounds = 0
    while (task := next_task(LiveTable(log.table))) is not None:
        seat = deciding(log)
        assert (task.what, task.at) == ("expire", log.now + DAY)
        log.now += DAY
        log.store(expire(log.table, seat))
        assert log.table.seats[seat].handed_over == "expired"
        while deciding(log) == seat:
            log.play_at_random(random.Random(rounds), by="bot")
        rounds += 1
    assert rounds == 2 * MISSED
    log.act(log.offers()[0], holder=whose(log))  # one is back, and everything is as before
    assert next_task(LiveTable(log.table)) is not None


def test_nobody_has_to_be_present() -> None:
    log = two_devices(clock=THREE_DAYS, takeover=True, grace=5)
    live = LiveTable(log.table)
    live.elsewhere["there"] = (frozenset([other(log).hash]), 0)
    assert live.takeover_at(deciding(log)) is None


# On a server: which tables are looked after


class Place:
    """A process with a store: registry, scheduler and outlooks."""

    def __init__(self, store: SqlStore) -> None:
        self.store = store
        self.registry = TableRegistry(store)
        self.presence = Presence(self.registry)
        self.bots = Bots()
        self.outlooks = Outlooks(store.outlooks)
        self.registry.noted = self.outlooks.note
        self.scheduler = Scheduler(
            self.registry,
            self.presence,
            cast(BotPool, self.bots),
            LocalNotifier(),
            0.0,
            outlooks=self.outlooks,
        )

    async def begin(self) -> Place:
        """Start as a process does."""
        self.registry.downtime = await self.outlooks.downtime()
        await self.round()
        return self

    async def round(self) -> None:
        await self.scheduler._round(0)
        await self.outlooks.flush()

    async def table(
        self, *kinds: str, clock: dict[str, Any] | None = None, address: str = "192.0.2.1", **options: Any
    ) -> LiveTable:
        """Return a started table; each seat is `ana`, `ben` or a level."""
        people = {"ana": ANA, "ben": BEN}
        seats = tuple(
            [
                SeatPlan("person", kind, None, people[kind].hash) if kind in people else SeatPlan("bot", f"B{i}", kind)
                for i, kind in enumerate(kinds)
            ]
        )
        chosen = TableOptions(clock=Clock(**(THREE_DAYS if clock is None else clock)), **options)
        live = await self.registry.create(Created(chosen, seats, options.pop("is_public", False), ANA.hash), address)
        return await self.registry.change(live.table.id, lambda one: lobby.start(one, ANA))

    async def move(self, live: LiveTable, holder: Holder) -> None:
        """Play a whole turn of a person."""
        seat = live.table.deciding()
        while live.table.deciding() == seat and live.table.waits_for_person() == seat:
            await self.registry.change(
                live.table.id, lambda one: propose(one, holder, Act("x", n(one), offers(live)[0]))
            )

    def close(self) -> None:
        self.scheduler.close()


def n(table: Any) -> int:
    assert table.game is not None
    return int(table.game.state.n)


def offers(live: LiveTable) -> list[str]:
    from granada.records.notation import action_text

    assert live.table.game is not None
    return [action_text(action) for action in live.table.game.state.offers()]


def is_waiting(live: LiveTable) -> bool:
    return live.table.waits_for_person() is not None


def test_bots_play_on_until_the_next_person_although_nobody_watches(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store)
        live = await place.table("ana", "random", "greedy", "random")
        await until(lambda: is_waiting(live))
        before = played(live)
        await place.move(live, ANA)
        await until(lambda: is_waiting(live))
        assert played(live) >= before + 4  # Ana's turn, and those of three bots
        assert {owner.address for owner in place.bots.asked} == {"192.0.2.1"}
        place.close()

    at(sqlite_url, work)


@pytest.mark.parametrize(
    ("kinds", "clock"),
    [
        (("greedy", "greedy", "greedy"), THREE_DAYS),
        (("ana", "greedy", "greedy"), {"mode": "turn", "seconds": 86_400}),
    ],
    ids=["only bots", "no correspondence"],
)
def test_other_bots_wait_until_somebody_watches(sqlite_url: str, kinds: tuple[str, ...], clock: Any) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store)
        live = await place.table(*kinds, clock=clock)
        if live.table.waits_for_person() is not None:
            await place.move(live, ANA)
        assert not is_waiting(live)
        await place.round()
        assert place.bots.asked == []
        assert live.scheduled is None
        place.close()

    at(sqlite_url, work)


def test_bots_that_play_for_all_people_who_left_wait_for_somebody_who_watches(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store)
        live = await place.table("ana", "random", "random")
        await until(lambda: is_waiting(live))
        seat = live.table.deciding()
        assert seat is not None
        await place.registry.change(live.table.id, lambda one: lobby.leave_seat(one, ANA, seat))
        await place.registry.change(live.table.id, lambda one: lobby.hand_over(one, seat))
        place.bots.asked.clear()
        await place.round()
        assert place.bots.asked == []
        place.close()

    at(sqlite_url, work)


def test_an_address_with_many_such_tables_gets_a_few_at_a_time(sqlite_url: str) -> None:
    """S1: forty-five tables at which nobody watches."""

    async def work(store: SqlStore) -> None:
        place = Place(store)
        place.bots.may_play.clear()
        tables = [await place.table("ana", *["strongest"] * 5) for _ in range(45)]
        for live in tables:
            if is_waiting(live):
                await place.move(live, ANA)
        await until(lambda: len(place.bots.asked) >= MAX_UNWATCHED)
        await place.round()
        assert len(place.bots.asked) == MAX_UNWATCHED
        another = await place.table("ana", "strongest", address="192.0.2.9")
        if is_waiting(another):
            await place.move(another, ANA)
        await until(lambda: len(place.bots.asked) == MAX_UNWATCHED + 1)
        place.bots.may_play.set()
        async with asyncio.timeout(60):
            while not all(is_waiting(live) for live in tables):
                await place.round()
                await asyncio.sleep(0.01)
        place.close()

    at(sqlite_url, work)


def test_one_address_opens_only_so_many_correspondence_games(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        registry = TableRegistry(store)
        seats = (SeatPlan("person", "Ana", None, ANA.hash), SeatPlan("bot", "Ben", "random"))
        for kind in ("days", "none"):
            created = Created(TableOptions(clock=Clock(cast(Any, kind))), seats, False, ANA.hash)
            for _ in range(CORRESPONDENCE_BURST):
                await registry.create(created, "192.0.2.1")
            if kind == "days":
                with pytest.raises(TableError, match="correspondence"):
                    await registry.create(created, "192.0.2.1")
                await registry.create(created, "192.0.2.2")

    at(sqlite_url, work)


def test_a_waiting_game_needs_no_memory_and_is_loaded_when_its_time_is_over(
    sqlite_url: str, later: Callable[[float], None]
) -> None:
    async def work(store: SqlStore) -> None:
        place = await Place(store).begin()
        live = await place.table("ana", "ben", clock=AUTOMATIC)
        table_id, seat = live.table.id, live.table.deciding()
        assert seat is not None
        await place.round()
        later(IDLE + 1000)
        await place.round()
        assert table_id not in place.registry.tables
        later(DAY - IDLE - EXPIRES_SOON - 60_000)
        await place.round()
        assert table_id not in place.registry.tables
        later(EXPIRES_SOON + 70_000)
        await place.round()
        found = place.registry.tables[table_id]
        await until(lambda: found.table.deciding() != seat)
        assert [entry.body for entry in await store.entries(table_id)][2] == HandedOver(seat, "expired")
        place.close()

    at(sqlite_url, work)


def test_a_game_that_nobody_chose_to_hurry_only_waits(sqlite_url: str, later: Callable[[float], None]) -> None:
    async def work(store: SqlStore) -> None:
        place = await Place(store).begin()
        live = await place.table("ana", "ben")
        await place.round()
        later(IDLE + 1000)
        await place.round()
        later(5 * DAY)
        await place.round()
        assert place.registry.tables == {}
        [mine] = (await place.outlooks.own_tables(ANA)).tables
        assert (mine.id, mine.left) == (live.table.id, 0)
        place.close()

    at(sqlite_url, work)


def test_a_server_that_was_down_charges_nobody_for_it(sqlite_url: str, later: Callable[[float], None]) -> None:
    async def work(store: SqlStore) -> None:
        place = await Place(store).begin()
        live = await place.table("ana", "ben", clock=AUTOMATIC)
        table_id, seat = live.table.id, live.table.deciding()
        assert seat is not None
        later(20 * HOUR)
        await place.round()  # the heartbeat
        place.close()
        later(30 * DAY)
        again = await Place(store).begin()
        found = await again.registry.table(table_id)
        left = found.table.clocks.left(seat, clock())
        assert left is not None
        assert 4 * HOUR - 60_000 < left <= 4 * HOUR
        assert not isinstance((await store.entries(table_id))[-1].body, HandedOver)
        # A short restart stores nothing.
        version = found.table.version
        await again.round()
        again.close()
        third = await Place(store).begin()
        assert (await third.registry.table(table_id)).table.version == version
        third.close()

    at(sqlite_url, work)


def test_after_a_restart_bots_go_on_without_anybody(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store)
        place.bots.may_play.clear()
        live = await place.table("ana", "random", "random")
        if is_waiting(live):
            await place.move(live, ANA)
        await until(lambda: bool(place.bots.asked))
        place.close()
        again = await Place(store).begin()
        found = await again.registry.table(live.table.id)
        await until(lambda: is_waiting(found))
        assert {owner.address for owner in again.bots.asked} == {UNWATCHED}
        again.close()

    at(sqlite_url, work)


def test_a_table_that_waits_for_bots_is_found_again_when_it_has_left_memory(sqlite_url: str) -> None:
    async def work(store: SqlStore) -> None:
        place = await Place(store).begin()
        place.bots.may_play.clear()
        live = await place.table("ana", "random", "random")
        if is_waiting(live):
            await place.move(live, ANA)
        await place.outlooks.flush()
        place.scheduler.close()
        del place.registry.tables[live.table.id]
        place.scheduler._is_open = True
        place.bots.may_play.set()
        await place.round()
        found = place.registry.tables[live.table.id]
        await until(lambda: is_waiting(found))
        place.close()

    at(sqlite_url, work)


def test_a_game_is_kept_as_long_as_its_clock_runs(sqlite_url: str, later: Callable[[float], None]) -> None:
    class Uptime:
        seconds = 0.0

        def __call__(self) -> float:
            return self.seconds

    async def work(store: SqlStore) -> None:
        uptime = Uptime()
        cleanup = Cleanup(store, 2, uptime)
        place = await Place(store).begin()
        slow = await place.table("ana", "ben", clock={"mode": "days", "days": 14})
        usual = await place.table("ana", "ben", clock={"mode": "none"})
        await place.outlooks.flush()
        place.close()
        for _ in range(12):
            later(DAY)
            uptime.seconds += DAY / 1000
            await cleanup.run(())
        assert set(await store.last_changes()) == {slow.table.id}
        assert [one.id for one in (await place.outlooks.own_tables(ANA)).tables] == [slow.table.id]
        for _ in range(6):
            later(DAY)
            uptime.seconds += DAY / 1000
            await cleanup.run(())
        assert await store.last_changes() == {}
        assert (await place.outlooks.own_tables(ANA)).tables == []
        assert usual.table.id != slow.table.id

    at(sqlite_url, work)


# Own tables, and public ones


def test_everybody_finds_their_tables_and_whose_turn_it_is(database_url: str) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store)
        game = await place.table("ana", "ben")
        private = await place.table("ana", "random", "random", clock={"mode": "none"})
        await place.table("random", "random")  # Ana has opened it
        hers = {one.id: one for one in (await place.outlooks.own_tables(ANA)).tables}
        [his] = (await place.outlooks.own_tables(BEN)).tables
        assert len(hers) == 3
        assert (his.id, his.seats, his.names, his.kinds) == (game.table.id, [2], ["ana", "ben"], ["person", "person"])
        assert his.is_your_turn is not hers[game.table.id].is_your_turn
        assert (his.days, his.phase, his.turn) == (3, "playing", 1)
        assert his.left is not None
        assert 3 * DAY - 60_000 < his.left <= 3 * DAY
        assert (hers[private.table.id].days, hers[private.table.id].left) == (None, None)
        was_his = his.is_your_turn
        await place.move(game, BEN if was_his else ANA)
        [his] = (await place.outlooks.own_tables(BEN)).tables
        assert (his.is_your_turn, his.turn) == (not was_his, 2)
        assert (await place.outlooks.own_tables(Holder("c" * 64))).tables == []
        await place.registry.change(game.table.id, lambda one: lobby.leave_seat(one, BEN, 1))
        assert (await place.outlooks.own_tables(BEN)).tables == []
        place.close()

    at(database_url, work)


def test_an_older_outlook_replaces_no_newer_one(database_url: str) -> None:
    async def work(store: SqlStore) -> None:
        place = Place(store)
        game = await place.table("ana", "ben")
        old = outlook_of(game.table)
        await place.move(game, ANA if game.table.seats[game.table.deciding() or 0].plan.holder == ANA.hash else BEN)
        await place.outlooks.flush()
        await store.outlooks.note_outlooks([old])
        assert [one.turn for one in (await place.outlooks.own_tables(ANA)).tables] == [2]
        place.close()

    at(database_url, work)


def test_the_time_at_which_a_process_ran_never_goes_back(database_url: str) -> None:
    async def work(store: SqlStore) -> None:
        assert await store.outlooks.last_alive() is None
        for moment in (1000, 500, 2000):
            await store.outlooks.note_alive(moment)
        assert await store.outlooks.last_alive() == 2000

    at(database_url, work)


def test_a_whole_correspondence_game_over_http(tmp_path: Path) -> None:
    with running(tmp_path) as server, Guest(server) as ana, Guest(server) as ben, Guest(server) as cleo:
        assert ben.get("/mine") == {"tables": []}
        table = ana.post(
            "/tables",
            {
                "seats": [{"kind": "person"}, {"kind": "open"}, {"kind": "bot", "level": "random"}],
                "options": {"clock": {"mode": "days", "days": 5}},
                "is_public": True,
            },
        )["table"]["id"]
        ben.sit(table, 2, "Ben")
        ana.start(table)
        guests = {1: ana, 2: ben}
        # Nobody is connected: the bot moves on by itself, and each finds the table when it is their turn.
        turns = 0
        while turns < 4:
            for seat, guest in guests.items():
                [mine] = guest.get("/mine")["tables"]
                assert (mine["seats"], mine["days"]) == ([seat], 5)
                if not mine["is_your_turn"]:
                    continue
                turns += 1
                while (message := guest.get(f"/tables/{table}"))["view"]["deciding"] == seat:
                    guest.command(table, type="act", n=message["n"], action=message["own"]["actions"][0])
        [listed] = cleo.get("/tables")["tables"]
        assert (listed["id"], listed["phase"], listed["days"], listed["spectators"]) == (table, "playing", 5, True)
        assert listed["turn"] >= 4
        refused = ana.command(table, type="let_bot", n=ana.get(f"/tables/{table}")["n"])
        assert refused["code"] in ("not_late", "stale")


def test_two_processes_share_what_is_due(postgres_url: str) -> None:
    async def run() -> None:
        servers = [Server(Settings(database=postgres_url, bot_pause=0, rate=0)) for _ in range(2)]
        for server in servers:
            await server.open()
        one, two = servers
        seats = (SeatPlan("person", "Ana", None, ANA.hash), SeatPlan("bot", "Ben", "random"))
        created = Created(TableOptions(clock=Clock("days")), seats, False, ANA.hash)
        table = await one.tables.registry.create(created, "192.0.2.1")
        await one.tables.registry.change(table.table.id, lambda now: lobby.start(now, ANA))
        await until(lambda: is_waiting(table))
        there = await two.tables.registry.table(table.table.id)
        before = played(there)
        await two.tables.registry.change(
            table.table.id, lambda now: propose(now, ANA, Act("x", n(now), offers(there)[0]))
        )
        await until(lambda: is_waiting(table) and played(table) > before)
        assert two.tables.outlooks is not None
        [mine] = (await two.tables.outlooks.own_tables(ANA)).tables
        assert mine.seats == [1]
        for server in servers:
            await server.close()

    asyncio.run(run())
