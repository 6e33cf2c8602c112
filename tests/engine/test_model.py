"""The learned evaluation: its weights, its chances, and what happens without NumPy."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from granada import Options, State, new_game
from granada.engine.evaluation import Outlook, lead_of, promises
from granada.engine.features import FEATURES, features
from granada.engine.model import chances, load_model
from granada.engine.quick_luck import QuickLuck
from granada.engine.rollout import play_quickly
from granada.engine.standing import Standing
from granada.engine.weights import Weights
from granada.rules.leftovers import winners
from granada.rules.options import EDITIONS
from tests.engine.games import finished, mixed, tables
from tests.kit import module_sets

WEIGHTS = Weights()


def test_the_weights_fit_the_features_and_each_other() -> None:
    model = load_model()
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


WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None  # makes its import fail
from granada import BadOptions, Options, new_game
from granada.bots import BOTS, LEVELS, PERSONALITIES, check_bot, make_bot
from granada.bots.win_chance import quick_chances
from granada.records.luck import Luck
from granada.arena.simulation import play_game
import random

check_bot("strongest")
try:
    make_bot("strongest", 1)
except BadOptions as error:
    print(error)
for name in (*LEVELS, *PERSONALITIES):
    if name != "strongest":
        bots = [make_bot(f"{name}:8n", seat) for seat in range(2)]
        state = play_game(Options("alhambra", 2), bots, Luck(random.Random(1)), max_turns=6).state
        assert state.turns == 7, name
        assert abs(sum(quick_chances(state)) - 1) < 1e-9
assert sys.modules["numpy"] is None
print("all others play")
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=120, check=False)


def test_without_numpy_the_strongest_bot_says_what_to_install_and_all_others_play() -> None:
    done = run("-c", WITHOUT_NUMPY)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "the strongest bot needs NumPy: pip install 'granada[bots]'",
        "all others play",
    ]


@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_without_numpy_the_command_line_says_it_too(command: str) -> None:
    block = 'import sys; sys.modules["numpy"] = None; from granada.cli import main; sys.exit(main())'
    done = run("-c", block, command, "--players", "strongest,random", "--games", "1")
    assert done.returncode not in (0, 1)
    assert "the strongest bot needs NumPy: pip install 'granada[bots]'" in done.stderr
    assert "Traceback" not in done.stderr
