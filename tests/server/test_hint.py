"""Hints: recommended actions from what the seat may see, and their effects."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest
from msgspec.structs import replace as replace_struct
from starlette.types import Message

from granada import Options, State
from granada.bots import make_bot
from granada.records.notation import action_text, parse_action
from granada.rules.acting import Buy, Take
from granada.rules.bonus import Reveal
from granada.rules.placing import Give, Place, Reserve
from granada.rules.rebuilding import Add, Remove, Swap
from granada.rules.scoring import score_rows
from granada.server.bot_pool.pool import BotPool
from granada.server.http.app import bare_app
from granada.server.http.credentials import COOKIE
from granada.server.ops.settings import Settings
from granada.server.server import Server
from granada.tables.aids import next_scoring
from granada.tables.answers import answer
from granada.tables.errors import TableError
from granada.tables.fair_queue import Owner
from granada.tables.hints import Hints
from granada.tables.holders import hash_of
from granada.tables.levels import strongest
from granada.tables.live_table import LiveTable
from granada.tables.lobby import start
from granada.tables.messages import Ask, Change, Offer
from granada.tables.ports import BotFailed
from granada.tables.reasons import acts_again, better_fits, changes, points_change
from granada.tables.requests import Hint, Idea
from tests.kit import display, hand, position, row, rule, yard
from tests.server.moments import GAMES, moments
from tests.server.running import Guest, RunningServer, play_on, prefer_building, running
from tests.server.tables import ANA, BEN, Log
from tests.server.test_api import error_code


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("hint"), GRANADA_BOT_THINK="0.05") as found:
        yield found


def ask(guest: Guest, table: str, seat: int | None = None) -> dict[str, Any]:
    return guest.post(f"/tables/{table}/hint", {"seat": seat})


def hint_error(guest: Guest, table: str, seat: int | None = None) -> str:
    return error_code(guest.http.post(f"/api/tables/{table}/hint", json={"seat": seat}))


# On a server


def test_a_hint_can_be_played_at_once(server: RunningServer) -> None:
    with Guest(server) as host:
        table = host.open_table(["person", "person"], modules=["bonus", "huts"])
        host.start(table)
        message = host.get(f"/tables/{table}")
        turns: list[list[str]] = []
        for _ in range(30):
            found = ask(host, table)
            assert found == ask(host, table)
            assert found["level"] == strongest()
            idea, *others = found["ideas"]
            assert len(others) < 3
            for one in found["ideas"]:
                assert one["action"] in message["own"]["actions"]
                assert one["win"] is None or 0 <= one["win"] <= 1
                turns.append([one["action"], *one["then"]])
            message = host.command(table, type="act", n=message["n"], action=idea["action"])
            assert message["type"] == "table", message
        assert any(len(turn) > 1 for turn in turns)
        for action, *then in turns:
            assert bool(then) or not action.startswith("buy")


@rule("3.4", "4.1")
def test_a_hint_has_the_whole_turn_in_mind(server: RunningServer) -> None:
    """Check that the recommended actions are legal one after the other and end the turn."""
    with Guest(server) as host:
        table = host.open_table(["person", "person"])
        host.start(table)
        message = host.get(f"/tables/{table}")
        longest = 0
        for _ in range(12):
            turns, (idea, *_) = message["view"]["turns"], ask(host, table)["ideas"]
            for action in (idea["action"], *idea["then"]):
                assert message["view"]["turns"] == turns
                message = host.command(table, type="act", n=message["n"], action=action)
                assert message["type"] == "table", message
            assert message["view"]["turns"] == turns + 1
            longest = max(longest, len(idea["then"]))
        assert longest


def test_hints_are_refused_to_whom_they_do_not_belong(server: RunningServer) -> None:
    with Guest(server) as host, Guest(server) as ben, Guest(server) as nobody:
        table = host.open_table(["person", "open", "person"])
        ben.sit(table, 2)
        assert hint_error(host, table) == "not_running"
        host.start(table)
        assert hint_error(nobody, table) == "unauthorized"
        nobody.open_table(["person", "open"])
        assert hint_error(nobody, table) == "no_seat"
        assert hint_error(nobody, "AAAAAAAAAAAAAAAA") == "not_found"
        assert hint_error(ben, table, seat=1) == "no_seat"
        assert hint_error(host, table, seat=7) == "malformed"
        deciding = host.get(f"/tables/{table}")["view"]["deciding"]
        other = {1: 3, 3: 1, 2: 1}[deciding]
        assert hint_error(host, table, seat=other) == "not_your_turn"
        decider, waiting = (ben, host) if deciding == 2 else (host, ben)
        assert hint_error(waiting, table) == "not_your_turn"
        assert ask(decider, table) == ask(decider, table, seat=deciding)


def test_purists_get_no_hint(server: RunningServer) -> None:
    with Guest(server) as host:
        table = host.open_table(["person", "person"], aids="purist")
        for _ in range(2):
            assert hint_error(host, table) == "purist"
            if host.get(f"/tables/{table}")["table"]["phase"] == "lobby":
                host.start(table)


def test_there_is_no_hint_after_the_end(server: RunningServer) -> None:
    with Guest(server) as host:
        table = host.open_table(["person", "person"])
        host.start(table)
        with host.socket(table) as socket:
            play_on(socket, random.Random(3))
        assert hint_error(host, table) == "over"


@rule("7")
def test_the_points_of_a_hint_are_those_of_the_preview(server: RunningServer) -> None:
    with Guest(server) as host:
        table = host.open_table(["person", "person"])
        host.start(table)
        message, seen, choose = host.get(f"/tables/{table}"), 0, random.Random(6)
        while seen < 5:
            idea = ask(host, table)["ideas"][0]
            verb, *words = idea["action"].split()
            if verb == "place":
                asked = host.command(table, type="ask", how="place", tile=words[0], cell=words[2])
                assert asked["preview"]["points"].get(str(message["own"]["seat"])) == idea["points"]
                seen += idea["points"] is not None
            elif verb in ("take", "buy"):
                assert idea["points"] is None
            action = idea["action"]
            if verb not in ("buy", "place"):
                action = choose.choice(prefer_building(message["own"]["actions"]))
            message = host.command(table, type="act", n=message["n"], action=action)


# What the bot may see


@rule("16.1", "16.2")
@pytest.mark.parametrize("options", [one for one in GAMES if "bonus" in one.modules], ids=repr)
def test_a_hint_does_not_depend_on_what_the_seat_cannot_see(options: Options) -> None:
    rng = random.Random(f"hint {options}")
    for state in moments(options, 25):
        if len(state.offers()) > 1:
            sampled = [state.resample(state.seat, rng) for _ in range(2)]
            found = [_ideas(one) for one in (state, *sampled)]
            assert found[0] == found[1] == found[2]


def _ideas(state: State) -> list[Idea]:
    """Return the advice with all figures; a fixed number of nodes makes it repeatable."""
    bot = make_bot(f"{strongest()}:8n", "s")
    advice = bot.advise(state.view(state.seat, remembers=True), state.offers(), 3)
    return [Idea(action_text(one.action), None, one.lead, one.win) for one in advice]


# Points


@rule("7")
@pytest.mark.parametrize("options", GAMES, ids=repr)
def test_only_what_changes_cities_or_dirk_or_reveals_changes_points(options: Options) -> None:
    for state in moments(options, 40, max_turns=40):
        scoring, seat = next_scoring(state), state.seat
        assert scoring is not None
        before = sum([one.points for one in score_rows(state, scoring) if one.seat == seat])
        for action in state.offers():
            change = points_change(state, seat, action)
            assert change is None or change.before == before != change.after
            if not isinstance(action, Place | Add | Swap | Remove | Give | Reveal):
                assert change is None
            if isinstance(action, Place) and action.face is action.tile:
                words = action_text(action).split()
                preview = answer(state, seat, Ask("q", "place", words[1], words[3]), has_aids=True).preview
                assert preview is not None
                assert preview.points.get(str(seat + 1)) == change


@rule("7.3", "9.4", "9.6")
def test_a_tile_for_dirk_costs_the_majority() -> None:
    state = position(players=2)
    assert state.dirk is not None
    state.dirk.tiles = ()
    row(state, 0, "tower-12")
    given = parse_action("give tower-11")
    assert isinstance(given, Give)
    state.tray = (given.tile,)
    assert points_change(state, 0, given) == Change(6, 3)
    assert points_change(state, 0, Reserve(given.tile)) is None
    assert points_change(state, 1, given) is None


@rule("13.2")
def test_a_revealed_card_counts() -> None:
    state = position("alhambra", 3, "bonus")
    row(state, 0, "tower-12")
    row(state, 1, "tower-11")
    reveal = parse_action("reveal tower-12")
    assert isinstance(reveal, Reveal)
    state.players[0].bonus = (reveal.tile,)
    assert points_change(state, 0, reveal) == Change(3, 6)
    assert state.players[0].bonus == (reveal.tile,)  # the request did not reveal anything


# Computation


class SlowPool:
    """A bot runner that answers on demand."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.owners: list[Owner] = []
        self.answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.cancelled = 0

    async def advise(self, record: str, level: str, seed: str, count: int, owner: Owner) -> list[Idea]:
        assert count == 3
        self.asked.append((level, seed))
        self.owners.append(owner)
        try:
            return [Idea(await asyncio.shield(self.answer), None, 7.5, 0.625)]
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


