"""A small policy in NumPy: one network chooses among the tokens, another rates each cell by what is around it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from granada.learning.baselines.inputs import CELL_INPUTS, INPUTS, Floats, Inputs, inputs_of
from granada.learning.missing import missing
from granada.learning.tokens import CELL, TOKENS

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None

#: The logit of a token that is not legal.
IMPOSSIBLE: Final = np.float32(-1e9)
#: The weights by name.
NAMES: Final = ("input", "hidden", "output", "bias", "near", "near hidden", "near output", "value", "value bias")


class SoftmaxPolicy:
    """Chooses tokens with the probabilities of a softmax; fits any edition, module and number of players."""

    def __init__(self, seed: int = 0, hidden: int = 32, near: int = 32) -> None:
        rng = np.random.default_rng(seed)

        def weights(inputs: int, outputs: int, scale: float) -> Floats:
            found: Floats = rng.standard_normal((inputs, outputs), np.float32)
            found *= np.float32(scale / np.sqrt(inputs))
            return found

        self.weights: dict[str, Floats] = {
            "input": weights(INPUTS, hidden, 2.0),
            "hidden": np.zeros(hidden, np.float32),
            "output": weights(hidden, CELL, 0.1),
            "bias": np.zeros(CELL, np.float32),
            "near": weights(CELL_INPUTS, near, 2.0),
            "near hidden": np.zeros(near, np.float32),
            "near output": weights(near, 1, 0.1),
            "value": np.zeros((hidden, 1), np.float32),
            "value bias": np.zeros(1, np.float32),
        }

    def save(self, path: str | Path) -> None:
        """Write the weights with half precision, which is enough to choose."""
        with open(path, "wb") as file:
            arrays: dict[str, Any] = {name: self.weights[name].astype(np.float16) for name in NAMES}
            np.savez_compressed(file, **arrays)

    @staticmethod
    def load(path: str | Path) -> SoftmaxPolicy:
        """Read weights."""
        policy = SoftmaxPolicy(hidden=1, near=1)
        with np.load(path) as stored:
            policy.weights = {name: stored[name].astype(np.float32) for name in NAMES}
        return policy

    def _layers(self, inputs: Inputs) -> tuple[Floats, Floats, Floats]:
        """Return both hidden layers, and the probabilities of the tokens."""
        w = self.weights
        hidden = np.maximum(inputs.table @ w["input"] + w["hidden"], 0)
        near = np.maximum(inputs.around @ w["near"] + w["near hidden"], 0)
        logits = np.full((len(hidden), TOKENS), IMPOSSIBLE, np.float32)
        logits[:, :CELL] = np.where(inputs.masks[:, :CELL] > 0, hidden @ w["output"] + w["bias"], IMPOSSIBLE)
        logits[inputs.rows, CELL + inputs.cells] = (near @ w["near output"])[:, 0]
        chances: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return hidden, near, chances

    def probabilities(self, inputs: Inputs) -> Floats:
        """Return the probability of each token, a row for each decision."""
        return self._layers(inputs)[2]

    def values(self, inputs: Inputs) -> Floats:
        """Return what each decision is expected to bring."""
        return self._value(self._layers(inputs)[0])

    def _value(self, hidden: Floats) -> Floats:
        found: Floats = (hidden @ self.weights["value"])[:, 0] + self.weights["value bias"]
        return found

    def sample(self, inputs: Inputs, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a random token for each decision."""
        sums = self.probabilities(inputs).cumsum(axis=1)
        found: NDArray[np.int64] = (sums <= rng.random((len(sums), 1)) * sums[:, -1:]).sum(axis=1)
        return found

    def best(self, observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return the most likely token of each decision."""
        found: NDArray[np.int64] = self.probabilities(inputs_of(observations, masks)).argmax(axis=1)
        return found

    def __call__(self, observation: NDArray[np.uint8], mask: NDArray[np.int8]) -> int:
        """Return the most likely token: so a policy can be an opponent in the environments."""
        return int(self.best(observation[None], mask[None])[0])

    def gradients(
        self, inputs: Inputs, tokens: NDArray[np.int64], gains: Floats, returns: Floats, entropy: float = 0.0
    ) -> dict[str, Floats]:
        """Return the gradients of a sum of three means.

        They are the gain of each token times its log probability, minus half the square error of the value, and the
        entropy times a weight.
        """
        w = self.weights
        count = len(tokens)
        hidden, near, chances = self._layers(inputs)
        slope = -gains[:, None] * chances
        slope[np.arange(count), tokens] += gains
        if entropy:
            logs = np.log(chances + 1e-12)
            slope -= entropy * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
        slope /= count
        of_tokens = slope[:, :CELL]
        of_cells = slope[inputs.rows, CELL + inputs.cells][:, None]
        errors = ((returns - self._value(hidden)) / count)[:, None]
        back = (of_tokens @ w["output"].T + errors @ w["value"].T) * (hidden > 0)
        near_back = (of_cells @ w["near output"].T) * (near > 0)
        return {
            "input": inputs.table.T @ back,
            "hidden": back.sum(axis=0),
            "output": hidden.T @ of_tokens,
            "bias": of_tokens.sum(axis=0),
            "near": inputs.around.T @ near_back,
            "near hidden": near_back.sum(axis=0),
            "near output": near.T @ of_cells,
            "value": hidden.T @ errors,
            "value bias": errors.sum(axis=0),
        }


class Adam:
    """Changes weights along gradients, upwards, each at its own pace (Adam)."""

    def __init__(self, policy: SoftmaxPolicy, rate: float, decay: tuple[float, float] = (0.9, 0.99)) -> None:
        self.policy: Final = policy
        self.rate = rate
        self.decay: Final = decay
        self._count = 0
        self._means = {name: np.zeros_like(array) for name, array in policy.weights.items()}
        self._squares = {name: np.zeros_like(array) for name, array in policy.weights.items()}

    def step(self, gradients: dict[str, Floats]) -> None:
        """Change all weights."""
        first, second = self.decay
        self._count += 1
        for name, gradient in gradients.items():
            mean, square = self._means[name], self._squares[name]
            mean += (1 - first) * (gradient - mean)
            square += (1 - second) * (gradient**2 - square)
            spread = np.sqrt(square / (1 - second**self._count)) + 1e-8
            self.policy.weights[name] += np.float32(self.rate / (1 - first**self._count)) * mean / spread
