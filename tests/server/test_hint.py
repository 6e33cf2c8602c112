"""Hints: what the strongest bot would do, from what the seat may see, and what that does to the own points."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any, cast

import pytest

from granada import Options, State
from granada.bots import make_bot
from granada.notation import action_text, parse_action
from granada.rules.acting import Buy, Take
from granada.rules.bonus import Reveal
from granada.rules.placing import Give, Place, Reserve
from granada.rules.rebuilding import Add, Remove, Swap
from granada.rules.scoring import score_rows
from granada.server.aids import next_scoring
from granada.server.answers import answer
from granada.server.bot_pool import BotFailed, BotPool
from granada.server.hints import Hints, points_change
from granada.server.levels import levels
from granada.server.live import LiveTable
from granada.server.messages import Ask, Change
from granada.server.problems import Refusal
from granada.server.requests import Hint, Idea
from tests.kit import position, row, rule
from tests.server.moments import GAMES, moments
from tests.server.running import Guest, RunningServer, play_on, prefer_building, running
from tests.server.tables import ANA, BEN, Log
from tests.server.test_api import refused


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running(tmp_path_factory.mktemp("hint")) as found:
        yield found


def ask(guest: Guest, table: str, seat: int | None = None) -> dict[str, Any]:
    return guest.post(f"/tables/{table}/hint", {"seat": seat})


def ask_in_vain(guest: Guest, table: str, seat: int | None = None) -> str:
    return refused(guest.http.post(f"/api/tables/{table}/hint", json={"seat": seat}))


# On a server


def test_a_hint_can_be_played_at_once(server: RunningServer) -> None:
    with Guest(server) as host:
        table = host.open_table(["person", "person"], modules=["bonus", "huts"])
        host.start(table)
        message = host.get(f"/tables/{table}")
        for _ in range(30):
            found = ask(host, table)
            assert found == ask(host, table)
            assert found["level"] == levels()[-1].id
            (idea,) = found["ideas"]
            assert idea["action"] in message["own"]["actions"]
            message = host.command(table, type="act", n=message["n"], action=idea["action"])
            assert message["type"] == "table", message


def test_hints_are_refused_to_whom_they_do_not_belong(server: RunningServer) -> None:
    with Guest(server) as host, Guest(server) as ben, Guest(server) as nobody:
        table = host.open_table(["person", "open", "person"])
        ben.sit(table, 2)
        assert ask_in_vain(host, table) == "not_running"
        host.start(table)
        assert ask_in_vain(nobody, table) == "unauthorized"
        nobody.open_table(["person", "open"])
        assert ask_in_vain(nobody, table) == "no_seat"
        assert ask_in_vain(nobody, "AAAAAAAAAAAAAAAA") == "not_found"
        assert ask_in_vain(ben, table, seat=1) == "no_seat"
        assert ask_in_vain(host, table, seat=7) == "malformed"
        deciding = host.get(f"/tables/{table}")["view"]["deciding"]
        other = {1: 3, 3: 1, 2: 1}[deciding]
        assert ask_in_vain(host, table, seat=other) == "not_your_turn"
        decider, waiting = (ben, host) if deciding == 2 else (host, ben)
        assert ask_in_vain(waiting, table) == "not_your_turn"
        assert ask(decider, table) == ask(decider, table, seat=deciding)


def test_purists_get_no_hint(server: RunningServer) -> None:
    with Guest(server) as host:
        table = host.open_table(["person", "person"], aids="purist")
        for _ in range(2):
            assert ask_in_vain(host, table) == "purist"
            if host.get(f"/tables/{table}")["table"]["phase"] == "lobby":
                host.start(table)


def test_there_is_no_hint_after_the_end(server: RunningServer) -> None:
    with Guest(server) as host:
        table = host.open_table(["person", "person"])
        host.start(table)
        with host.socket(table) as socket:
            play_on(socket, random.Random(3))
        assert ask_in_vain(host, table) == "over"


@rule("7")
def test_the_points_of_a_hint_are_those_of_the_preview(server: RunningServer) -> None:
    with Guest(server) as host:
        table = host.open_table(["person", "person"])
        host.start(table)
        message, seen, choose = host.get(f"/tables/{table}"), 0, random.Random(6)
        while seen < 5:
            (idea,) = ask(host, table)["ideas"]
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
    rng, level = random.Random(f"hint {options}"), levels()[-1].id
    for state in moments(options, 15):
        found = {_choice(one, level) for one in (state, *[state.resample(state.seat, rng) for _ in range(3)])}
        assert len(found) == 1


def _choice(state: State, level: str) -> str:
    return action_text(make_bot(level, "s").choose(state.view(state.seat, remembers=True), state.offers()))


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
    assert state.players[0].bonus == (reveal.tile,)  # nothing was revealed by asking


# Thinking


class SlowPool:
    """A pool whose bots answer when they are told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def choose(self, record: str, level: str, seed: str) -> str:
        self.asked.append((level, seed))
        return await asyncio.shield(self.answer)


