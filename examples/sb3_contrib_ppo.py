"""Masked PPO of sb3-contrib in a small variant: the environments have the `action_masks` that it asks for.

pip install 'granada[learning]' sb3-contrib
python examples/sb3_contrib_ppo.py --steps 16384
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
from gymnasium.wrappers import TransformObservation

from granada.arena.intervals import interval_of_mean
from granada.learning import register
from granada.learning.names import GYMNASIUM


def make(name: str, opponents: str, **arguments: Any) -> gymnasium.Env[Any, Any]:
    """Return an environment with the logarithms of its numbers: most are 0 or 1, some are counts up to 255."""
    env = gymnasium.make(name, seat="rotate", opponents=opponents, **arguments)
    space = gymnasium.spaces.Box(0.0, 3.0, env.observation_space.shape, np.float32)
    return TransformObservation(env, lambda seen: (np.log1p(seen) / 2).astype(np.float32), space)


def main() -> None:
    """Train a network with the shaped reward, and print how it does in games that it was not trained with."""
    parser = argparse.ArgumentParser(description="Train a network with sb3-contrib's MaskablePPO.")
    parser.add_argument("--env", default="granada/AlhambraShort-v0", choices=GYMNASIUM)
    parser.add_argument("--opponents", default="random", help="a bot that plays the other seats")
    parser.add_argument("--steps", type=int, default=16_384)
    parser.add_argument("--games", type=int, default=100, help="games played to see how good the network is")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    try:
        sb3_contrib = import_module("sb3_contrib")
    except ModuleNotFoundError as error:
        sys.exit(f"{error.name} is not installed: pip install sb3-contrib")
    register.register_gymnasium()
    env = make(given.env, given.opponents, reward="margin", shaping=1.0)
    model = sb3_contrib.MaskablePPO(
        "MlpPolicy", env, n_steps=1024, batch_size=256, gamma=0.97, seed=given.seed, verbose=1
    )
    model.learn(given.steps)

    env = make(given.env, given.opponents)
    rewards = []
    for game in range(given.games):
        observation, info = env.reset(seed=given.seed if game == 0 else None)
        reward, done = 0.0, False
        while not done:
            token, _ = model.predict(observation, action_masks=info["action_mask"], deterministic=True)
            observation, step_reward, terminated, truncated, info = env.step(int(token))
            reward += float(step_reward)
            done = terminated or truncated
        rewards.append(reward)
    low, high = interval_of_mean([[reward] for reward in rewards]) or (0.0, 0.0)
    print(f"{given.steps} steps: reward {np.mean(rewards):+.3f} ({low:+.3f} to {high:+.3f}) in {given.games} games")


if __name__ == "__main__":
    main()