def started() -> tuple[Log, LiveTable]:
    log = Log().start()
    return log, LiveTable(log.table)


def a_take(log: Log) -> str:
    return next(action for action in log.offers() if action.startswith("take"))


def fits_of(log: Log, take: str) -> list[Offer]:
    assert log.table.game is not None
    state = log.table.game.state
    return better_fits(state, state.seat, parse_action(take))


async def begun(hints: Hints, live: LiveTable, times: int = 1) -> list[asyncio.Task[Hint]]:
    tasks = [asyncio.create_task(hints.hint(live, ANA, None)) for _ in range(times)]
    await asyncio.sleep(0.01)
    return tasks


def test_a_position_is_thought_about_once() -> None:
    async def run() -> None:
        pool = SlowPool()
        hints, (log, live) = Hints(cast(BotPool, pool)), started()
        waiting = await begun(hints, live, 3)
        waiting[0].cancel()  # cancelling one request does not cancel the others
        take = a_take(log)
        pool.answer.set_result(take)
        found = [*[await task for task in waiting[1:]], await hints.hint(live, ANA, None)]
        assert found == [Hint(strongest(), [Idea(take, None, 7.5, 0.625)])] * 3
        assert pool.cancelled == 0
        assert pool.asked == [(strongest(), log.table.bot_seed())]
        log.act(take)
        pool.answer = asyncio.get_running_loop().create_future()
        pool.answer.set_result(a_take(log))
        await hints.hint(live, ANA, None)
        assert len(pool.asked) == 2
        assert len({seed for _, seed in pool.asked}) == 2

    asyncio.run(run())


