"""Training: a small run works and is reproducible, and the fitted model predicts better."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from granada import Options
from granada.engine.features import FEATURES
from granada.engine.numpy_model import NumpyModel
from granada.engine.quick_luck import QuickLuck
from granada.engine.self_play import play_examples
from granada.engine.training import BATCH, _slopes, examples, fit
from granada.engine.weights import Weights
from granada.rules.options import EDITIONS
from tests.kit import module_sets


def train(out: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "granada.engine.training", "--out", str(out), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_a_small_run_writes_weights_and_the_same_seed_the_same(tmp_path: Path) -> None:
    small = ("--games", "12", "--epochs", "1")
    output = train(tmp_path / "one.bin", *small)
    train(tmp_path / "again.bin", *small)
    train(tmp_path / "other.bin", *small, "--seed", "2")
    assert re.search(r"\d+ positions of 12 games in \d+ s", output)
    assert re.search(r"epoch 1: cross entropy \d\.\d+, mean error of the lead \d+\.\d points", output)
    assert output.rstrip().endswith("one.bin")
    one, again, other = ((tmp_path / f"{name}.bin").read_bytes() for name in ("one", "again", "other"))
    assert one == again
    assert one != other
    assert [weights.shape for weights, _ in NumpyModel.from_bytes(one).layers] == [(FEATURES, 64), (64, 32), (32, 2)]


def test_the_same_seed_gives_the_same_lessons() -> None:
    one, again, other = examples(3, 5), examples(3, 5), examples(3, 6)
    assert all((a == b).all() for a, b in zip(one, again, strict=True))
    assert one[0].shape != other[0].shape or (one[0] != other[0]).any()
    inputs, targets, games = one
    assert inputs.shape == (len(games), FEATURES)
    assert targets.shape == (len(games), 2)
    assert set(games) == {0.0, 1.0, 2.0}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_lessons_tell_how_games_ended(edition: str, players: int) -> None:
    options = Options(edition, players, module_sets(edition)[-1])
    learned = play_examples(options, [Weights() for _ in range(players)], QuickLuck(players), 12)
    assert len(learned) >= 2 * players
    assert len(learned) % players == 0
    for i in range(0, len(learned), players):  # one example for each seat
        seats = learned[i : i + players]
        assert [example.seat for example in seats] == list(range(players))
        assert sum(example.win for example in seats) == pytest.approx(1)
        assert all(len(example.features) == FEATURES for example in seats)
        for example in seats:
            assert (example.win > 0) == (example.lead >= 0)
            assert (example.win == 1) == (example.lead > 0)


def synthetic(count: int) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.float32]], ...]:
    """Return positions whose result depends on two features."""
    rng = np.random.default_rng(3)
    inputs = rng.standard_normal((count, FEATURES)).astype(np.float32)
    leads = (inputs[:, 0] - 0.5 * inputs[:, 7]).astype(np.float32)
    return inputs, np.stack([(leads > 0).astype(np.float32), leads], axis=1)


def test_fitting_makes_the_predictions_better(capsys: pytest.CaptureFixture[str]) -> None:
    inputs, targets = synthetic(5 * BATCH)
    fit(inputs[BATCH:], targets[BATCH:], 16, 1, inputs[:200], targets[:200])
    losses = [float(one) for one in re.findall(r"cross entropy (\d+\.\d+)", capsys.readouterr().out)]
    assert len(losses) == 16
    assert losses[-1] < 0.9 * np.log(2)  # a guess of 1/2 has cross entropy log 2
    assert losses[-1] < losses[5] < losses[0]


def test_the_slopes_are_those_of_the_loss() -> None:
    """Compare the gradient with finite differences."""
    rng = np.random.default_rng(1)
    sizes = [(5, 4), (4,), (4, 3), (3,), (3, 2), (2,)]
    parameters = [rng.standard_normal(size) for size in sizes]
    values = rng.standard_normal((7, 5))
    targets = np.stack([rng.integers(0, 2, 7), rng.standard_normal(7)], axis=1)

    def loss() -> float:
        out = values
        for i in range(0, 4, 2):
            out = np.maximum(out @ parameters[i] + parameters[i + 1], 0.0)
        out = out @ parameters[4] + parameters[5]
        won = 1.0 / (1.0 + np.exp(-out[:, 0]))
        entropy = -(targets[:, 0] * np.log(won) + (1 - targets[:, 0]) * np.log(1 - won))
        return float(np.mean(entropy + 0.5 * (out[:, 1] - targets[:, 1]) ** 2))

    slopes = _slopes(list(parameters), values.copy(), targets)  # type: ignore[arg-type]  # doubles, to measure finely
    for parameter, slope in zip(parameters, slopes, strict=True):
        assert slope.shape == parameter.shape
        for index in np.ndindex(parameter.shape):
            before = parameter[index]
            parameter[index] = before + 1e-6
            higher = loss()
            parameter[index] = before - 1e-6
            lower = loss()
            parameter[index] = before
            assert slope[index] == pytest.approx((higher - lower) / 2e-6, abs=1e-5)


def test_saved_weights_are_those_that_were_fitted() -> None:
    rng = np.random.default_rng(2)
    layers = [
        (rng.random(size).astype(np.float32), rng.random(size[1]).astype(np.float32)) for size in ((4, 3), (3, 2))
    ]
    mean, spread = (rng.random(4).astype(np.float32) for _ in range(2))
    found = NumpyModel.from_bytes(NumpyModel(layers, mean, spread).to_bytes())
    assert (found.mean == mean).all()
    assert (found.spread == spread).all()
    for (weights, bias), (found_weights, found_bias) in zip(layers, found.layers, strict=True):
        assert (found_weights == weights).all()
        assert (found_bias == bias).all()