def started() -> tuple[Log, LiveTable]:
    log = Log().start()
    return log, LiveTable(log.table)


async def begun(hints: Hints, live: LiveTable, times: int = 1) -> list[asyncio.Task[Hint]]:
    tasks = [asyncio.create_task(hints.hint(live, ANA, None)) for _ in range(times)]
    await asyncio.sleep(0.01)
    return tasks


def test_a_position_is_thought_about_once() -> None:
    async def run() -> None:
        pool = SlowPool()
        hints, (log, live) = Hints(cast(BotPool, pool)), started()
        waiting = await begun(hints, live, 3)
        waiting[0].cancel()  # who goes away does not take the idea from the others
        take = next(action for action in log.offers() if action.startswith("take"))
        pool.answer.set_result(take)
        assert [await task for task in waiting[1:]] == [Hint(levels()[-1].id, [Idea(take)])] * 2
        assert await hints.hint(live, ANA, None) == Hint(levels()[-1].id, [Idea(take)])
        assert pool.asked == [(levels()[-1].id, log.table.bot_seed())]
        log.act(take)
        await hints.hint(live, ANA, None)
        assert len(pool.asked) == 2
        assert len({seed for _, seed in pool.asked}) == 2

    asyncio.run(run())


def test_who_plays_meanwhile_gets_no_hint_for_a_position_of_the_past() -> None:
    async def run() -> None:
        pool = SlowPool()
        hints, (log, live) = Hints(cast(BotPool, pool)), started()
        (waiting,) = await begun(hints, live)
        take = next(action for action in log.offers() if action.startswith("take"))
        log.act(take)
        pool.answer.set_result(take)
        with pytest.raises(Refusal) as caught:
            await waiting
        assert caught.value.code == "stale"

    asyncio.run(run())


def test_a_bot_that_fails_gives_no_hint_and_is_asked_again() -> None:
    async def run() -> None:
        pool = SlowPool()
        hints, (log, live) = Hints(cast(BotPool, pool)), started()
        (waiting,) = await begun(hints, live)
        pool.answer.set_exception(BotFailed("it is out"))
        with pytest.raises(Refusal) as caught:
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
        with pytest.raises(Refusal, match="hold no seat"):
            await hints.hint(live, BEN, None)
        assert len(hints._asked) == 1
        del live
        assert len(hints._asked) == 0

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
        assert await hints.hint(live, ANA, None) == Hint(levels()[-1].id, [Idea(f"take {state.display[0].name}")])
        assert pool.asked == []

    asyncio.run(run())


def test_the_actions_that_only_move_money_are_not_tried_out() -> None:
    state = position()
    for action in state.offers():
        assert isinstance(action, Take | Buy)
        assert points_change(state, 0, action) is None
