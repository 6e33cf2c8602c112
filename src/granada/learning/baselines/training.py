"""What baselines that learn by playing share: options of commands, the environment, and reports in between."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from granada.learning.baselines.evaluation import Chooser, mean_and_interval, results
from granada.learning.missing import missing
from granada.learning.names import GYMNASIUM
from granada.learning.vector import GamesEnv

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None


def command(description: str, steps: int, rate: float) -> argparse.ArgumentParser:
    """Return the parser of a command that trains, with its usual number of steps and its learning rate."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--env", default="granada/AlhambraShort-v0", choices=GYMNASIUM)
    parser.add_argument("--players", type=int, help="players of the game (default: 4, and 2 in small variants)")
    parser.add_argument("--opponents", default="random", help="a bot that plays the other seats")
    parser.add_argument("--modules", default="", help="modules of the game, separated by commas")
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--evaluations", type=int, default=4)
    parser.add_argument("--deals", type=int, default=100, help="deals in an evaluation")
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="the file of the weights")
    return parser


def terms_from(given: argparse.Namespace) -> dict[str, Any]:
    """Return the terms of the game that the options of a command name."""
    terms: dict[str, Any] = GYMNASIUM[given.env].arguments()
    if given.players is not None:
        terms["players"] = given.players
    terms["modules"] = tuple([name for name in given.modules.split(",") if name])
    return terms


def shaped_env(terms: dict[str, Any], opponents: str, games: int) -> GamesEnv:
    """Return the environment to train in: the learner sits on every seat in turn, with the shaped reward."""
    shaped = {"reward": "margin", **terms, "shaping": 1.0}
    return GamesEnv(games, seat="rotate", opponents=opponents, copy=False, **shaped)


def with_what_follows(
    rewards: NDArray[Any],
    truncated: NDArray[np.bool_],
    infos: dict[str, Any],
    values: Callable[[NDArray[np.uint8], NDArray[np.int8]], NDArray[np.float32]],
    discount: float,
) -> NDArray[np.float32]:
    """Return the rewards of a step, with what the last observations of truncated games are worth.

    The limit of turns is not an end by the rules (3.7), so it must not be learned as one.
    """
    found = rewards.astype(np.float32)
    stopped = np.flatnonzero(truncated)
    if len(stopped):
        last = np.stack(list(infos["final_obs"][stopped]))
        found[stopped] += discount * values(last, infos["final_info"]["action_mask"][stopped])
    return found


def at_stops(updates: Iterator[int], steps: int, stops: int) -> Iterator[int]:
    """Train while this is read: yields the steps so far at the start, and then after equal parts."""
    yield 0
    stop = 1
    for done in updates:
        while stop <= stops and done * stops >= stop * steps:
            yield done
            stop += 1


def report(steps: int, choose: Chooser, terms: dict[str, Any], given: argparse.Namespace) -> None:
    """Print how a learner does against its opponents after some steps."""
    found = results(choose, opponents=given.opponents, deals=given.deals, seed=given.seed + 1, **terms)
    mean, low, high = mean_and_interval(found)
    print(f"{steps} steps: reward {mean:+.3f} ({low:+.3f} to {high:+.3f})", flush=True)
