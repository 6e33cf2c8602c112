"""Behaviour cloning in NumPy: a policy learns to choose what the bots of a dataset chose.

granada dataset --players builder,builder --games 500 --seed 1 --out games
python -m granada.learning.baselines.cloning games --seed 1 --out cloned.npz
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from granada.learning import dataset
from granada.learning.baselines.inputs import inputs_of
from granada.learning.baselines.policy import Adam, SoftmaxPolicy
from granada.learning.baselines.training import from_one, from_zero, new_file
from granada.learning.missing import missing

try:
    import numpy as np
except ModuleNotFoundError as error:
    raise missing(error) from None

#: Decisions in a batch.
BATCH = 128


class Imitation(NamedTuple):
    """How well a policy imitates games that it was not trained with."""

    #: The part of the steps with the same token, and the mean of minus the logarithm of the token's probability.
    accuracy: float
    loss: float


def clone(
    policy: SoftmaxPolicy, games: Sequence[dataset.Steps], epochs: int, seed: int = 0, rate: float = 0.002
) -> Iterator[int]:
    """Train a policy with some files of a dataset; yields the number of each epoch after it."""
    rng = np.random.default_rng(seed)
    adam = Adam(policy, rate)
    for epoch in range(1, epochs + 1):
        adam.rate = rate * (1 - (epoch - 1) / epochs)
        for number in rng.permutation(len(games)):
            steps = games[number]
            order = rng.permutation(len(steps))
            masks = steps.masks
            for rows in np.array_split(order, max(1, len(order) // BATCH)):
                inputs = inputs_of(steps.observations[rows], masks[rows])
                gains = np.ones(len(rows), np.float32)
                adam.step(policy.gradients(inputs, steps.tokens[rows].astype(np.int64), gains, steps.outcomes[rows]))
        yield epoch


def imitation(policy: SoftmaxPolicy, games: Sequence[dataset.Steps]) -> Imitation:
    """Return how well a policy imitates some files of a dataset."""
    hits, losses, count = 0, 0.0, 0
    for steps in games:
        chances = policy.probabilities(inputs_of(steps.observations, steps.masks))
        hits += int((chances.argmax(axis=1) == steps.tokens).sum())
        losses -= float(np.log(chances[np.arange(len(steps)), steps.tokens] + 1e-12).sum())
        count += len(steps)
    return Imitation(hits / count, losses / count)


def main(argv: Sequence[str] | None = None) -> int:
    """Train a policy with a dataset; every tenth file, at least one, is only used to measure it."""
    parser = argparse.ArgumentParser(description="Clone the bots of a dataset.")
    parser.add_argument("games", type=Path, help="the folder that granada dataset wrote")
    parser.add_argument("--epochs", type=from_one, default=5)
    parser.add_argument("--hidden", type=from_one, default=32)
    parser.add_argument("--seed", type=from_zero, default=0)
    parser.add_argument("--out", type=new_file, required=True, help="the file of the weights")
    given = parser.parse_args(argv)
    try:
        files = list(dataset.read(given.games))
    except dataset.BadDataset as error:
        parser.error(str(error))
    if len(files) < 2:
        parser.error(f"{given.games} has only one file: nothing would be left to measure")
    held_out, used = files[::10], [steps for number, steps in enumerate(files) if number % 10]
    policy = SoftmaxPolicy(given.seed, given.hidden)
    for epoch in clone(policy, used, given.epochs, given.seed):
        found = imitation(policy, held_out)
        print(f"epoch {epoch}: {100 * found.accuracy:.1f} % of held-out tokens, loss {found.loss:.3f}", flush=True)
    policy.save(given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
