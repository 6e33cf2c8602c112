"""Puzzles at tables: only the seat of the puzzle plays, nothing hidden is sent, and whole turns are judged."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from granada.browser.dispatcher import Dispatcher
from granada.puzzles.puzzle import Puzzle, read_turn
from granada.puzzles.shipped import shipped
from granada.puzzles.turns import is_whole_turn, outcome
from granada.records.replay import replay
from granada.tables import scheduler
from granada.tables.bot_jobs import Compared
from granada.tables.fair_queue import Owner
from granada.tables.ports import BotFailed
from tests.browser.devices import NO_OWNER, QuickBots, device

PATIENCE = 60.0
#: A puzzle with a chain of several actions.
CHAIN = next(one for one in shipped().values() if len(one.best.turn) > 3 and "chain" in one.themes)


class Judge(QuickBots):
    """Bots that say how two turns compare."""

    def __init__(self, lead: float | None, win: float = 0.0) -> None:
        super().__init__()
        self.gap = None if lead is None else Compared(lead, win)
        self.asked: list[list[str]] = []

    async def compare(
        self, record: str, level: str, seed: str, better: Sequence[str], worse: Sequence[str], owner: Owner = NO_OWNER
    ) -> Compared:
        self.asked.append(list(worse))
        if self.gap is None:
            raise BotFailed("no time")
        return self.gap


def on_device(folder: Path, work: Callable[[Dispatcher], Awaitable[None]], bots: QuickBots | None = None) -> None:
    async def run() -> None:
        async with device(folder, bots) as dispatcher, asyncio.timeout(PATIENCE):
            await work(dispatcher)

    asyncio.run(run())


async def ask(dispatcher: Dispatcher, method: str, path: str, body: object = None, status: int = 200) -> Any:
    text = "" if method == "GET" else json.dumps({} if body is None else body)
    reply = await dispatcher.request(method, f"/api{path}", "application/json", text)
    assert reply.status == status, reply.body
    return json.loads(reply.body)


async def open_table(dispatcher: Dispatcher, puzzle: Puzzle) -> Any:
    return await ask(dispatcher, "POST", f"/puzzles/{puzzle.id}/table", {"name": "Ana"}, 201)


async def answer(dispatcher: Dispatcher, puzzle: Puzzle, actions: Sequence[str], status: int = 200) -> Any:
    return await ask(dispatcher, "POST", f"/puzzles/{puzzle.id}/attempt", {"actions": list(actions)}, status)


def test_ratings_and_single_puzzles_agree_with_the_list(tmp_path: Path) -> None:
    """The home page chooses the next puzzle by the ratings, and shows its city."""

    async def work(dispatcher: Dispatcher) -> None:
        listed = (await ask(dispatcher, "GET", "/puzzles"))["puzzles"]
        rated = (await ask(dispatcher, "GET", "/puzzles/ratings"))["ratings"]
        assert rated == {str(one["id"]): one["rating"] for one in listed}
        for one in listed[::40]:
            info = await ask(dispatcher, "GET", f"/puzzles/{one['id']}")
            assert (info["city"], info["rating"]) == (one["city"], one["rating"])

    on_device(tmp_path, work)


def another_turn(puzzle: Puzzle) -> list[str]:
    """Return a whole turn that was not valued: the first offered action that ends the turn."""
    state, options = puzzle.state(), puzzle.source.options()
    valued = [puzzle.best.turn, *puzzle.accepted, puzzle.obvious.turn, *[one.turn for one in puzzle.others]]
    known = {outcome(state, read_turn(turn, options)) for turn in valued}
    found = [(action,) for action in state.offers() if is_whole_turn(state, (action,))]
    return [str(next(turn for turn in found if outcome(state, turn) not in known)[0])]


# The list and the table


def test_the_list_shows_cities_but_no_answers(tmp_path: Path) -> None:
    async def work(dispatcher: Dispatcher) -> None:
        listed = (await ask(dispatcher, "GET", "/puzzles"))["puzzles"]
        assert [one["id"] for one in listed] == list(shipped())
        first = shipped()[1]
        assert listed[0] == {
            "id": 1,
            "edition": first.source.edition,
            "players": len(first.source.bots),
            "modules": list(first.source.modules),
            "themes": list(first.themes),
            "grade": first.grade,
            "rating": first.rating,
            "city": dict(first.city),
        }
        found = await ask(dispatcher, "GET", f"/puzzles/{CHAIN.id}")
        assert (found["seat"], found["grade"]) == (CHAIN.seat + 1, CHAIN.grade)
        assert found["task"]["what"] in ("turn", "vizier", "scoring", "last")
        assert "themes" not in found
        for number in (0, len(listed) + 1):
            status = 404 if number else 400
            await ask(dispatcher, "GET", f"/puzzles/{number}", status=status)

    on_device(tmp_path, work)


def test_the_table_is_the_position_as_its_seat_may_see_it(tmp_path: Path) -> None:
    async def work(dispatcher: Dispatcher) -> None:
        table = await open_table(dispatcher, CHAIN)
        state = CHAIN.state()
        assert (table["n"], table["table"]["puzzle"], table["table"]["phase"]) == (CHAIN.n, CHAIN.id, "playing")
        own = table["own"]
        assert own["seat"] == CHAIN.seat + 1
        assert own["hand"] == [card.name for card in state.players[CHAIN.seat].hand()]
        for seat, player in enumerate(table["view"]["players"]):
            assert player["hand"] is None
            assert table["table"]["seats"][seat]["is_yours"] == (seat == CHAIN.seat)
        names = [one["name"] for one in table["table"]["seats"]]
        assert names[CHAIN.seat] == "Ana"
        assert len(set(names)) == len(names)
        # The seed of the game would tell what comes.
        log = await ask(dispatcher, "GET", f"/tables/{table['table']['id']}/log")
        assert CHAIN.source.seed not in json.dumps([table, log])
        known = CHAIN.source.replayed(CHAIN.n)[1].lines
        assert [one["line"] for one in log["lines"]] == known

    on_device(tmp_path, work)


@pytest.mark.parametrize("edition", ["alhambra", "granada", "combined"])
def test_a_turn_is_played_and_undone_but_never_ends(edition: str, tmp_path: Path) -> None:
    puzzle = max(
        [one for one in shipped().values() if one.source.edition == edition], key=lambda one: len(one.best.turn)
    )

    async def work(dispatcher: Dispatcher) -> None:
        table = await open_table(dispatcher, puzzle)
        path = f"/tables/{table['table']['id']}"
        for round_ in ("first", "again"):
            for i, action in enumerate(puzzle.best.turn):
                # Without `hold`, too, the last action waits.
                body = {"type": "act", "id": f"{round_}{i}", "n": puzzle.n + i, "action": action, "hold": i % 2 == 0}
                table = await ask(dispatcher, "POST", f"{path}/commands", body)
            assert table["own"]["held"] == puzzle.best.turn[-1]
            assert table["n"] == puzzle.n + len(puzzle.best.turn) - 1
            confirm = {"type": "confirm", "id": f"{round_}c", "n": table["n"]}
            problem = await ask(dispatcher, "POST", f"{path}/commands", confirm, 409)
            assert problem["code"] == "puzzle"
            restart = {"type": "restart", "id": f"{round_}r", "n": table["n"]}
            table = await ask(dispatcher, "POST", f"{path}/commands", restart)
            if table["own"]["held"] is not None:
                table = await ask(dispatcher, "POST", f"{path}/commands", {**restart, "id": f"{round_}s"})
            assert (table["n"], table["own"]["held"]) == (puzzle.n, None)
        assert (await ask(dispatcher, "POST", f"{path}/hint", {}, 409))["code"] == "puzzle"

    on_device(tmp_path, work)


def test_nothing_moves_by_itself_at_a_puzzle(tmp_path: Path) -> None:
    async def work(dispatcher: Dispatcher) -> None:
        table = await open_table(dispatcher, CHAIN)
        registry = dispatcher._operations.registry
        live = await registry.table(table["table"]["id"])
        assert scheduler.next_task(live) is None
        assert await registry.store.playing() == []

    on_device(tmp_path, work)


# Verdicts


def test_the_best_turn_solves_it_in_any_order(tmp_path: Path) -> None:
    state, options = CHAIN.state(), CHAIN.source.options()
    turn = list(CHAIN.best.turn)
    orders = [[*turn[:-2], turn[-1], turn[-2]], [turn[1], turn[0], *turn[2:]]]
    other = next((one for one in orders if is_whole_turn(state, read_turn(one, options))), turn)

    async def work(dispatcher: Dispatcher) -> None:
        for actions in (turn, other, *CHAIN.accepted):
            verdict = await answer(dispatcher, CHAIN, actions)
            assert verdict["is_solved"]
            assert verdict["own"] == {"actions": list(actions), "gain": verdict["best"]["gain"]}
        assert verdict["best"]["actions"] == turn
        assert verdict["best"]["gain"] == round(CHAIN.gain, 1) > 0
        assert verdict["obvious"] == {"actions": list(CHAIN.obvious.turn), "gain": 0.0}
        assert verdict["themes"] == list(CHAIN.themes)
        assert {fact["code"] for fact in verdict["facts"]} >= {"exact"}
        assert verdict["n"] == CHAIN.n
        game = replay(verdict["record"])
        assert game.state.is_over
        assert game.state.n == len(CHAIN.source.actions)

    judge = Judge(None)
    on_device(tmp_path, work, judge)
    assert judge.asked == []


def test_a_known_turn_fails_with_its_value(tmp_path: Path) -> None:
    async def work(dispatcher: Dispatcher) -> None:
        verdict = await answer(dispatcher, CHAIN, CHAIN.obvious.turn)
        assert (verdict["is_solved"], verdict["own"]["gain"]) == (False, 0.0)
        worst = CHAIN.others[-1]
        verdict = await answer(dispatcher, CHAIN, worst.turn)
        assert not verdict["is_solved"]
        assert verdict["own"]["gain"] == pytest.approx(worst.lead - CHAIN.obvious.lead, abs=0.051)

    on_device(tmp_path, work, Judge(None))


@pytest.mark.parametrize(
    ("lead", "win", "is_solved"), [(4.2, 0.05, False), (0.3, 0.001, True), (0.3, 0.05, False), (2.0, 0.0, False)]
)
def test_another_turn_is_compared_with_the_best(lead: float, win: float, is_solved: bool, tmp_path: Path) -> None:
    turn, judge = another_turn(CHAIN), Judge(lead, win)

    async def work(dispatcher: Dispatcher) -> None:
        verdict = await answer(dispatcher, CHAIN, turn)
        assert verdict["is_solved"] == is_solved
        assert verdict["own"]["gain"] == pytest.approx(CHAIN.gain - lead, abs=0.051)

    on_device(tmp_path, work, judge)
    assert judge.asked == [turn]


def test_a_turn_that_nobody_can_value_has_no_number(tmp_path: Path) -> None:
    async def work(dispatcher: Dispatcher) -> None:
        verdict = await answer(dispatcher, CHAIN, another_turn(CHAIN))
        assert (verdict["is_solved"], verdict["own"]["gain"]) == (False, None)

    on_device(tmp_path, work, Judge(None))


class SlowJudge(Judge):
    """Answers when it is told to."""

    def __init__(self) -> None:
        super().__init__(1.0)
        self.may_answer = asyncio.Event()
        self.working = self.most = 0

    async def compare(
        self, record: str, level: str, seed: str, better: Sequence[str], worse: Sequence[str], owner: Owner = NO_OWNER
    ) -> Compared:
        self.working += 1
        self.most = max(self.most, self.working)
        await self.may_answer.wait()
        self.working -= 1
        return await super().compare(record, level, seed, better, worse, owner)


def test_attempts_wait_for_each_other_and_too_many_are_refused(tmp_path: Path) -> None:
    judge, turn = SlowJudge(), another_turn(CHAIN)

    async def work(dispatcher: Dispatcher) -> None:
        body = json.dumps({"actions": turn})
        path = f"/api/puzzles/{CHAIN.id}/attempt"
        asked = [asyncio.create_task(dispatcher.request("POST", path, "application/json", body)) for _ in range(6)]
        done, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        while len(done) < 2:
            done, _ = await asyncio.wait(asked, timeout=0.01)
        judge.may_answer.set()
        replies = await asyncio.gather(*asked)
        assert sorted([reply.status for reply in replies]) == [200] * 4 + [429] * 2

    on_device(tmp_path, work, judge)
    assert judge.most == 1
    assert len(judge.asked) == 4


def test_a_bot_compares_turns_by_roll_outs(tmp_path: Path) -> None:
    async def work(dispatcher: Dispatcher) -> None:
        verdict = await answer(dispatcher, CHAIN, another_turn(CHAIN))
        assert verdict["own"]["gain"] < CHAIN.gain

    on_device(tmp_path, work)


def test_what_is_not_one_whole_legal_turn_gets_a_sentence(tmp_path: Path) -> None:
    best = list(CHAIN.best.turn)
    take = another_turn(CHAIN)

    async def work(dispatcher: Dispatcher) -> None:
        for actions, code, words in (
            (best[:1], "bad_turn", "The turn is not complete: another action has to follow."),
            ([*best, best[-1]], "bad_turn", f"'{best[-1]}' comes after the end of the turn."),
            ([best[-1]], "illegal", "breaks rule"),
            (["take y9 y9"], "illegal", "'take y9 y9' breaks rule 3.2"),
            (["dance"], "malformed", "dance"),
            ([], "malformed", "actions"),
            (take * 41, "malformed", "actions"),
        ):
            status = {"malformed": 400}.get(code, 409)
            problem = await answer(dispatcher, CHAIN, actions, status)
            assert problem["code"] == code
            assert words in problem["detail"]

    on_device(tmp_path, work)
