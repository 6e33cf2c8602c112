"""The learned evaluation: its weights, its chances, and what happens without NumPy and with an installed function."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from granada import Options, State, new_game
from granada.engine.evaluation import Outlook, lead_of, promises
from granada.engine.features import FEATURES, features
from granada.engine.model import chances, install, load_model, read_weights
from granada.engine.numpy_model import NumpyModel
from granada.engine.quick_luck import QuickLuck
from granada.engine.rollout import play_quickly
from granada.engine.standing import Standing
from granada.engine.weights import Weights
from granada.rules.leftovers import winners
from granada.rules.options import EDITIONS
from tests.engine.games import finished, mixed, tables
from tests.engine.plain_network import compute, plain_weights
from tests.kit import module_sets

WEIGHTS = Weights()


@pytest.fixture
def python_network() -> Iterator[None]:
    """Compute the network with the function of this test, as a page does with one in JavaScript."""
    install(compute)
    yield
    install(None)


def numpy_model() -> NumpyModel:
    model = load_model()
    assert isinstance(model, NumpyModel)
    return model


def test_the_weights_fit_the_features_and_each_other() -> None:
    model = numpy_model()
    assert model.mean.shape == model.spread.shape == (FEATURES,)
    assert (model.spread > 0).all()
    assert model.layers[0][0].shape[0] == FEATURES
    assert model.layers[-1][0].shape[1] == 2
    for weights, bias in model.layers:
        assert weights.shape[1:] == bias.shape
        assert weights.dtype == bias.dtype == np.float32
        assert np.isfinite(weights).all()
        assert np.isfinite(bias).all()
    for (before, _), (after, _) in pairwise(model.layers):
        assert before.shape[1] == after.shape[0]


def test_the_model_is_read_once() -> None:
    assert load_model() is load_model()


def test_written_weights_are_the_ones_that_were_read() -> None:
    model = numpy_model()
    assert model.to_bytes() == read_weights()
    with pytest.raises(ValueError, match="has 8678 numbers, not 8679"):
        NumpyModel.from_bytes(read_weights() + bytes(4))


def test_the_weights_can_be_read_without_numpy() -> None:
    """In the order that the docstring of read_weights promises."""
    model = numpy_model()
    sizes, numbers = plain_weights()
    assert sizes == [FEATURES, 64, 32, 2]
    expected = [model.mean, model.spread, *[one for layer in model.layers for one in layer]]
    assert numbers == np.concatenate([one.ravel() for one in expected]).tolist()


@pytest.mark.usefixtures("python_network")
@pytest.mark.parametrize("options", tables(2, 3, 6), ids=repr)
def test_an_installed_function_predicts_the_same_as_numpy(options: Options) -> None:
    many: list[list[float]] = []
    for state in mixed(options, f"installed {options}", every=37):
        outlook = Outlook(Standing(state, WEIGHTS))
        many += [features(outlook, seat) for seat in range(options.players)]
    installed = load_model()
    assert not isinstance(installed, NumpyModel)
    found, expected = installed.predict(many), NumpyModel.from_bytes(read_weights()).predict(many)
    assert found[0] == pytest.approx(expected[0], abs=1e-5)
    assert found[1] == pytest.approx(expected[1], abs=1e-3)


@pytest.mark.usefixtures("python_network")
def test_an_installed_function_gets_all_positions_of_a_batch_at_once() -> None:
    calls: list[tuple[int, int]] = []

    def count(inputs: array[float], outputs: array[float]) -> None:
        calls.append((len(inputs), len(outputs)))

    install(count)
    assert load_model().predict(positions(5)) == ([0.5] * 5, [0.0] * 5)
    assert calls == [(5 * FEATURES, 5 * 2)]
    install(None)
    numpy_model()


@pytest.mark.usefixtures("python_network")
def test_extreme_outputs_of_an_installed_function_are_limited() -> None:
    def extreme(inputs: array[float], outputs: array[float]) -> None:
        outputs[0], outputs[2] = 1e30, -1e30

    install(extreme)
    assert load_model().predict(positions(2))[0] == pytest.approx([1, 0], abs=1e-9)


@pytest.mark.parametrize("options", tables(2, 3, 6), ids=repr)
def test_the_chances_of_all_seats_are_together_one(options: Options) -> None:
    for state in mixed(options, f"chances {options}", every=29):
        found = chances(state)
        assert len(found) == options.players
        assert sum(found) == pytest.approx(1)
        assert all(0 < chance < 1 for chance in found)


@pytest.mark.parametrize("edition", EDITIONS)
def test_when_the_game_is_over_the_winners_share_it(edition: str) -> None:
    state = finished(Options(edition, 3), f"over {edition}")
    won = winners(state)
    assert chances(state) == [1 / len(won) if seat in won else 0 for seat in range(3)]
    for player in state.players:
        player.score = 40
    assert chances(state) == pytest.approx([1 / 3] * 3)


def positions(count: int) -> list[list[float]]:
    found: list[list[float]] = []
    for state in mixed(Options("combined", 4, module_sets("combined")[-1]), "positions", every=11):
        found += [features(Outlook(Standing(state, WEIGHTS)), seat) for seat in range(4)]
    assert len(found) >= count
    return found[-count:]


def test_many_positions_are_judged_as_each_alone() -> None:
    model = load_model()
    many = positions(48)
    together = model.predict(many)
    alone = [model.predict([one]) for one in many]
    assert together[0] == pytest.approx([one[0][0] for one in alone], abs=1e-4)
    assert together[1] == pytest.approx([one[1][0] for one in alone], abs=1e-2)
    assert model.predict(many) == together
    assert all(0 <= chance <= 1 for chance in together[0])


def test_features_beyond_all_measure_make_no_fault() -> None:
    found = load_model().predict([[1e6] * FEATURES, [-1e6] * FEATURES, [0.0] * FEATURES])
    assert all(0 <= chance <= 1 for chance in found[0])
    assert np.isfinite(found[1]).all()


def late(options: Options, seed: int) -> State:
    """Return a game of the quick policy with few tiles left in the bags."""
    luck = QuickLuck(seed)
    state = new_game(options, luck)
    while not state.is_over and sum(map(len, state.bags)) > 3:
        play_quickly(state, WEIGHTS, luck, state.turns + 1)
    assert not state.is_over
    return state


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_clear_lead_near_the_end_is_a_high_chance(edition: str, players: int) -> None:
    """In the combined edition, the last scoring is worth more than all before it."""
    state = late(Options(edition, players), players)
    totals = promises(Standing(state, WEIGHTS))
    for seat in range(players):
        lead = lead_of(totals, seat)
        ahead, behind = state.copy(), state.copy()
        ahead.players[seat].score += round(60 - lead)
        behind.players[seat].score -= round(60 + lead)
        assert chances(ahead)[seat] > 0.75
        assert chances(behind)[seat] < 0.2


def test_it_predicts_games_better_than_chance() -> None:
    """In the middle of a game the model often predicts the winner."""
    right = seen = 0
    for seed in range(24):
        luck = QuickLuck(seed)
        state = new_game(Options(list(EDITIONS)[seed % 3], 3), luck)
        play_quickly(state, WEIGHTS, luck, 50 if seed % 3 != 2 else 90)
        found = chances(state)
        play_quickly(state, WEIGHTS, luck, 500)
        right += found.index(max(found)) in winners(state)
        seen += 1
    assert right > seen / 2, right
