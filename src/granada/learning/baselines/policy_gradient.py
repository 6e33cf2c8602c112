"""Policy gradients in NumPy: REINFORCE with a learned baseline, in some hundred games of a small variant.

python -m granada.learning.baselines.policy_gradient --env granada/AlhambraShort-v0 --seed 1 --out policy.npz
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import BadZipFile

from granada.learning.baselines.inputs import Floats, Inputs, inputs_of, joined
from granada.learning.baselines.policy import Adam, SoftmaxPolicy
from granada.learning.baselines.training import at_stops, command, report, shaped_env, terms_from, with_what_follows
from granada.learning.missing import missing
from granada.learning.vector import GamesEnv

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None


class GradientSettings(NamedTuple):
    """How to train: games at once, steps of each between two updates, and the usual parameters."""

    games: int = 16
    length: int = 32
    rate: float = 0.005
    discount: float = 0.97
    entropy: float = 0.01


_DEFAULT: Final = GradientSettings()


def returns_of(rewards: Floats, is_last: NDArray[np.bool_], after: Floats, discount: float) -> Floats:
    """Return what follows each step: rewards to the end of the game, or to `after`, the value of what comes next.

    The first index is the step, the second the game.
    """
    found = np.zeros_like(rewards)
    for step in reversed(range(len(rewards))):
        after = rewards[step] + discount * np.where(is_last[step], 0, after)
        found[step] = after
    return found


def train(
    env: GamesEnv, policy: SoftmaxPolicy, steps: int, seed: int = 0, settings: GradientSettings = _DEFAULT
) -> Iterator[int]:
    """Train a policy for a number of steps of all games together; yields the steps so far after each update."""
    rng = np.random.default_rng(seed)
    adam = Adam(policy, settings.rate)
    observations, infos = env.reset(seed=seed)
    masks = infos["action_mask"]
    done = 0

    def values(observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> Floats:
        return policy.values(inputs_of(observations, masks))

    while done < steps:
        seen: list[Inputs] = []
        chosen: list[NDArray[np.int64]] = []
        rewards, is_last = [], []
        for _ in range(settings.length):
            inputs = inputs_of(observations, masks)
            tokens = policy.sample(inputs, rng)
            observations, reward, terminated, truncated, infos = env.step(tokens)
            masks = infos["action_mask"]
            seen.append(inputs)
            chosen.append(tokens)
            rewards.append(with_what_follows(reward, truncated, infos, values, settings.discount))
            is_last.append(terminated | truncated)
        after = values(observations, masks)
        returns = returns_of(np.array(rewards), np.array(is_last), after, settings.discount).ravel()
        inputs = joined(seen)
        gains = returns - policy.values(inputs)
        gains = (gains - gains.mean()) / (gains.std() + 1e-6)
        adam.step(policy.gradients(inputs, np.concatenate(chosen), gains, returns, settings.entropy))
        done += len(returns)
        yield done


def trained(
    policy: SoftmaxPolicy,
    terms: dict[str, Any],
    opponents: str,
    steps: int,
    stops: int,
    seed: int,
    rate: float = _DEFAULT.rate,
) -> Iterator[int]:
    """Train a policy with the shaped reward; yields the steps so far at the start, and then after equal parts."""
    env = shaped_env(terms, opponents, _DEFAULT.games)
    yield from at_stops(train(env, policy, steps, seed, _DEFAULT._replace(rate=rate)), steps, stops)


def main(argv: Sequence[str] | None = None) -> int:
    """Train a policy, and print how it does against its opponents before, in between and at the end."""
    parser = command("Train a NumPy policy by policy gradients.", 16_384, _DEFAULT.rate)
    parser.add_argument("--start", type=Path, help="weights to start from, of a cloned policy for example")
    given = parser.parse_args(argv)
    terms = terms_from(parser, given)
    try:
        policy = SoftmaxPolicy(given.seed) if given.start is None else SoftmaxPolicy.load(given.start)
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        parser.error(f"'{given.start}' has no weights of a policy: {error}")
    for steps in trained(policy, terms, given.opponents, given.steps, given.evaluations, given.seed, given.rate):
        report(steps, policy.best, terms, given)
    if given.out is not None:
        policy.save(given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
