"""OpenSpiel's own tests in small settings; without OpenSpiel they are skipped."""

from __future__ import annotations

import sys
import unittest
from collections import Counter
from typing import Any

import numpy as np
import pytest

from granada.learning.layout import offsets
from granada.learning.names import OPEN_SPIEL
from granada.learning.tokens import BUY
from granada.rules.money import CARDS
from tests.kit import rule

pyspiel = pytest.importorskip("pyspiel")

# Only if OpenSpiel is installed:
from absl import flags  # noqa: E402
from absl import logging as absl_logging  # noqa: E402
from open_spiel.integration_tests import api_test  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from granada.learning import spiel  # noqa: E402

# Its handler has the stream that pytest captures at this moment, and closes it when others configure logging.
absl_logging.get_absl_handler().python_handler.stream = sys.__stderr__

SMALL = (
    "python_granada_alhambra(variant=short,max_turns=40)",
    "python_granada_granada(players=3,max_turns=10,modules=vizier+exchange)",
    "python_granada_combined(variant=short,max_turns=12,modules=huts+bonus)",
)


@pytest.mark.parametrize("game", SMALL)
def test_random_simulations_of_openspiel_pass(game: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(game), num_sims=1, serialize=True, verbose=False)
    capfd.readouterr()


@pytest.mark.parametrize("name", SMALL)
def test_the_api_tests_of_openspiel_pass(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["tests"])

    class Api(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]
        game_name = name
        game = pyspiel.load_game(name)

    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Api)
    result = suite.run(unittest.TestResult())
    capfd.readouterr()
    assert result.testsRun == 5
    assert [text for _, text in (*result.failures, *result.errors)] == []


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


def observer_of(game: Any, public: bool, private: Any, recalls: bool = False) -> Any:
    return make_observation(
        game, pyspiel.IIGObservationType(public_info=public, perfect_recall=recalls, private_info=private)
    )


@rule("16.1", "13.3")
@pytest.mark.parametrize("memory", [False, True])
def test_public_observations_have_no_hidden_cards(memory: bool) -> None:
    """They do not change with the hidden cards, and are the same for all seats."""
    state = to_the_first_choice(f"python_granada_combined(modules=bonus,players=3,memory={memory})")
    state.apply_action(next(token for token in state.legal_actions() if token >= BUY))  # begins a word, to be hidden
    assert state.word(state.current_player())
    observer = observer_of(state.get_game(), True, pyspiel.PrivateInfoType.NONE)
    table, places = state.position(), offsets(3)
    before = []
    for seat in range(3):
        observer.set_from(state, seat)
        before.append(observer.tensor.copy())
        assert (before[-1] == before[0]).all()
    for seat in range(3):
        at, size = places[f"hand {seat}"]
        shown = Counter({CARDS[i]: int(count) for i, count in enumerate(before[0][at : at + size]) if count})
        assert shown == (Counter(table.players[seat].hand()) if memory else Counter())
        at, size = places[f"bonus {seat}"]
        assert before[0][at : at + size].sum() == 0
        assert before[0][places[f"hidden bonus {seat}"][0]] == len(table.players[seat].bonus)
    at, size = places["unseen"]
    hidden = 0 if memory else sum(player.hand_size() for player in table.players)
    assert before[0][at : at + size].sum() == len(table.deck.pool) + hidden
    one, other, _ = table.players
    one.bonus, other.bonus = other.bonus, one.bonus
    if not memory:  # two hidden cards change places
        given, taken = next((a, b) for a in one.hand() for b in other.hand() if a != b)
        for player, lost, gained in ((one, given, taken), (other, taken, given)):
            player.give_up((lost,))
            player.receive(gained)
    observer.set_from(state, 0)
    assert (observer.tensor == before[0]).all()
    lines = observer.string_from(state, 0).splitlines()
    assert [line for line in lines if line.startswith("! bonus")] == [f"! bonus {seat + 1} ? ? ?" for seat in range(3)]
    assert lines == observer.string_from(state, 2).splitlines()


@rule("16.1", "13.3")
def test_private_observations_have_nothing_else() -> None:
    state = to_the_first_choice("python_granada_combined(modules=bonus)")
    game, player, places = state.get_game(), state.current_player(), offsets(2)
    observer = observer_of(game, False, pyspiel.PrivateInfoType.SINGLE_PLAYER)
    observer.set_from(state, player)
    private = observer.tensor.copy()
    whole = np.array(state.observation_tensor(player))
    for name, (at, size) in places.items():
        expected = whole[at : at + size] if name in ("hand 0", "money 0", "bonus 0", "word") else np.zeros(size)
        assert (private[at : at + size] == expected).all(), name
    at, size = places["bonus 0"]
    assert private[at : at + size].sum() == 3
    first, *lines = observer.string_from(state, player).splitlines()
    assert first == f"p{player}"
    assert [line.split()[:3] for line in lines] == [["!", "bonus", str(player + 1)]]
    nothing = observer_of(game, False, pyspiel.PrivateInfoType.NONE)
    nothing.set_from(state, player)
    assert (nothing.tensor.sum(), nothing.string_from(state, player)) == (0, "")
    with pytest.raises(ValueError, match=r"rule 16\.1: .* not of all seats"):
        observer_of(game, True, pyspiel.PrivateInfoType.ALL_PLAYERS)


def test_returns_are_ranks_and_zero_sum() -> None:
    rng = np.random.default_rng(3)
    state = to_the_first_choice("python_granada_alhambra(variant=short)")
    while not state.is_terminal():
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(int(rng.choice(actions)))
    assert sorted(state.returns()) in ([-1.0, 1.0], [0.0, 0.0])
    assert state.position().is_over


def test_a_variant_with_one_seat_is_refused() -> None:
    with pytest.raises((ValueError, RuntimeError, pyspiel.SpielError), match=r"no variant with one seat.*\(2\.1\)"):
        spiel.GranadaGame.__subclasses__()[0]({"variant": "solo"})
    assert set(OPEN_SPIEL) <= set(pyspiel.registered_names())
