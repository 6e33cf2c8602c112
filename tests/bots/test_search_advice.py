"""Advice from a search: values of whole turns, compared over the same samples."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from granada import Action, Take
from granada.bots.budget import Budget
from granada.bots.halving import Candidate
from granada.bots.search_advice import (
    CONTINUING,
    MORE_NODES,
    REPORTING,
    SEARCHING,
    SEARCHING_ONLY,
    best_of_each,
    ideas,
    turns_of_each,
)
from granada.rules.money import CARDS

ACTIONS: list[Action] = [Take((CARDS[6 + i],)) for i in range(12)]


def candidates(count: int) -> list[Candidate]:
    return [Candidate((action,), 0.0) for action in ACTIONS[:count]]


def never(tried: Sequence[Candidate], lucks: Sequence[int]) -> None:
    raise AssertionError("nothing was to be tried")


def continued(nodes: int) -> Budget:
    budget = Budget(nodes=nodes)
    budget.begin(CONTINUING, MORE_NODES)
    return budget


def called_off() -> Budget:
    budget = Budget(seconds=60.0)
    budget.begin(SEARCHING)
    budget.cancel()
    return budget


class Again:
    """Tries turns again: each has its own win chance, and most of the noise is common to all."""

    def __init__(self, chances: dict[tuple[Action, ...], float], own: float = 0.0, seed: int = 0) -> None:
        self.chances = chances
        self.own = own
        self.seed = seed
        self.nodes = 0

    def __call__(self, tried: Sequence[Candidate], lucks: Sequence[int]) -> None:
        for luck in lucks:
            common = random.Random(luck).gauss(0.0, 0.2)
            for one in tried:
                chance = self.chances[one.turn] + common
                if self.own:
                    chance += random.Random(f"{luck} {one.turn!r} {self.seed or ''}").gauss(0.0, self.own)
                one.add(chance, 40 * chance)
                self.nodes += 1


def test_advice_is_sorted_by_win_chance_and_nothing_is_above_the_best() -> None:
    """Without time to try them again, an action is compared with the results of the best so far."""
    best, stayed, lucky, early = candidates(4)
    for chance in (0.9, 0.9, 0.5, 0.5):
        best.add(chance, 40 * chance)
    for chance in (0.7, 0.7, 0.3, 0.3):
        stayed.add(chance, 40 * chance)
    lucky.add(0.95, 48.0)
    early.add(0.8, 32.0)
    budget = called_off()
    told = ideas([best, stayed, lucky, early], 4, budget, never)
    assert [advice.action for advice in told] == [one.action for one in (best, lucky, early, stayed)]
    assert [advice.win for advice in told] == pytest.approx([0.7, 0.7, 0.6, 0.5])
    assert [advice.lead for advice in told] == pytest.approx([28.0, 40.0, 24.0, 20.0])
    told = ideas([best, stayed, lucky, early], 2, budget, never)
    assert [advice.action for advice in told] == [best.action, stayed.action]


def test_an_alternative_that_is_as_good_is_not_reported_as_worse() -> None:
    """Values capped at that of the best would lie below the true ones on average."""
    differences: list[float] = []
    for number in range(240):
        best, equal = candidates(2)
        best.add(0.5, 20.0)
        equal.add(0.5, 20.0)
        again = Again({best.turn: 0.5, equal.turn: 0.5}, own=0.3, seed=number)
        first, second = ideas([best, equal], 2, Budget(nodes=400), again)
        assert first.win is not None
        assert second.win is not None
        differences.append(second.win - first.win)
    assert max(differences) > 0 > min(differences)
    assert abs(sum(differences) / len(differences)) < 0.007  # three standard errors


def test_ideas_that_were_not_tried_have_no_numbers() -> None:
    budget = Budget(nodes=100)
    assert [advice.win for advice in ideas(candidates(3), 3, budget, never)] == [None] * 3
    assert [advice.win for advice in ideas(candidates(1), 3, budget, never)] == [None]


def test_an_action_is_reported_once_with_its_best_turn() -> None:
    first, second = ACTIONS[:2]
    turns = [Candidate(turn, 0.0) for turn in ((first, ACTIONS[2]), (second,), (first, ACTIONS[3]), (first,))]
    assert best_of_each(turns) == [turns[0], turns[1]]
    for one in turns:
        one.add(0.5, 1.0)
    told = ideas(turns, 5, Budget(nodes=1), never)
    assert [(advice.action, advice.then) for advice in told] == [(first, (ACTIONS[2],)), (second, ())]


def test_an_action_that_was_unlucky_at_first_is_reported_with_new_samples() -> None:
    """It was dropped after a few bad tries, but is nearly as good as the best."""
    best, dropped = candidates(2)
    for _ in range(40):
        best.add(0.5, 20.0)
    for _ in range(4):
        dropped.add(0.1, 4.0)
    again = Again({best.turn: 0.5, dropped.turn: 0.48})
    told = ideas([best, dropped], 2, Budget(nodes=1000), again)
    assert told[1].win == pytest.approx((told[0].win or 0.0) - 0.02, abs=0.02)
    granted = (1.0 - SEARCHING_ONLY) * MORE_NODES * 1000
    assert 0.98 * granted <= again.nodes <= granted


def test_an_action_is_worth_its_best_turn_even_if_that_was_not_tried_before() -> None:
    best, action = candidates(1)[0], ACTIONS[1]
    turns = [Candidate((action, other), 0.0) for other in ACTIONS[2:6]]
    for _ in range(40):
        best.add(0.5, 20.0)
    for _ in range(4):
        turns[0].add(0.3, 12.0)
    again = Again({best.turn: 0.5, **{one.turn: 0.3 for one in turns}, turns[2].turn: 0.45})
    told = ideas([best, turns[0]], 2, continued(800), again, turns[1:], 4)
    assert told[1].then == turns[2].turn[1:]
    assert told[1].win == pytest.approx((told[0].win or 0.0) - 0.05, abs=0.01)
    assert again.nodes <= (CONTINUING + REPORTING) * MORE_NODES * 800


def test_an_action_whose_continuation_turns_out_to_be_better_than_the_best_action_comes_first() -> None:
    best, action = candidates(1)[0], ACTIONS[1]
    turns = [Candidate((action, other), 0.0) for other in ACTIONS[2:6]]
    for one in (best, turns[0]):
        one.add(0.5, 20.0)
    again = Again({best.turn: 0.5, **{one.turn: 0.4 for one in turns}, turns[3].turn: 0.7})
    told = ideas([best, turns[0]], 2, continued(800), again, turns[1:], 4)
    assert [(advice.action, advice.then) for advice in told] == [(action, turns[3].turn[1:]), (best.action, ())]
    assert told[1].win == pytest.approx((told[0].win or 0.0) - 0.2)


def test_the_reported_value_comes_from_luck_that_did_not_choose_the_turn() -> None:
    """All turns are equally good; the luck of the one that seems best must not be reported."""
    turns = [Candidate((ACTIONS[0], other), 0.0) for other in ACTIONS[1:9]]
    for one in turns:
        one.add(0.9, 36.0)
    noise = Again({one.turn: 0.5 for one in turns}, own=0.3)
    choosing: dict[tuple[Action, ...], list[float]] = {one.turn: [] for one in turns}
    reporting: list[float] = []

    def attempt(tried: Sequence[Candidate], lucks: Sequence[int]) -> None:
        noise(tried, lucks)
        for one in tried:
            (choosing[one.turn] if len(tried) > 1 else reporting).extend(one.chances[-len(lucks) :])

    told = ideas(turns, 1, continued(400), attempt, turns, 8)[0]
    chosen = choosing[told.action, *told.then]
    assert len(chosen) == max([len(tries) for tries in choosing.values()])
    assert len(reporting) > len(chosen)
    assert told.win == pytest.approx(sum(reporting) / len(reporting))


def test_nothing_is_tried_again_once_the_thinking_is_called_off() -> None:
    best, other = candidates(2)
    best.add(0.5, 1.0)
    other.add(0.4, 1.0)
    more = [Candidate((other.action, ACTIONS[4]), 0.0)]
    assert [advice.win for advice in ideas([best, other], 2, called_off(), never, more, 4)] == pytest.approx([0.5, 0.4])


def test_a_search_that_is_cancelled_after_choosing_continuations_reports_their_tries() -> None:
    best, other = candidates(2)
    turn = Candidate((other.action, ACTIONS[4]), 0.0)
    for one in (best, other):
        one.add(0.5, 1.0)
    again = Again({best.turn: 0.5, other.turn: 0.5, turn.turn: 0.7})
    budget = continued(400)

    def attempt(tried: Sequence[Candidate], lucks: Sequence[int]) -> None:
        again(tried, lucks)
        if len(tried[0].chances) == 8:
            budget.cancel()

    told = ideas([best, other], 2, budget, attempt, [turn], 4)
    assert again.nodes == 3 * 8
    assert [(advice.action, advice.then) for advice in told] == [(other.action, turn.turn[1:]), (best.action, ())]
    assert told[1].win == pytest.approx((told[0].win or 0.0) - 0.2)


def test_the_parts_of_a_budget_are_the_whole_and_few_tries_are_not_spread_over_many_turns() -> None:
    assert sum([SEARCHING, CONTINUING, REPORTING]) == pytest.approx(1.0)
    assert turns_of_each(60.0, 3) == turns_of_each(60.0, 1) == 1
    assert turns_of_each(1500.0, 3) > turns_of_each(600.0, 3) > 1
    assert turns_of_each(1e9, 3) == turns_of_each(1500.0, 1) == turns_of_each(1500.0, 0)
