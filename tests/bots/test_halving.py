"""Sequential halving with simulated tries: it finds the best candidate and keeps to its budget."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence

import pytest

from granada import Action, Take
from granada.bots.budget import DEFAULT_SECONDS, Budget
from granada.bots.halving import CHUNK, CLEAR_TRIES, Candidate, Try, halve, halve_each, ranked_by_tries
from granada.rules.money import CARDS


def actions(count: int) -> list[Action]:
    return [Take((CARDS[6 + i],)) for i in range(count)]


class Arms:
    """Candidates with known win chances, and noise that is mostly common to all."""

    def __init__(self, chances: Sequence[float], priors: Sequence[float] = (), seed: object = 1, own: float = 0.1):
        priors = priors or [0.0] * len(chances)
        self.candidates = [
            Candidate((action,), prior) for action, prior in zip(actions(len(chances)), priors, strict=True)
        ]
        self.means = dict(zip([one.action for one in self.candidates], chances, strict=True))
        self.seed = seed
        self.own = own
        self.lucks: dict[Action, list[int]] = {one.action: [] for one in self.candidates}
        self.chunks: list[int] = []

    @property
    def tries(self) -> int:
        return sum(self.chunks)

    def attempt(self, tried: Sequence[Candidate], lucks: Sequence[int]) -> None:
        self.chunks.append(len(tried) * len(lucks))
        for luck in lucks:
            common = random.Random(f"{self.seed} {luck}").gauss(0.0, 0.3)
            for one in tried:
                own = random.Random(f"{self.seed} {luck} {one.action!r}").gauss(0.0, self.own)
                chance = min(1.0, max(0.0, self.means[one.action] + common + own))
                one.add(chance, 40 * chance - 20)
                self.lucks[one.action].append(luck)

    def halve(self, budget: Budget) -> list[Candidate]:
        budget.begin()
        halve(self.candidates, budget, self.attempt)
        return ranked_by_tries(self.candidates)


@pytest.mark.parametrize("count", [2, 3, 5, 8, 12, 14])
def test_the_best_is_found_among_much_noise(count: int) -> None:
    found = 0
    for seed in range(20):
        chances = [0.35] * count
        chances[seed % count] = 0.5
        arms = Arms(chances, seed=seed)
        found += arms.halve(Budget(nodes=600))[0] is arms.candidates[seed % count]
    assert found >= 19


def test_all_are_ranked_once_and_the_better_are_tried_more_often() -> None:
    arms = Arms([0.1 + 0.05 * i for i in range(12)], own=0.3)
    ranked = arms.halve(Budget(nodes=500))
    assert len(ranked) == 12
    assert set(ranked) == set(arms.candidates)
    tries = [len(one.chances) for one in ranked]
    assert tries[0] > tries[6] >= tries[-1] > 0
    assert sum(tries[:3]) > sum(tries[-6:])
    assert set(ranked[:3]) & set(arms.candidates[-3:])
    assert ranked[0].chance > ranked[-1].chance


def test_what_was_dropped_early_comes_after_what_stayed_whatever_its_luck() -> None:
    """The mean of few tries is unreliable; only candidates with about as many tries are compared by value."""
    early, stayed, best = Arms([0.0] * 3).candidates
    for _ in range(4):
        early.add(0.9, 30.0)
    for _ in range(20):
        stayed.add(0.5, 0.0)
        best.add(0.6, 4.0)
    assert ranked_by_tries([early, stayed, best]) == [best, stayed, early]


def test_all_candidates_get_the_same_random_numbers() -> None:
    arms = Arms([0.4, 0.41, 0.42, 0.39, 0.4, 0.43, 0.38], own=0.3)
    arms.halve(Budget(nodes=400))
    longest = max(arms.lucks.values(), key=len)
    assert longest == list(range(len(longest)))
    for lucks in arms.lucks.values():
        assert lucks == longest[: len(lucks)]


@pytest.mark.parametrize("count", [2, 3, 5, 12, 14])
@pytest.mark.parametrize("nodes", [1, 12, 24, 100, 333, 1000])
def test_nodes_are_never_exceeded_by_more_than_a_chunk(count: int, nodes: int) -> None:
    arms = Arms([0.4 + 0.001 * i for i in range(count)], own=0.4)
    arms.halve(Budget(nodes=nodes))
    assert arms.tries - arms.chunks[-1] < nodes
    if nodes >= 8 * CHUNK * count:  # with enough nodes, hardly any are left over
        assert 0.8 * nodes <= arms.tries <= nodes


def test_the_same_nodes_give_the_same_answer() -> None:
    chances = [0.4, 0.42, 0.38, 0.41, 0.4]
    first, second = (Arms(chances, own=0.3).halve(Budget(nodes=200)) for _ in range(2))
    assert [one.action for one in first] == [one.action for one in second]
    assert [one.chance for one in first] == [one.chance for one in second]


class Clock:
    """A clock that the test advances, so that results do not depend on the load of the machine."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def slowed(self, arms: Arms, seconds: float) -> Try:
        """Return tries that take this long per chunk."""

        def attempt(tried: Sequence[Candidate], lucks: Sequence[int]) -> None:
            self.now += seconds
            arms.attempt(tried, lucks)

        return attempt


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of all budgets."""
    made = Clock()
    monkeypatch.setattr(time, "perf_counter", made)
    return made


@pytest.mark.parametrize("count", [2, 5, 12])
def test_a_time_is_kept(count: int, clock: Clock) -> None:
    arms = Arms([0.4] * count, own=0.4)
    budget = Budget(seconds=0.4)
    begin = clock.now
    budget.begin()
    halve(arms.candidates, budget, clock.slowed(arms, 0.005))
    assert 0.39 <= clock.now - begin <= 0.41


def test_time_and_nodes_end_it_whichever_comes_first(clock: Clock) -> None:
    arms = Arms([0.4] * 5, own=0.4)
    begin = clock.now
    arms.halve(Budget(seconds=30.0, nodes=200))
    assert arms.tries <= 200
    many = Arms([0.4] * 5, own=0.4)
    budget = Budget(seconds=0.1, nodes=10**8)
    budget.begin()
    halve(many.candidates, budget, clock.slowed(many, 0.005))
    assert clock.now - begin <= 0.11


@pytest.mark.parametrize("budget", [Budget(seconds=60.0), Budget(nodes=10**8)], ids=["seconds", "nodes"])
def test_calling_it_off_from_another_thread_ends_it_at_once(budget: Budget) -> None:
    arms = Arms([0.4] * 12, own=0.4)

    def attempt(tried: Sequence[Candidate], lucks: Sequence[int]) -> None:
        arms.attempt(tried, lucks)
        if len(arms.chunks) == 3:
            other = threading.Thread(target=budget.cancel)
            other.start()
            other.join()

    budget.begin()
    halve(arms.candidates, budget, attempt)
    assert len(arms.chunks) == 3
    assert len(ranked_by_tries(arms.candidates)) == 12
    assert budget.is_cancelled
    assert budget.left() == 0
    budget.begin()
    assert not budget.is_cancelled


def test_a_search_that_is_cancelled_at_the_start_makes_one_try() -> None:
    arms = Arms([0.4] * 5)
    budget = Budget(seconds=60.0)
    budget.begin()
    budget.cancel()
    halve(arms.candidates, budget, arms.attempt)
    assert arms.chunks == [5 * CHUNK]
    assert len(ranked_by_tries(arms.candidates)) == 5


def test_a_clear_winner_ends_it_early() -> None:
    arms = Arms([0.2, 0.9, 0.2, 0.2], own=0.02)
    ranked = arms.halve(Budget(nodes=10_000))
    assert ranked[0] is arms.candidates[1]
    assert arms.tries <= 4 * (CLEAR_TRIES + 2 * CHUNK)
    assert arms.tries >= 4 * CLEAR_TRIES


def test_what_is_the_same_is_never_clear() -> None:
    arms = Arms([0.5, 0.5], own=0.0)
    arms.halve(Budget(nodes=400))
    assert arms.tries == 400


def test_quick_judgement_decides_between_what_tries_cannot_tell_apart() -> None:
    arms = Arms([0.5] * 4, priors=[0.0, -3.0, 4.0, -50.0], own=0.0)
    ranked = arms.halve(Budget(nodes=16))
    assert [arms.candidates.index(one) for one in ranked] == [2, 0, 1, 3]


def test_tries_outvote_quick_judgement() -> None:
    arms = Arms([0.3, 0.8], priors=[10.0, 0.0], own=0.02)
    assert arms.halve(Budget(nodes=200))[0] is arms.candidates[1]


def test_a_candidate_has_the_means_of_its_tries() -> None:
    one = Candidate((actions(1)[0],), 3.0)
    assert (one.chance, one.lead) == (0.0, 0.0)
    one.add(0.25, -4.0)
    one.add(0.75, 10.0)
    assert (one.chance, one.lead) == (0.5, 3.0)


def test_a_budget_without_numbers_is_some_seconds(clock: Clock) -> None:
    assert (Budget().seconds, Budget().nodes) == (DEFAULT_SECONDS, None)
    assert (Budget(nodes=5).seconds, Budget(nodes=5).nodes) == (None, 5)
    nodes = Budget(nodes=5)
    nodes.begin()
    assert nodes.left() == float("inf")
    assert [nodes.is_spent(used) for used in (0, 4, 5, 6)] == [False, False, True, True]
    seconds = Budget(seconds=0.01)
    seconds.begin()
    assert not seconds.is_spent(10**9)
    clock.now += 0.02
    assert seconds.is_spent(0)


def test_tries_are_begun_only_while_there_is_time(clock: Clock) -> None:
    """A row of tries that would probably end too late is not started; with a limit in nodes time does not matter."""
    budget = Budget(seconds=0.1)
    budget.begin()
    done = 0
    for _ in budget.rows(range(100)):
        clock.now += 0.03
        done += 1
    assert done == 3
    assert budget.left() == pytest.approx(0.01)
    nodes = Budget(nodes=10)
    nodes.begin()
    assert list(nodes.rows(range(7))) == list(range(7))


def test_a_row_is_tried_however_short_the_time_is(clock: Clock) -> None:
    budget = Budget(seconds=0.001)
    budget.begin()
    clock.now += 0.01
    assert list(budget.rows(range(4))) == [0]


def test_candidates_that_were_not_tried_at_all_stay_in_their_order_behind_the_others() -> None:
    """If the search is cancelled before the first row is done, the prior decides."""
    arms = Arms([0.5] * 4, priors=[6.0, 3.0, 0.0, -2.0])
    arms.candidates[0].add(0.1, -9.0)
    assert ranked_by_tries(arms.candidates) == arms.candidates


def test_thinking_goes_on_to_the_end_where_stopping_early_would_tell_something() -> None:
    """Whether the best is clear or not, the same number of nodes is used."""
    used = []
    for chances in ([0.1, 0.9, 0.1, 0.1], [0.5, 0.5, 0.5, 0.5]):
        for may_stop in (True, False):
            arms = Arms(chances, own=0.05)
            budget = Budget(nodes=1000)
            budget.begin()
            halve(arms.candidates, budget, arms.attempt, may_stop=may_stop)
            used.append(arms.tries)
    assert used[0] < 500
    assert used[1] == used[3]
    assert used[1] > 900


def test_of_each_group_the_best_is_found_and_small_groups_are_not_halved_before_large_ones() -> None:
    arms = Arms([0.3, 0.3, 0.3, 0.5, 0.3, 0.3, 0.3, 0.3, 0.4, 0.6, 0.3], own=0.1)
    groups = [arms.candidates[:8], arms.candidates[8:10], arms.candidates[10:]]
    budget = Budget(nodes=600)
    budget.begin()
    best = halve_each(groups, budget, arms.attempt, 7)
    assert best == [arms.candidates[i] for i in (3, 9, 10)]
    assert arms.tries <= 600
    most = arms.lucks[best[0].action]
    assert most == list(range(7, 7 + len(most)))
    assert [arms.lucks[one.action] for one in (*best, arms.candidates[8])] == [most] * 4
    tries = sorted([len(arms.lucks[one.action]) for one in groups[0]])
    assert tries[0] == tries[3] < tries[4] == tries[5] < tries[6] == tries[7] == len(most)


def test_without_time_the_first_of_each_group_is_kept() -> None:
    arms = Arms([0.3, 0.5, 0.7], priors=[0.0, 3.0, 5.0])
    budget = Budget(seconds=60.0)
    budget.begin()
    budget.cancel()
    assert halve_each([arms.candidates[:2], arms.candidates[2:]], budget, arms.attempt, 0) == arms.candidates[::2]
    assert not arms.chunks


def test_a_budget_is_granted_in_parts(clock: Clock) -> None:
    """Time left over from one part is added to the next; nodes are granted for each part."""
    budget = Budget(seconds=10.0, nodes=1000)
    budget.begin(0.3, 1.5)
    assert budget.left() == pytest.approx(3.0)
    assert budget.granted == 450
    assert budget.is_spent(450)
    clock.now += 1.0
    budget.start_part(0.2)
    assert budget.left() == pytest.approx(4.0)
    assert budget.length == pytest.approx(4.0)
    assert budget.granted == 200
    assert not budget.is_spent(199)
    clock.now += 4.0
    assert budget.is_spent(0)
    budget.begin()
    assert budget.left() == pytest.approx(10.0)
    assert budget.granted == 1000
