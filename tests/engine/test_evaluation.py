"""The static evaluation, win chances from leads, and roll-outs."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from granada import DIRK, Options, new_game, score_rows
from granada.engine.evaluation import chance_of, lead_of, promises, scoring_points, stage
from granada.engine.quick_luck import QuickLuck
from granada.engine.rollout import RolloutResult, evaluate, roll_out
from granada.engine.standing import Standing
from granada.engine.weights import Weights
from granada.rules.options import EDITIONS
from granada.rules.scoring import SCORINGS
from tests.engine.games import finished, mixed, tables
from tests.kit import announce, hand, module_sets, points, position, reserve, rule, settle

WEIGHTS = Weights()


@rule("7", "9.4", "10.7")
@pytest.mark.parametrize("options", tables(2, 4), ids=repr)
def test_the_points_of_a_scoring_are_those_of_the_rules(options: Options) -> None:
    for state in mixed(options, f"points {options}", every=9):
        standing = Standing(state, WEIGHTS)
        for index, letter in enumerate(SCORINGS):
            expected = [0] * standing.entrants
            for row in score_rows(state, letter):
                expected[-1 if row.seat == DIRK else row.seat] += row.points
            assert scoring_points(standing)[index] == expected


@rule("8.4")
@pytest.mark.parametrize("options", tables(2, 3), ids=repr)
def test_when_the_game_is_over_nothing_is_promised_but_the_scores(options: Options) -> None:
    state = finished(options, f"over {options}")
    assert promises(Standing(state, WEIGHTS)) == [player.score for player in state.players]


def test_before_the_last_scoring_it_is_the_scores_plus_the_points_to_come() -> None:
    """Nothing is held; later scorings count less."""
    state = position()
    settle(state, 0, "garden-8-NW at 1,0")
    settle(state, 1, "garden-10-N at 1,0", "garden-11 at 2,0")
    state.players[1].score = 7
    after_b, after_c = ([sum(points(state, letter, seat).values()) for seat in range(3)] for letter in "BC")
    announce(state)
    assert promises(Standing(state, WEIGHTS)) == [after_c[0], 7 + after_c[1], after_c[2]]
    announce(state, "B")
    both = promises(Standing(state, WEIGHTS))[0]
    assert 0 < after_b[0] < both < after_b[0] + after_c[0]


def test_what_is_held_promises_more_as_long_as_there_is_time_to_use_it() -> None:
    state = position("alhambra", 3, "vizier", "exchange")
    for player in state.players:
        player.vizier = False
    plain = promises(Standing(state, WEIGHTS))
    assert plain == [0, 0, 0]
    hand(state, 0, "y5 y3 g2")
    with_money = promises(Standing(state, WEIGHTS))
    assert with_money[0] > 0
    assert with_money[1:] == [0, 0]
    reserve(state, 0, "garden-8-NW")
    state.players[0].vizier = True
    richer = promises(Standing(state, WEIGHTS))
    assert richer[0] > with_money[0]
    early = stage(Standing(state, WEIGHTS))
    del state.bags[0][4:]
    late = stage(Standing(state, WEIGHTS))
    assert 0 < late < early < 1
    assert 0 < promises(Standing(state, WEIGHTS))[0] < richer[0]
    state.bags[0].clear()
    assert stage(Standing(state, WEIGHTS)) == 0
    assert promises(Standing(state, WEIGHTS))[0] == 0


def test_a_lead_is_counted_from_the_best_other() -> None:
    assert [lead_of([10.0, 25.0, 20.0], seat) for seat in range(3)] == [-15, 5, -5]
    assert [lead_of([8.0, 8.0], seat) for seat in range(2)] == [0, 0]


def test_a_larger_lead_is_never_a_smaller_chance() -> None:
    leads = [-1e6, *range(-600, 601, 5), 1e6]
    for left in (0.0, 0.3, 1.0):
        chances = [chance_of(lead, left) for lead in leads]
        assert chances == sorted(chances)
        assert chances[0] == 0
        assert chances[-1] == 1
        assert chance_of(0.0, left) == 0.5
        for lead in leads:
            assert chance_of(lead, left) + chance_of(-lead, left) == pytest.approx(1)
    steady = [chance_of(float(lead), 0.5) for lead in range(-40, 41)]
    assert all(one < other for one, other in pairwise(steady))


def test_a_lead_says_more_the_later_it_is() -> None:
    for lead in (1.0, 10.0, 60.0):
        chances = [chance_of(lead, left / 10) for left in range(11)]
        assert chances == sorted(chances, reverse=True)
        assert chance_of(-lead, 0.0) < chance_of(-lead, 1.0)


@rule("10.1")
def test_with_tiles_of_both_kinds_a_lead_says_less() -> None:
    for left in (0.0, 0.5, 1.0):
        assert 0.5 < chance_of(10.0, left, kinds=2) < chance_of(10.0, left, kinds=1) == chance_of(10.0, left)


@rule("8.4")
@pytest.mark.parametrize("with_features", [False, True])
def test_a_finished_game_is_won_shared_or_lost(with_features: bool) -> None:
    state = finished(Options("alhambra", 3), "judged")
    for totals, expected in (
        ((9, 5, 2), [(4, 1.0), (-4, 0.0), (-7, 0.0)]),
        ((9, 9, 2), [(0, 0.5), (0, 0.5), (-7, 0.0)]),
        ((0, 0, 0), [(0, 1 / 3), (0, 1 / 3), (0, 1 / 3)]),
    ):
        for player, score in zip(state.players, totals, strict=True):
            player.score = score
        outcomes = [evaluate(state, seat, WEIGHTS, with_features) for seat in range(3)]
        assert [(outcome.lead, outcome.chance) for outcome in outcomes] == expected
        assert [outcome.features for outcome in outcomes] == [[], [], []]


@pytest.mark.parametrize("edition", EDITIONS)
def test_positions_are_judged_by_lead_and_chance_or_by_features(edition: str) -> None:
    for state in mixed(Options(edition, 3, module_sets(edition)[-1]), f"judge {edition}", every=13):
        totals = promises(Standing(state, WEIGHTS))
        for seat in range(3):
            plain, in_numbers = evaluate(state, seat, WEIGHTS, False), evaluate(state, seat, WEIGHTS, True)
            assert plain.lead == lead_of(totals, seat)
            assert 0 < plain.chance < 1
            assert (plain.chance > 0.5) == (plain.lead > 0)
            assert plain.features == []
            assert in_numbers.features


def values(outcome: RolloutResult) -> tuple[float, float, list[float]]:
    return outcome.lead, outcome.chance, outcome.features


@pytest.mark.parametrize("edition", EDITIONS)
def test_looking_ahead_leaves_the_position_alone_and_repeats_itself(edition: str) -> None:
    rng = random.Random(edition)
    differing = 0
    for state in mixed(Options(edition, 2, module_sets(edition)[-1]), f"ahead {edition}", every=25):
        key = state.key()
        action = rng.choice(state.offers())
        found = [values(roll_out(state, action, state.seat, seed, 6, WEIGHTS, False)) for seed in (5, 5, 6)]
        assert state.key() == key
        assert found[0] == found[1]
        differing += found[0] != found[2]
    assert differing


def test_looking_far_ahead_is_the_end_of_the_game() -> None:
    state = new_game(Options("granada", 2), QuickLuck(3))
    for action in state.offers()[:3]:
        outcome = roll_out(state, action, 0, 9, 1000, WEIGHTS, True)
        assert outcome.chance in (0.0, 0.5, 1.0)
        assert outcome.lead == int(outcome.lead)
        assert outcome.features == []
