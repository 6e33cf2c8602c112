"""Whole turns are played until chance or another seat decides, and the value of an action is that of its best turn."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from granada import Action, Options, State
from granada.bots import make_bot
from granada.bots.budget import Budget
from granada.bots.candidates import candidates
from granada.bots.external.position_reader import read_position
from granada.bots.halving import Candidate
from granada.bots.search import SearchBot
from granada.bots.search_advice import CONTINUING
from granada.bots.turns import Turn, continuations, goes_on, is_exact, joined, most_promising, whole_turns
from granada.engine.weights import Weights
from granada.records.notation import action_text, parse_action
from granada.rules.acting import Buy
from granada.rules.chance import First
from granada.rules.events import Displayed, YardFilled
from granada.rules.money import total
from granada.rules.options import EDITIONS
from granada.rules.rebuilding import Remove
from tests.bots.test_halving import Clock
from tests.bots.test_levels import moments
from tests.kit import module_sets, rule

WEIGHTS = Weights()
HERE = Path(__file__).parent


def check(state: State, turn: Turn) -> State:
    """Play a turn; every action must be legal, and only the last one may end the turn. Returns the state after it."""
    after, seat, turns = state.copy(), state.seat, state.turns
    for i, action in enumerate(turn.actions):
        assert after.is_legal(action), action_text(action)
        step = after.step
        after.play(action, First())
        assert goes_on(after, seat, turns, step) == (i < len(turn.actions) - 1)
    return after


@rule("3.4", "4.1", "11.2", "13.2", "14.2")
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3])
def test_a_whole_turn_is_legal_and_ends_where_chance_or_another_seat_decides(edition: str, players: int) -> None:
    lengths: Counter[int] = Counter()
    seen: Counter[str] = Counter()
    for game in range(2):
        for state in moments(Options(edition, players, module_sets(edition)[-1]), f"turns {game}"):
            kind = type(state.step).__name__
            seen[kind] += 1
            if seen[kind] % 7 != 1:
                continue
            first = candidates(state, state.offers(), WEIGHTS, 8)
            key = state.key()
            for some, one in zip(whole_turns(state, first, WEIGHTS, 5, 40), first, strict=True):
                assert some[0].worth == one.worth
                assert [turn.worth for turn in some] == sorted([turn.worth for turn in some], reverse=True)
                assert len({turn.actions for turn in some}) == len(some)
                for turn in some:
                    assert turn.actions[0] == one.action
                    lengths[len(turn.actions)] += 1
                    check(state, turn)
            assert state.key() == key
    assert lengths[1]
    assert lengths[2]
    assert lengths[3]


@rule("6.1", "6.2")
def test_a_turn_does_not_go_on_once_something_was_drawn() -> None:
    drawn = 0
    for state in moments(Options("alhambra", 2, ("vizier",)), "drawn", 60):
        seat, turns, step = state.seat, state.turns, state.step
        for action in state.offers()[:3]:
            after = state.copy()
            after.play(action, First())
            if any(isinstance(event, (Displayed, YardFilled)) for event in after.events):
                drawn += 1
                assert not goes_on(after, seat, turns, step)
    assert drawn > 50


def test_the_others_begin_with_various_actions() -> None:
    take, buy = parse_action("take y3"), parse_action("take g2")
    turns = [[Turn((one, take), 9.0 - i) for i in range(6)] for one in (take, buy)]
    kept, rest = most_promising(turns, 4)
    assert [turn.actions[0] for turn in kept] == [take, buy] * 3
    assert len(rest) == 6
    assert not most_promising([turns[0][:1]], 5)[1]


@rule("4.2")
@pytest.mark.parametrize("spec", ["search:1500n", "strongest:1500n"])
def test_a_purchase_is_worth_what_the_best_turn_after_it_brings(spec: str) -> None:
    """Turning the tile over wins the game; the quick policy would not do it."""
    position = read_position((HERE / "turned_tile.position").read_text("utf-8").splitlines())
    best = make_bot(spec, 1).advise(position.view, position.actions)[0]
    assert action_text(best.action) == "buy hospital-6 with y8"
    assert best.win is not None
    assert best.win > 0.95
    assert "district-7" in action_text(best.then[0])


@rule("3.4")
def test_ideas_tell_the_whole_turn() -> None:
    """Return what a bot would play after an exact purchase, and where it places the tile."""
    exact = 0
    for number, state in enumerate(moments(Options("alhambra", 2), "whole", 60)):
        if number % 4:
            continue
        for advice in make_bot("search:200n", 1).advise(state.view(state.seat, remembers=True), state.offers()):
            check(state, Turn((advice.action, *advice.then), 0.0))
            action = advice.action
            if isinstance(action, Buy) and total(action.cards) == action.tile.price:
                exact += 1
                assert len(advice.then) >= 2
    assert exact


def bought(turn: Turn) -> set[object]:
    """Return what a turn does, regardless of the cards paid."""
    return {action.tile if isinstance(action, Buy) else action for action in turn.actions}


@rule("3.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_turn_can_follow_an_exact_purchase(edition: str) -> None:
    """An exact purchase before a turn of another action, if that is still legal."""
    joint = 0
    for state in moments(Options(edition, 3, module_sets(edition)[-1]), "joined", 120):
        first = candidates(state, state.offers(), WEIGHTS, 8)
        turns = [some[0] for some in whole_turns(state, first, WEIGHTS, 5, 0)]
        for one in turns:
            found = joined(state, one, turns, WEIGHTS)
            assert is_exact(one.actions[0]) or not found
            for turn in found:
                joint += 1
                check(state, turn)
                assert turn.actions[0] == one.actions[0]
                assert any(bought(other) <= bought(turn) for other in turns)
    assert joint > 20


@rule("3.4")
@pytest.mark.parametrize("edition", EDITIONS)
def test_continuations_are_whole_turns_that_begin_with_the_action(edition: str) -> None:
    """Other exact purchases come before the rest of the turn that is known."""
    ended = longer = 0
    for number, state in enumerate(moments(Options(edition, 3, module_sets(edition)[-1]), "joined", 120)):
        if number % 3:
            continue
        first = candidates(state, state.offers(), WEIGHTS, 8)
        for some in whole_turns(state, first, WEIGHTS, 5, 0):
            found = continuations(
                state, some[0], WEIGHTS, 5, 10, lambda after: candidates(after, after.offers(), WEIGHTS, 12)
            )
            ended += not found
            assert bool(found) == (len(some[0].actions) > 1)
            for turn in found:
                check(state, turn)
                assert turn.actions[0] == some[0].actions[0]
                longer += is_exact(turn.actions[1]) and bought(some[0]) < bought(turn)
    assert ended
    assert longer > 3


@rule("3.4")
@pytest.mark.parametrize("seed", [1, 2])
def test_an_exact_purchase_is_worth_what_a_bot_finds_right_after_it(seed: int) -> None:
    """Scoring B is near, and a second tile is worth more than the money; the quick policy prefers to take a card."""
    position = read_position((HERE / "second_purchase.position").read_text("utf-8").splitlines())
    best = make_bot("strongest:1500n", seed).advise(position.view, position.actions)[0]
    assert action_text(best.action) == "buy arena-8 with g8"
    assert action_text(best.then[0]) == "buy tower-12 with y8 y8"
    assert best.win is not None
    assert best.win > 0.58


@rule("3.4")
def test_a_bot_buys_exactly_before_what_it_would_do_anyway() -> None:
    """In this position a tile is removed to make room; another one can be bought exactly before that."""
    position = read_position((HERE / "closed_city.position").read_text("utf-8").splitlines())
    best = make_bot("strongest:800n", 1).advise(position.view, position.actions)[0]
    assert is_exact(best.action)
    assert any(isinstance(action, Remove) for action in best.then)


def test_any_number_of_turns_can_be_compared_even_with_actions_that_quick_judgement_does_not_know() -> None:
    found = moments(Options("alhambra", 3), "compare")
    state = next(one for one in found if any([isinstance(action, Remove) for action in one.offers()]))
    removal = next(action for action in state.offers() if isinstance(action, Remove))
    others = [action for action in state.offers() if not isinstance(action, Remove)][:4]
    turns = [(action,) for action in (*others, removal)]
    advice = make_bot("strongest:60n", "compare").compare(state.view(state.seat, remembers=True), turns)
    assert {one.action for one in advice} == {*others, removal}


def test_continuations_have_time_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for the best actions uses its part of the time to the end."""
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    position = read_position((HERE / "second_purchase.position").read_text("utf-8").splitlines())
    left: list[float] = []
    tried: set[tuple[Action, ...]] = set()

    class Slow(SearchBot):
        def _continuations(self, first: Candidate, pool: int) -> list[Candidate]:
            left.append(self.budget.left())
            found = super()._continuations(first, pool)
            tried.update([one.turn for one in found])
            return found

        def _try(self, tried: Sequence[Candidate], lucks: Sequence[int], turns: int | None = None) -> None:
            super()._try(tried, lucks, turns)
            clock.now += 0.0005 * len(tried) * len(lucks) if turns is None else 0.0

    begin = clock.now
    advice = Slow(1, Budget(seconds=0.5)).advise(position.view, position.actions)
    assert clock.now - begin == pytest.approx(0.5, abs=0.05)
    assert left[0] == pytest.approx(CONTINUING * 0.5, abs=0.1)
    assert len(tried) > 5
    assert all([one.win is not None for one in advice])
