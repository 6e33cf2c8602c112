"""OpenSpiel's own tests in small settings; without OpenSpiel they are skipped."""

from __future__ import annotations

import numpy as np
import pytest

from granada.learning.names import OPEN_SPIEL
from tests.kit import rule

pyspiel = pytest.importorskip("pyspiel")

from granada.learning import spiel  # noqa: E402  # only if OpenSpiel is installed

SMALL = (
    "python_granada_alhambra(variant=short,max_turns=40)",
    "python_granada_granada(players=3,max_turns=10,modules=vizier+exchange)",
    "python_granada_combined(variant=short,max_turns=12,modules=huts+bonus)",
)


@pytest.mark.parametrize("game", SMALL)
def test_random_simulations_of_openspiel_pass(game: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=1, serialize=True, verbose=False)
    capfd.readouterr()


def to_the_first_choice(name: str, seed: int = 1) -> spiel.GranadaState:
    rng = np.random.default_rng(seed)
    state = pyspiel.load_game(name).new_initial_state()
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        state.apply_action(outcomes[rng.integers(len(outcomes))][0])
    found: spiel.GranadaState = state
    return found


@rule("2.3")
def test_the_set_up_is_a_row_of_draws() -> None:
    state = pyspiel.load_game("python_granada_alhambra(players=3)").new_initial_state()
    assert len(state.chance_outcomes()) == 54  # the first tile of the yard
    state = to_the_first_choice("python_granada_alhambra(players=3)")
    assert state.current_player() == state.position().seat
    assert state.legal_actions() == sorted(state.decision().tokens)
    assert state.action_to_string(state.current_player(), state.legal_actions()[0]).startswith("TAKE")


def test_observations_and_information_states() -> None:
    name = "python_granada_combined(modules=bonus)"
    state = to_the_first_choice(name)
    game = state.get_game()
    player = state.current_player()
    tensor = np.array(state.observation_tensor(player))
    assert tensor.shape == tuple(game.observation_tensor_shape())
    assert tensor.max() <= 255
    own, other = [state.information_state_string(seat).splitlines() for seat in (player, 1 - player)]
    dealt = [line for line in str(state).splitlines() if line.startswith("! bonus")]
    assert [line in own for line in dealt] == [seat == player for seat in range(2)]
    assert [line in other for line in dealt] == [seat != player for seat in range(2)]
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[0])
    assert str(twin) != str(state)


def test_returns_are_ranks_and_zero_sum() -> None:
    rng = np.random.default_rng(3)
    state = to_the_first_choice("python_granada_alhambra(variant=short)")
    while not state.is_terminal():
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(int(rng.choice(actions)))
    assert sorted(state.returns()) in ([-1.0, 1.0], [0.0, 0.0])
    assert state.position().is_over


def test_a_variant_with_one_seat_is_refused() -> None:
    with pytest.raises((ValueError, RuntimeError, pyspiel.SpielError), match="no variant with one seat"):
        spiel.GranadaGame.__subclasses__()[0]({"variant": "solo"})
    assert set(OPEN_SPIEL) <= set(pyspiel.registered_names())
