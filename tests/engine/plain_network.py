"""The network of the learned evaluation in plain Python, for tests without NumPy: too slow to play with."""

from __future__ import annotations

import struct
from array import array
from functools import cache
from itertools import pairwise
from operator import mul

from granada.engine.model import read_weights


@cache
def plain_weights() -> tuple[list[int], list[float]]:
    """Return the sizes of the layers and all numbers of the file."""
    data = read_weights()
    (count,) = struct.unpack_from("<I", data)
    sizes = struct.unpack_from(f"<{count}I", data, 4)
    start = 4 + 4 * count
    return list(sizes), list(struct.unpack_from(f"<{(len(data) - start) // 4}f", data, start))


def compute(inputs: array[float], outputs: array[float]) -> None:
    """Write the outputs for some positions: what the page does in JavaScript."""
    sizes, numbers = plain_weights()
    width, depth = sizes[0], sizes[-1]
    mean, spread = numbers[:width], numbers[width : 2 * width]
    for i in range(len(outputs) // depth):
        position = inputs[i * width : (i + 1) * width]
        values = [(one - middle) / wide for one, middle, wide in zip(position, mean, spread, strict=True)]
        at = 2 * width
        for before, after in pairwise(sizes):
            bias = at + before * after
            values = [
                sum(map(mul, values, numbers[at + unit : bias : after])) + numbers[bias + unit] for unit in range(after)
            ]
            at = bias + after
            if at < len(numbers):
                values = [max(0.0, value) for value in values]
        outputs[i * depth : (i + 1) * depth] = array("f", values)
