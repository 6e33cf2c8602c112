"""What baselines that learn by playing share: options of commands, the environment, and reports in between."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from granada.bots.external.third_party import BotError
from granada.learning.baselines.evaluation import Chooser, mean_and_interval, results
from granada.learning.bot_opponents import opponents_of
from granada.learning.missing import missing
from granada.learning.names import GYMNASIUM
from granada.learning.terms import terms_of
from granada.learning.vector import GamesEnv
from granada.rules.errors import BadOptions

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
    parser.add_argument("--steps", type=from_one, default=steps)
    parser.add_argument("--evaluations", type=from_one, default=4)
    parser.add_argument("--deals", type=from_one, default=100, help="deals in an evaluation")
    parser.add_argument("--rate", type=positive, default=rate)
    parser.add_argument("--seed", type=from_zero, default=0)
    parser.add_argument("--out", type=new_file, help="the file of the weights")
    return parser


def from_zero(text: str) -> int:
    """Return a whole number from 0 on."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 on")
    return int(text)


def from_one(text: str) -> int:
    """Return a whole number from 1 on."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 on")
    return int(text)


def positive(text: str) -> float:
    """Return a finite number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return value


def new_file(text: str) -> Path:
    """Return the path of a file that can be written; it is checked before the training, not after it."""
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"'{text}' is not a file in a folder that exists")
    return path


def terms_from(parser: argparse.ArgumentParser, given: argparse.Namespace) -> dict[str, Any]:
    """Return the terms of the game that the options of a command name; wrong ones end the command with one line."""
    terms: dict[str, Any] = GYMNASIUM[given.env].arguments()
    if given.players is not None:
        terms["players"] = given.players
    terms["modules"] = tuple([name for name in given.modules.split(",") if name])
    try:
        opponents_of(given.opponents, terms_of(**terms).seats - 1)
    except (BadOptions, BotError, ModuleNotFoundError) as error:
        parser.error(str(error))
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