def test_the_last_who_goes_away_stops_the_bot() -> None:
    async def run() -> None:
        pool = SlowPool()
        hints, (log, live) = Hints(cast(BotPool, pool)), started()
        waiting = await begun(hints, live, 2)
        waiting[0].cancel()
        await asyncio.sleep(0.01)
        assert pool.cancelled == 0
        waiting[1].cancel()
        again = asyncio.create_task(hints.hint(live, ANA, None))  # immediately, even if the bot has not stopped yet
        await asyncio.sleep(0.01)
        assert pool.cancelled == 1
        pool.answer.set_result(log.offers()[0])
        assert (await again).ideas[0].action == log.offers()[0]
        assert len(pool.asked) == 2

    asyncio.run(run())


def test_who_closes_the_connection_stops_the_bot(sqlite_url: str) -> None:
    async def run() -> None:
        server = Server(Settings(database=sqlite_url, rate=0))
        app, pool, log = bare_app(server), SlowPool(), Log().start()
        server.context.operations._hints = Hints(cast(BotPool, pool))  # type: ignore[misc]
        live = LiveTable(log.table)
        server.tables.registry.tables[log.table.id] = live
        secret = "s" * 43
        own = hash_of(secret)
        log.table.seats[:] = [replace(one, plan=replace_struct(one.plan, holder=own)) for one in log.table.seats]
        messages: asyncio.Queue[Message] = asyncio.Queue()
        messages.put_nowait({"type": "http.request", "body": b"{}", "more_body": False})
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        headers = [(b"content-type", b"application/json"), (b"cookie", f"{COOKIE}={secret}".encode())]
        path = f"/api/tables/{log.table.id}/hint"
        scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
        asking = asyncio.create_task(app({**scope, "scheme": "http", "server": ("x", 1)}, messages.get, send))
        await asyncio.sleep(0.1)
        assert len(pool.asked) == 1
        assert sent == []
        messages.put_nowait({"type": "http.disconnect"})
        await asking
        await asyncio.sleep(0.01)
        assert pool.cancelled == 1

    asyncio.run(run())


def test_who_plays_meanwhile_gets_no_hint_for_a_position_of_the_past() -> None:
    async def run() -> None:
        pool = SlowPool()
        hints, (log, live) = Hints(cast(BotPool, pool)), started()
        (waiting,) = await begun(hints, live)
        take = a_take(log)
        log.act(take)
        pool.answer.set_result(take)
        with pytest.raises(TableError) as caught:
            await waiting
        assert caught.value.code == "stale"

    asyncio.run(run())


def test_a_bot_that_fails_gives_no_hint_and_is_asked_again() -> None:
    async def run() -> None:
        pool = SlowPool()
        hints, (log, live) = Hints(cast(BotPool, pool)), started()
        (waiting,) = await begun(hints, live)
        pool.answer.set_exception(BotFailed("it is out"))
        with pytest.raises(TableError) as caught:
            await waiting
        assert caught.value.code == "unavailable"
        assert "it is out" not in caught.value.detail
        pool.answer = asyncio.get_running_loop().create_future()
        pool.answer.set_result(log.offers()[0])
        assert (await hints.hint(live, ANA, None)).ideas[0].action == log.offers()[0]

    asyncio.run(run())


