"""The network of the learned evaluation, computed by NumPy."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from granada.engine.model import LARGEST_LOGIT, LEAD_UNIT, Model

Array = NDArray[np.float32]


class NumpyModel(Model):
    """A network whose last layer gives the logit of the win chance and the lead."""

    def __init__(self, layers: list[tuple[Array, Array]], mean: Array, spread: Array) -> None:
        self.layers: Final = layers
        #: For normalizing the features.
        self.mean: Final = mean
        self.spread: Final = spread

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the network of a file in the format of `read_weights`."""
        count = int(np.frombuffer(data, "<u4", 1)[0])
        sizes = [int(size) for size in np.frombuffer(data, "<u4", count, 4)]
        numbers = np.frombuffer(data, "<f4", offset=4 + 4 * count).astype(np.float32)
        layers: list[tuple[Array, Array]] = []
        at = 2 * sizes[0]
        mean, spread = numbers[: sizes[0]], numbers[sizes[0] : at]
        for before, after in pairwise(sizes):
            bias = at + before * after
            layers.append((numbers[at:bias].reshape(before, after), numbers[bias : bias + after]))
            at = bias + after
        if at != len(numbers):
            raise ValueError(f"a network of the sizes {sizes} has {at} numbers, not {len(numbers)}")
        return cls(layers, mean, spread)

    def to_bytes(self) -> bytes:
        """Return the network as a file."""
        sizes = [len(self.mean), *[len(bias) for _, bias in self.layers]]
        arrays = [self.mean, self.spread, *[one for layer in self.layers for one in layer]]
        return np.asarray([len(sizes), *sizes], "<u4").tobytes() + b"".join(
            [one.astype("<f4").tobytes() for one in arrays]
        )

    def predict(self, positions: list[list[float]]) -> tuple[list[float], list[float]]:
        values: Array = (np.asarray(positions, dtype=np.float32) - self.mean) / self.spread
        for weights, bias in self.layers[:-1]:
            values = np.maximum(values @ weights + bias, 0.0)
        weights, bias = self.layers[-1]
        values = values @ weights + bias
        chances = 1.0 / (1.0 + np.exp(-np.clip(values[:, 0], -LARGEST_LOGIT, LARGEST_LOGIT)))
        return chances.tolist(), (LEAD_UNIT * values[:, 1]).tolist()
