"""The learned evaluation: a small neural network from the features of a position to the win chance and the lead.

Its weights are in `model.bin`, written by `python -m granada.engine.training`. It is computed by NumPy or by an
installed function: a web page without NumPy does it in JavaScript, because plain Python would be too slow to play.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from importlib.util import find_spec
from math import exp
from typing import TYPE_CHECKING, Final

from granada.engine.evaluation import Outlook
from granada.engine.features import features
from granada.engine.standing import Standing
from granada.engine.weights import Weights
from granada.rules.errors import BadOptions
from granada.rules.leftovers import victory

if TYPE_CHECKING:
    from granada.engine.rollout import RolloutResult
    from granada.rules.state import State

#: The unit in which the network predicts leads, in points.
LEAD_UNIT: Final = 40.0
#: Logits are limited to this size, so that their exponentials stay finite.
LARGEST_LOGIT: Final = 30.0
MISSING: Final = "the strongest bot needs NumPy: pip install 'granada[bots]'"

#: Gets the features of some positions, one position after the other, and writes the two outputs of the network for each
#: into the second array: the logit of the win chance and the lead in LEAD_UNIT. Both have 32-bit floats.
Compute = Callable[["array[float]", "array[float]"], object]


class Model:
    """The network with what computes it."""

    def predict(self, positions: list[list[float]]) -> tuple[list[float], list[float]]:
        """Return the win chances and the final leads of some positions."""
        raise NotImplementedError

    def expect(self, outcomes: Sequence[RolloutResult]) -> list[tuple[float, float]]:
        """Return the win chance and the final lead for each roll-out; they are known if its game is over."""
        positions = [outcome.features for outcome in outcomes if outcome.features]
        predicted = zip(*self.predict(positions), strict=True) if positions else iter(())
        return [next(predicted) if outcome.features else (outcome.chance, outcome.lead) for outcome in outcomes]


class InstalledModel(Model):
    """The network, computed by an installed function."""

    def __init__(self, compute: Compute) -> None:
        self._compute: Final = compute

    def predict(self, positions: list[list[float]]) -> tuple[list[float], list[float]]:
        inputs, outputs = array("f"), array("f", bytes(8 * len(positions)))
        for position in positions:
            inputs.fromlist(position)
        self._compute(inputs, outputs)
        logits = [max(-LARGEST_LOGIT, min(LARGEST_LOGIT, logit)) for logit in outputs[::2]]
        return [1.0 / (1.0 + exp(-logit)) for logit in logits], [LEAD_UNIT * lead for lead in outputs[1::2]]


def read_weights() -> bytes:
    """Return the weights of the network as 32-bit numbers, little-endian.

    First come unsigned integers: the number of sizes, and the sizes from the features to the outputs. Then come floats:
    the mean and the spread of each feature, and for each layer its weights (a row for each input) and its biases.
    """
    return resources.files("granada.engine").joinpath("model.bin").read_bytes()


_installed: Compute | None = None


def install(compute: Compute | None) -> None:
    """Compute the network with this function from now on, even if there is NumPy; None: with NumPy again."""
    global _installed
    _installed = compute
    load_model.cache_clear()


def check_model() -> None:
    """Raise BadOptions if nothing here can compute the network, without importing NumPy: only bot processes need it."""
    if _installed is None and not _has_numpy():
        raise BadOptions(MISSING)


@cache
def _has_numpy() -> bool:
    return find_spec("numpy") is not None


@cache
def load_model() -> Model:
    """Return the model of the package; BadOptions says what is missing."""
    if _installed is not None:
        return InstalledModel(_installed)
    try:
        from granada.engine.numpy_model import NumpyModel
    except ImportError:
        raise BadOptions(MISSING) from None
    return NumpyModel.from_bytes(read_weights())


def chances(state: State) -> list[float]:
    """Return the win chance of each seat; their sum is 1."""
    if state.is_over:
        return victory(state)
    outlook = Outlook(Standing(state, Weights()))
    found, _ = load_model().predict([features(outlook, seat) for seat in range(len(state.players))])
    whole = sum(found)
    return [one / whole for one in found]
