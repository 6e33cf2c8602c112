"""Training of the learned evaluation: self-play, fitting, and validation.

    python -m granada.engine.training --games 48000 --seed 1      or: make train

Players with the quick policy and various weights play all editions with two to six players; a small network learns
from the positions who won, and by how much. The same seed gives the same games and, on one machine, the same model.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from granada.engine.model import LEAD_UNIT, Model
from granada.engine.numpy_model import NumpyModel
from granada.engine.quick_luck import QuickLuck
from granada.engine.self_play import play_examples
from granada.engine.weights import Weights
from granada.rules.options import MODULES, Options

if TYPE_CHECKING:
    from granada.engine.numpy_model import Array

#: The hidden layers of the network.
HIDDEN: Final = (64, 32)
#: The numbers of players, by frequency.
PLAYERS: Final = (2, 2, 2, 3, 3, 3, 4, 4, 5, 6)
#: The average number of turns between two positions of a game.
EVERY: Final = 12
BATCH: Final = 1024
#: With fewer games there would be none for validation.
LEAST_GAMES: Final = 10
RATE: Final = 0.002
#: The part of the games that is used for validation.
KEPT_BACK: Final = 0.1
#: The standard deviation of the logarithms of the weights.
VARIETY: Final = 0.3


def main() -> int:
    """Train the model and write it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=48_000, help="games of self-play (default: 48000)")
    parser.add_argument("--epochs", type=int, default=6, help="passes over all positions (default: 6)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("model.bin"))
    wanted = parser.parse_args()
    if wanted.games < LEAST_GAMES or wanted.epochs < 1:
        parser.error(f"at least {LEAST_GAMES} games and one epoch are needed")
    start = time.perf_counter()
    inputs, targets, games = examples(wanted.games, wanted.seed)
    print(f"{len(inputs)} positions of {wanted.games} games in {time.perf_counter() - start:.0f} s", flush=True)
    is_kept = games >= wanted.games * (1 - KEPT_BACK)
    start = time.perf_counter()
    model = fit(inputs[~is_kept], targets[~is_kept], wanted.epochs, wanted.seed, inputs[is_kept], targets[is_kept])
    print(f"fitted in {time.perf_counter() - start:.0f} s; {quality(model, inputs[is_kept], targets[is_kept])}")
    wanted.out.write_bytes(model.to_bytes())
    print(f"written to {wanted.out}")
    return 0


def examples(count: int, seed: int) -> tuple[Array, Array, Array]:
    """Return positions, their results (share of the victory, lead), and the number of the game of each."""
    rng = random.Random(f"lessons {seed}")
    inputs: list[Any] = []
    targets: list[Any] = []
    games: list[Any] = []
    for game in range(count):
        options = _options(rng)
        seat_weights = [_varied_weights(rng) for _ in range(options.players)]
        learned = play_examples(options, seat_weights, QuickLuck(rng.randrange(1 << 30)), EVERY)
        inputs.append(np.asarray([example.features for example in learned], np.float32))
        targets.append(np.asarray([(example.win, example.lead / LEAD_UNIT) for example in learned], np.float32))
        games.append(np.full(len(learned), game, np.float32))
    return np.concatenate(inputs), np.concatenate(targets), np.concatenate(games)


def _options(rng: random.Random) -> Options:
    edition = rng.choice(("alhambra", "granada", "combined"))
    allowed = [one for one in MODULES if edition != "granada" or one not in ("bonus", "huts")]
    modules = tuple(allowed) if rng.random() < 0.4 else tuple([one for one in allowed if rng.random() < 0.3])
    scoring = "simplified" if edition != "alhambra" and rng.random() < 0.15 else "regular"
    return Options(edition, rng.choice(PLAYERS), modules, scoring)


def _varied_weights(rng: random.Random) -> Weights:
    """Return weights near the usual ones: among equal players nobody would make mistakes to learn from."""
    weights = Weights().as_dict()
    return Weights(**{name: weight * exp(rng.gauss(0.0, VARIETY)) for name, weight in weights.items()})


def fit(inputs: Array, targets: Array, epochs: int, seed: int, others: Array, other_targets: Array) -> NumpyModel:
    """Fit with Adam on the cross entropy of the victory and the squared error of the lead."""
    rng = np.random.default_rng(seed)
    mean, spread = inputs.mean(axis=0), inputs.std(axis=0) + np.float32(0.05)
    values = ((inputs - mean) / spread).astype(np.float32)
    sizes = [inputs.shape[1], *HIDDEN, 2]
    parameters: list[Any] = []
    for before, after in pairwise(sizes):
        parameters.append((rng.standard_normal((before, after)) * np.sqrt(2.0 / before)).astype(np.float32))
        parameters.append(np.zeros(after, np.float32))
    first = [np.zeros_like(one) for one in parameters]
    second = [np.zeros_like(one) for one in parameters]
    step = 0
    batch = min(BATCH, len(values))
    steps = epochs * (len(values) // batch)
    for epoch in range(epochs):
        order = rng.permutation(len(values))
        for begin in range(0, len(values) - batch + 1, batch):
            chosen = order[begin : begin + batch]
            slopes = _slopes(parameters, values[chosen], targets[chosen])
            step += 1
            rate = RATE * (1.0 - 0.95 * step / steps)
            for i, slope in enumerate(slopes):
                first[i] = 0.9 * first[i] + 0.1 * slope
                second[i] = 0.999 * second[i] + 0.001 * slope * slope
                size = np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8
                parameters[i] -= (rate * (first[i] / (1 - 0.9**step)) / size).astype(np.float32)
        model = NumpyModel(list(zip(parameters[::2], parameters[1::2], strict=True)), mean, spread)
        print(f"epoch {epoch + 1}: {quality(model, others, other_targets)}", flush=True)
    return model


def _slopes(parameters: list[Any], values: Array, targets: Array) -> list[Any]:
    """Return the gradient of the loss for some positions."""
    kept = [values]
    for i in range(0, len(parameters) - 2, 2):
        values = np.maximum(values @ parameters[i] + parameters[i + 1], 0.0)
        kept.append(values)
    out = values @ parameters[-2] + parameters[-1]
    chances = 1.0 / (1.0 + np.exp(-np.clip(out[:, 0], -30.0, 30.0)))
    error = np.stack([chances - targets[:, 0], out[:, 1] - targets[:, 1]], axis=1) / len(targets)
    found: list[Any] = []
    for i in range(len(parameters) - 2, -1, -2):
        layer = kept[i // 2]
        found = [layer.T @ error, error.sum(axis=0), *found]
        if i:
            error = (error @ parameters[i].T) * (layer > 0)
    return found


def quality(model: Model, inputs: Array, targets: Array) -> str:
    """Return how well the model predicts games that were not used for training."""
    chances, leads = model.predict(inputs.tolist())
    guess = np.clip(np.asarray(chances), 1e-6, 1 - 1e-6)
    won = targets[:, 0]
    entropy = -np.mean(won * np.log(guess) + (1 - won) * np.log(1 - guess))
    error = np.mean(np.abs(np.asarray(leads) - LEAD_UNIT * targets[:, 1]))
    return f"cross entropy {entropy:.4f}, mean error of the lead {error:.1f} points ({len(inputs)} positions)"


if __name__ == "__main__":
    sys.exit(main())
