"""Features: a fixed number of finite values, without anything that the seat cannot know."""

from __future__ import annotations

import math
import random

import pytest

from granada import Options
from granada.engine.evaluation import Outlook
from granada.engine.features import FEATURES, OF_GAME, OF_SEAT, features
from granada.engine.standing import TYPE_COUNT, Standing
from granada.engine.weights import Weights
from granada.rules.options import EDITIONS
from tests.engine.games import finished, mixed
from tests.kit import all_options, module_sets, position, rule, settle

WEIGHTS = Weights()
#: The largest absolute value: features should be of order 1 for the network.
LARGE = 12.0


def all_features(standing: Standing) -> list[list[float]]:
    outlook = Outlook(standing)
    return [features(outlook, seat) for seat in range(len(standing.state.players))]


SIMPLIFIED = [Options("granada", 4, (), "simplified"), Options("combined", 2, ("huts",), "simplified")]


@pytest.mark.parametrize("options", [*[o for o in all_options() if o.players in (2, 3, 6)], *SIMPLIFIED], ids=repr)
def test_there_are_always_as_many_and_all_are_small_numbers(options: Options) -> None:
    for state in mixed(options, f"features {options}", every=31, max_turns=25 * options.players):
        for found in all_features(Standing(state, WEIGHTS)):
            assert len(found) == FEATURES
            assert all(math.isfinite(one) and abs(one) <= LARGE for one in found), max(found, key=abs)


def test_the_number_of_features_for_seats_types_and_the_game() -> None:
    assert FEATURES == 3 * OF_SEAT + 2 * TYPE_COUNT + OF_GAME


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_game_that_is_over_has_features_too(edition: str) -> None:
    state = finished(Options(edition, 3, module_sets(edition)[-1]), f"over {edition}")
    for found in all_features(Standing(state, WEIGHTS)):
        assert len(found) == FEATURES
        assert all(map(math.isfinite, found))


@rule("16.2")
@pytest.mark.parametrize("options", [o for o in all_options() if o.modules == ("bonus",) and o.players < 5], ids=repr)
def test_hidden_bonus_cards_of_others_change_nothing(options: Options) -> None:
    rng = random.Random(repr(options))
    differing = 0
    for state in mixed(options, f"hidden {options}", every=7):
        for seat in range(options.players):
            expected = features(Outlook(Standing(state, WEIGHTS)), seat)
            resampled = state.resample(seat, rng)
            view = state.view(seat, remembers=True)
            differing += any(a.bonus != b.bonus for a, b in zip(state.players, resampled.players, strict=True))
            for other in (resampled, view.sample(rng), view.table):
                assert features(Outlook(Standing(other, WEIGHTS)), seat) == expected
    assert differing > 10


def test_the_weights_change_nothing() -> None:
    """Features depend on positions, not on who plays them."""
    odd = Weights(majority=3.0, wall=0.0, later=0.2, others=1.0)
    for state in mixed(Options("combined", 3), "weights", every=31):
        assert all_features(Standing(state, WEIGHTS)) == all_features(Standing(state, odd))


def test_seats_that_are_alike_have_the_same_numbers_but_for_the_order_of_play() -> None:
    state = position("alhambra", 2)
    for seat in range(2):
        settle(state, seat, "garden-8-NW at 1,0")
    first, second = all_features(Standing(state, WEIGHTS))
    differing = [i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    assert all(i >= 3 * OF_SEAT + 2 * TYPE_COUNT for i in differing)
    assert 0 < len(differing) <= 2


def test_the_features_of_the_seat_come_first_then_those_of_the_strongest_rival() -> None:
    state = position("alhambra", 3)
    for seat, score in enumerate((12, 30, 18)):
        state.players[seat].score = score
    found = features(Outlook(Standing(state, WEIGHTS)), 2)
    own, rival, mean = (found[start] for start in (0, OF_SEAT, 2 * OF_SEAT))
    assert [own, rival, mean] == pytest.approx([18 / 60, 30 / 60, 21 / 60])
