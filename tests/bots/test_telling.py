"""What a search tells about the actions it likes: values of whole turns, compared with the same luck."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from granada import Action, Take
from granada.bots.budget import Budget
from granada.bots.halving import Candidate
from granada.bots.telling import PART, best_of_each, ideas
from granada.rules.money import CARDS

ACTIONS: list[Action] = [Take((CARDS[6 + i],)) for i in range(12)]


def candidates(count: int) -> list[Candidate]:
    return [Candidate((action,), 0.0) for action in ACTIONS[:count]]


def never(tried: Sequence[Candidate], lucks: Sequence[int]) -> None:
    raise AssertionError("nothing was to be tried")


class Again:
    """Tries turns again: each has a chance of its own, and most of the luck is the same for all."""

    def __init__(self, chances: dict[tuple[Action, ...], float]) -> None:
        self.chances = chances
        self.nodes = 0

    def __call__(self, tried: Sequence[Candidate], lucks: Sequence[int]) -> None:
        for luck in lucks:
            common = random.Random(luck).gauss(0.0, 0.2)
            for one in tried:
                chance = self.chances[one.turn] + common
                one.add(chance, 40 * chance)
                self.nodes += 1


def test_ideas_are_told_in_the_order_of_their_chances_and_none_is_better_than_the_best() -> None:
    """Without anything left to try again, an action is compared with what the best had brought by then."""
    best, stayed, lucky, early = candidates(4)
    for chance in (0.9, 0.9, 0.5, 0.5):
        best.add(chance, 40 * chance)
    for chance in (0.7, 0.7, 0.3, 0.3):
        stayed.add(chance, 40 * chance)
    lucky.add(0.95, 48.0)
    early.add(0.8, 32.0)
    budget = Budget(nodes=8)
    told = ideas([best, stayed, lucky, early], 4, budget, never)
    assert [advice.action for advice in told] == [one.action for one in (best, lucky, early, stayed)]
    assert [advice.win for advice in told] == pytest.approx([0.7, 0.7, 0.6, 0.5])
    assert [advice.lead for advice in told] == pytest.approx([28.0, 40.0, 24.0, 20.0])
    told = ideas([best, stayed, lucky, early], 2, budget, never)
    assert [advice.action for advice in told] == [best.action, stayed.action]


def test_ideas_that_were_not_tried_have_no_numbers() -> None:
    budget = Budget(nodes=100)
    assert [advice.win for advice in ideas(candidates(3), 3, budget, never)] == [None] * 3
    assert [advice.win for advice in ideas(candidates(1), 3, budget, never)] == [None]


def test_an_action_is_told_once_with_its_best_turn() -> None:
    first, second = ACTIONS[:2]
    turns = [Candidate(turn, 0.0) for turn in ((first, ACTIONS[2]), (second,), (first, ACTIONS[3]), (first,))]
    assert best_of_each(turns) == [turns[0], turns[1]]
    for one in turns:
        one.add(0.5, 1.0)
    told = ideas(turns, 5, Budget(nodes=1), never)
    assert [(advice.action, advice.then) for advice in told] == [(first, (ACTIONS[2],)), (second, ())]


def test_what_was_unlucky_at_first_is_told_with_fresh_luck() -> None:
    """It was dropped after a few bad tries; it is nearly as good as the best."""
    best, dropped = candidates(2)
    for _ in range(40):
        best.add(0.5, 20.0)
    for _ in range(4):
        dropped.add(0.1, 4.0)
    again = Again({best.turn: 0.5, dropped.turn: 0.48})
    told = ideas([best, dropped], 2, Budget(nodes=1000), again)
    assert told[1].win == pytest.approx((told[0].win or 0.0) - 0.02, abs=0.02)
    assert 0.8 * PART * 1000 <= again.nodes <= PART * 1000


def test_an_action_is_worth_its_best_turn_even_if_that_was_not_tried_before() -> None:
    best, action = candidates(1)[0], ACTIONS[1]
    turns = [Candidate((action, other), 0.0) for other in ACTIONS[2:6]]
    for _ in range(40):
        best.add(0.5, 20.0)
    for _ in range(4):
        turns[0].add(0.3, 12.0)
    again = Again({best.turn: 0.5, **{one.turn: 0.3 for one in turns}, turns[2].turn: 0.45})
    told = ideas([best, *turns], 2, Budget(nodes=800), again)
    assert told[1].then == turns[2].turn[1:]
    assert told[1].win == pytest.approx((told[0].win or 0.0) - 0.05, abs=0.01)


def test_nothing_is_tried_again_once_the_thinking_is_called_off() -> None:
    best, other = candidates(2)
    best.add(0.5, 1.0)
    other.add(0.4, 1.0)
    budget = Budget(seconds=60.0)
    budget.begin(1.0 - PART)
    budget.cancel()
    assert [advice.win for advice in ideas([best, other], 2, budget, never)] == pytest.approx([0.5, 0.4])
