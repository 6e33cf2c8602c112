"""Speed of the environments for learning relative to others, measured in the same run on one core.

Run by `make bench`, which installs the references: OpenSpiel, catanatron_gym (with catanatron), and PettingZoo's hanabi
(with shimmy and pygame-ce). Those that are not installed are left out and named. The measurements alternate in short
rounds; the median of the ratios is shown. The policies are random and choose from the mask.
"""

from __future__ import annotations

import argparse
import functools
import json
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv

import granada
from granada.learning import alhambra_v0, register
from granada.learning.terms import terms_of
from granada.learning.token_game import TokenGame
from granada.learning.tokens import TOKENS
from granada.learning.vector import GamesEnv

GAMES = 64
RNG = random.Random(1)


def pick(mask: Any) -> int:
    """Return a random token of a mask."""
    found = np.flatnonzero(mask)
    return int(found[RNG.randrange(len(found))])


def raw_loop(players: int) -> Iterator[int]:
    """Observe and choose in the compiled loop, without NumPy."""
    game = TokenGame(terms_of("alhambra", players=players), random.Random(2))
    out, mask = memoryview(bytearray(game.size)), memoryview(bytearray(TOKENS))
    while True:
        game.restart(game.rng)
        while not game.is_done:
            game.observe(game.seat, out)
            game.mask(mask)
            tokens = game.tokens
            game.choose(tokens[RNG.randrange(len(tokens))])
            yield 1


def rules_and_tokens(players: int) -> Iterator[int]:
    """Choose tokens in many games without observations and masks: the limit of every vector environment."""
    terms = terms_of("alhambra", players=players)
    games = [TokenGame(terms, random.Random(number)) for number in range(GAMES)]
    while True:
        for game in games:
            if game.is_done:
                game.restart(game.rng)
            tokens = game.tokens
            game.choose(tokens[RNG.randrange(len(tokens))])
        yield GAMES


def agents(env: Any) -> Iterator[int]:
    """Play a PettingZoo environment."""
    seed = 0
    while True:
        env.reset(seed=seed)
        seed += 1
        while env.agents:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(pick(observation["action_mask"]))
            yield 1


def single(seat: int | str, players: int) -> Iterator[int]:
    """Play a Gymnasium environment in its usual wrappers."""
    env = gymnasium.make("granada/Alhambra-v0", players=players, seat=seat)
    while True:
        _, info = env.reset()
        done = False
        while not done:
            _, _, terminated, truncated, info = env.step(pick(info["action_mask"]))
            done = terminated or truncated
            yield 1


def separate(seat: int | str, players: int) -> Iterator[int]:
    """Step many single environments with Gymnasium's own vector environment."""
    make = functools.partial(gymnasium.make, "granada/Alhambra-v0", players=players, seat=seat)
    return steps_of_all(SyncVectorEnv([make] * GAMES, autoreset_mode=AutoresetMode.SAME_STEP))


def vector(seat: int | str, players: int) -> Iterator[int]:
    """Step many games in one call."""
    return steps_of_all(GamesEnv(GAMES, "alhambra", players=players, seat=seat, copy=False))


def steps_of_all(env: VectorEnv[Any, Any, Any]) -> Iterator[int]:
    """Step many games; the tokens of all games are chosen with NumPy at once."""
    numbers = np.random.default_rng(1)
    starts = TOKENS * np.arange(GAMES + 1)
    _, infos = env.reset(seed=1)
    while True:
        masks = infos["action_mask"]
        if masks.dtype == object:  # from separate environments
            masks = np.stack(list(masks))
        found = np.flatnonzero(masks.view(np.bool_))
        first = np.searchsorted(found, starts)
        chosen = first[:-1] + (numbers.random(GAMES) * np.diff(first)).astype(np.int64)
        _, _, _, _, infos = env.step(found[chosen] - starts[:-1])
        yield GAMES