def test_a_table_that_is_forgotten_is_forgotten_here_too() -> None:
    async def run() -> None:
        pool = SlowPool()
        hints, (log, live) = Hints(cast(BotPool, pool)), started()
        pool.answer.set_result(log.offers()[0])
        await hints.hint(live, ANA, None)
        with pytest.raises(TableError, match="have no seat"):
            await hints.hint(live, BEN, None)
        assert len(hints._asked) == 1
        del live
        assert len(hints._asked) == 0

    asyncio.run(run())


def test_a_session_gets_one_hint_at_a_time_and_the_address_pays() -> None:
    async def run() -> None:
        pool = SlowPool()
        hints = Hints(cast(BotPool, pool))
        logs = [Log().start() for _ in range(6)]
        lives = [LiveTable(log.table) for log in logs]
        asking = [asyncio.create_task(hints.hint(live, ANA, None, "192.0.2.1")) for live in lives]
        other = Log(holder=BEN)
        other.store(start(other.table, BEN))
        theirs = asyncio.create_task(hints.hint(LiveTable(other.table), BEN, None, "192.0.2.1"))
        await asyncio.sleep(0.01)
        assert pool.owners == [Owner("192.0.2.1", ANA.hash), Owner("192.0.2.1", BEN.hash)]
        refused = [task for task in asking if task.done()]
        assert len(refused) == 2
        for task in refused:
            error = task.exception()
            assert isinstance(error, TableError)
            assert error.code == "too_many"
        asking[0].cancel()  # the next one starts
        await asyncio.sleep(0.01)
        assert [owner.table for owner in pool.owners] == [ANA.hash, BEN.hash, ANA.hash]
        for task in [theirs, *asking]:
            task.cancel()
        await asyncio.sleep(0.01)
        assert (len(hints._asking._waiting), len(hints._asking._locks)) == (0, 0)

    asyncio.run(run())


def test_the_only_action_needs_no_bot() -> None:
    async def run() -> None:
        pool = SlowPool()
        hints, (log, live) = Hints(cast(BotPool, pool)), started()
        assert log.table.game is not None
        state = log.table.game.state
        for player in state.players:
            player.give_up(player.hand())
        state.display = state.display[:1]
        take = f"take {state.display[0].name}"
        assert await hints.hint(live, ANA, None) == Hint(strongest(), [Idea(take, fits=fits_of(log, take))])
        assert pool.asked == []

    asyncio.run(run())


def test_the_actions_that_only_move_money_are_not_tried_out() -> None:
    state = position()
    for action in state.offers():
        assert isinstance(action, Take | Buy)
        assert points_change(state, 0, action) is None


@rule("3.4")
def test_who_pays_exactly_acts_again() -> None:
    exact = parse_action("buy garden-8-NE with y5 y3")
    over = parse_action("buy garden-8-NE with y9")
    assert acts_again(exact)
    assert not acts_again(over)
    assert not acts_again(parse_action("take y3"))


@rule("3.2", "3.3", "3.4")
def test_money_is_taken_for_the_tiles_that_it_fits_better() -> None:
    state = position()
    yard(state, "tower-11", "garden-8-NW", "pavilion-5-NW", "arcades-8-N")
    hand(state, 0, "y8 g9 b4")
    display(state, "y3 g8 b2 o7")

    def fits(text: str) -> list[tuple[str, str, int]]:
        return [(one.tile, one.fit, one.by) for one in better_fits(state, 0, parse_action(text))]

    assert fits("take y3") == [("tower-11", "exact", 0)]
    assert fits("take g8") == [("garden-8-NW", "exact", 0)]
    assert fits("take o7") == [("arcades-8-N", "short", 1)]
    assert fits("take y3 b2") == [("tower-11", "exact", 0), ("pavilion-5-NW", "over", 1)]
    assert fits("buy garden-8-NW with g9") == []
    assert state.players[0].money(0) == 8  # the request did not change anything


@rule("7")
@pytest.mark.parametrize("options", GAMES[::4], ids=repr)
def test_what_a_purchase_changes_is_what_its_best_place_would(options: Options) -> None:
    seen = 0
    for state in moments(options, 7, max_turns=60):
        for action in [one for one in state.offers() if isinstance(one, Buy)][:2]:
            found = changes(state, state.seat, action)
            asked = answer(state, state.seat, Ask("q", "place", action.tile.name), has_aids=True)
            legal = [one.cell for one in asked.cells if one.is_legal]
            assert (found is None) == (not legal)
            if found is not None:
                previews = [
                    answer(state, state.seat, Ask("q", "place", action.tile.name, cell), True).preview for cell in legal
                ]
                assert found in previews
                seat = str(state.seat + 1)
                gains = [one.points[seat].after if seat in one.points else None for one in previews if one is not None]
                assert seat not in found.points or found.points[seat].after == max(
                    one for one in gains if one is not None
                )
                seen += 1
    assert seen > 0
