"""The learned evaluation: a small neural network from the features of a position to the win chance and the lead.

Its weights are in `model.npz`, written by `python -m granada.engine.training`. It needs NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from granada.engine.evaluation import Outlook
from granada.engine.features import features
from granada.engine.rollout import RolloutResult
from granada.engine.standing import Standing
from granada.engine.weights import Weights
from granada.rules.errors import BadOptions
from granada.rules.leftovers import victory

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from granada.rules.state import State

    Array = NDArray[np.float32]

#: The unit in which the network predicts leads, in points.
LEAD_UNIT: Final = 40.0
MISSING: Final = "the strongest bot needs NumPy: pip install 'granada[bots]'"


class Model:
    """A network whose last layer gives the logit of the win chance and the lead."""

    def __init__(self, layers: list[tuple[Array, Array]], mean: Array, spread: Array) -> None:
        self.layers: Final = layers
        #: For normalizing the features.
        self.mean: Final = mean
        self.spread: Final = spread

    def predict(self, positions: list[list[float]]) -> tuple[list[float], list[float]]:
        """Return the win chances and the final leads of some positions."""
        import numpy as np

        values: Array = (np.asarray(positions, dtype=np.float32) - self.mean) / self.spread
        for weights, bias in self.layers[:-1]:
            values = np.maximum(values @ weights + bias, 0.0)
        weights, bias = self.layers[-1]
        values = values @ weights + bias
        chances = 1.0 / (1.0 + np.exp(-np.clip(values[:, 0], -30.0, 30.0)))
        return chances.tolist(), (LEAD_UNIT * values[:, 1]).tolist()

    def expect(self, outcomes: Sequence[RolloutResult]) -> list[tuple[float, float]]:
        """Return the win chance and the final lead for each roll-out; they are known if its game is over."""
        positions = [outcome.features for outcome in outcomes if outcome.features]
        predicted = zip(*self.predict(positions), strict=True) if positions else iter(())
        return [next(predicted) if outcome.features else (outcome.chance, outcome.lead) for outcome in outcomes]


@cache
def load_model() -> Model:
    """Return the model of the package; BadOptions says what is missing."""
    try:
        import numpy as np
    except ImportError:
        raise BadOptions(MISSING) from None
    with resources.files("granada.engine").joinpath("model.npz").open("rb") as file, np.load(file) as arrays:
        count = int(arrays["layers"])
        layers = [(arrays[f"weights_{i}"], arrays[f"bias_{i}"]) for i in range(count)]
        return Model(layers, arrays["mean"], arrays["spread"])


def chances(state: State) -> list[float]:
    """Return the win chance of each seat; their sum is 1."""
    if state.is_over:
        return victory(state)
    outlook = Outlook(Standing(state, Weights()))
    found, _ = load_model().predict([features(outlook, seat) for seat in range(len(state.players))])
    whole = sum(found)
    return [one / whole for one in found]