def backgammon() -> Iterator[int]:
    """Play OpenSpiel's backgammon with tensor and mask."""
    import pyspiel

    game = pyspiel.load_game("backgammon")
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(RNG.choices(outcomes, chances)[0])
                continue
            np.asarray(state.observation_tensor(), np.float32)
            state.apply_action(pick(np.asarray(state.legal_actions_mask())))
            yield 1


def catanatron() -> Iterator[int]:
    """Play catanatron's Gymnasium environment: two players against a random one."""
    env = import_module("catanatron_gym.envs.catanatron_env").CatanatronEnv()
    while True:
        env.reset()
        done = False
        while not done:
            actions = env.get_valid_actions()
            _, _, terminated, truncated, _ = env.step(actions[RNG.randrange(len(actions))])
            done = terminated or truncated
            yield 1


def hanabi() -> Iterator[int]:
    """Play PettingZoo's hanabi."""
    return agents(import_module("pettingzoo.classic.hanabi_v5").env())


WORKS: dict[str, Callable[[], Iterator[int]]] = {
    "raw loop, 4 players": lambda: raw_loop(4),
    "raw loop, 2 players": lambda: raw_loop(2),
    "PettingZoo, 4 players, wrapped": lambda: agents(alhambra_v0.env(players=4)),
    "Gymnasium, 1 of 2 seats": lambda: single(0, 2),
    "Gymnasium, self-play, 4 players": lambda: single("every", 4),
    "vector, 1 of 2 seats": lambda: vector(0, 2),
    "vector, self-play, 4 players": lambda: vector("every", 4),
    "SyncVectorEnv, 1 of 2 seats": lambda: separate(0, 2),
    "SyncVectorEnv, self-play, 4 players": lambda: separate("every", 4),
    "rules and tokens alone, 64 games": lambda: rules_and_tokens(4),
    "backgammon": backgammon,
    "catanatron": catanatron,
    "hanabi": hanabi,
}
#: The ratios to show, with their targets; 0 if there is none.
RATIOS = (
    ("raw loop, 4 players", "catanatron", 8),
    ("raw loop, 4 players", "backgammon", 2),
    ("PettingZoo, 4 players, wrapped", "hanabi", 3),
    ("vector, 1 of 2 seats", "Gymnasium, 1 of 2 seats", 4),
    ("vector, self-play, 4 players", "Gymnasium, self-play, 4 players", 4),
    ("vector, self-play, 4 players", "PettingZoo, 4 players, wrapped", 4),
    ("vector, 1 of 2 seats", "SyncVectorEnv, 1 of 2 seats", 0),
    ("vector, self-play, 4 players", "SyncVectorEnv, self-play, 4 players", 0),
    ("rules and tokens alone, 64 games", "Gymnasium, self-play, 4 players", 0),
)


def rate(steps: Iterator[int], seconds: float) -> float:
    """Return the steps per second of processor time."""
    done, start = 0, time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        for _ in range(8):
            done += next(steps)
    return done / elapsed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="duration of each measurement in a round")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    assert register.__name__
    works: dict[str, Iterator[int]] = {}
    for name, make in WORKS.items():
        try:
            works[name] = make()
            for _ in range(50):
                next(works[name])
        except (ImportError, AttributeError, TypeError) as error:  # another version may have another interface
            works.pop(name, None)
            print(f"left out: {name} ({type(error).__name__}: {error})", file=sys.stderr)
    rates: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(arguments.rounds):
        for name, steps in works.items():
            rates[name].append(rate(steps, arguments.seconds))
    results: dict[str, float | str] = {"mode": "compiled" if granada.is_compiled() else "interpreted"}
    for name, found in rates.items():
        results[f"{name}, steps/s"] = statistics.median(found)
    for one, other, target in RATIOS:
        if one in rates and other in rates:
            pairs = zip(rates[one], rates[other], strict=True)
            results[f"{one} : {other}" + (f" (target {target})" if target else "")] = statistics.median(
                [a / b for a, b in pairs]
            )
    if arguments.json:
        print(json.dumps(results, indent=1))
        return
    for name, value in results.items():
        print(f"{name:80} {value if isinstance(value, str) else format(value, ',.2f'):>12}")


if __name__ == "__main__":
    main()
