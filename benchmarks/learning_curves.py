"""Learning curves of the baselines: several seeds each, with intervals over the seeds.

python benchmarks/learning_curves.py              trains what docs/learning_curves.json does not have yet
python benchmarks/learning_curves.py --steps 0    only draws docs/learning_curves.svg again, and prints the table

Every agent learns the short variant against random opponents. Between its updates it plays other deals, from both
seats, against the opponents of the curves; it chooses the most likely tokens.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import granada
from granada.arena.intervals import interval_of_mean
from granada.arena.plot_canvas import SERIES, Plot, width_of
from granada.learning.baselines import policy_gradient
from granada.learning.baselines.evaluation import Chooser, results
from granada.learning.baselines.policy import SoftmaxPolicy

DOCS: Final = Path(__file__).parents[1] / "docs"
TERMS: Final = {"edition": "alhambra", "variant": "short"}
#: The agents by name, and whom they meet when they are measured.
AGENTS: Final = {"policy_gradient": "policy gradient, NumPy", "ppo": "masked PPO, PyTorch"}
OPPONENTS: Final = ("random", "novice", "greedy")
WIDTH, HEIGHT, TOP, LEFT, GAP = 760.0, 230.0, 84.0, 48.0, 20.0


class Training(NamedTuple):
    """An agent with a seed before it was trained: what chooses, and the steps so far at each stop."""

    choose: Chooser
    stops: Iterator[int]


def begin(agent: str, seed: int, steps: int, stops: int) -> Training:
    """Return an agent that is trained while its stops are read."""
    if agent == "policy_gradient":
        policy = SoftmaxPolicy(seed)
        return Training(policy.best, policy_gradient.trained(policy, TERMS, "random", steps, stops, seed))
    import torch

    from granada.learning.baselines import ppo

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    network = ppo.Network(2)
    return Training(network.best, ppo.trained(network, TERMS, "random", steps, stops, seed))


def measured(agent: str, seed: int, given: argparse.Namespace) -> dict[str, Any]:
    """Train an agent; returns its steps at each stop, the reward of each deal against each opponent, and the time."""
    training = begin(agent, seed, given.steps, given.stops)
    at: list[int] = []
    rewards: dict[str, list[list[float]]] = {opponent: [] for opponent in OPPONENTS}
    seconds, start = 0.0, time.process_time()
    for done in training.stops:
        seconds += time.process_time() - start
        at.append(done)
        for opponent in OPPONENTS:
            played = results(training.choose, opponents=opponent, deals=given.deals, seed=1_000 + seed, variant="short")
            rewards[opponent].append([sum(deal) / len(deal) for deal in played])
        print(agent, seed, done, [f"{sum(found[-1]) / given.deals:+.3f}" for found in rewards.values()], flush=True)
        start = time.process_time()
    return {"agent": agent, "seed": seed, "steps": at, "rewards": rewards, "seconds": round(seconds, 1)}


class Point(NamedTuple):
    """The mean reward of all seeds after some steps, with its 95 % interval over the seeds, and that of each seed."""

    steps: int
    mean: float
    low: float
    high: float
    seeds: list[float]


def curve(runs: Sequence[dict[str, Any]], opponent: str) -> list[Point]:
    """Return the curve of all runs of an agent."""
    points = []
    for index, steps in enumerate(runs[0]["steps"]):
        seeds = [sum(run["rewards"][opponent][index]) / len(run["rewards"][opponent][index]) for run in runs]
        mean = sum(seeds) / len(seeds)
        low, high = interval_of_mean([[value] for value in seeds]) or (mean, mean)
        points.append(Point(steps, mean, max(low, -1.0), min(high, 1.0), seeds))
    return points


def picture(runs: Sequence[dict[str, Any]]) -> str:
    """Draw a panel for each opponent, with the curves of all agents."""
    agents = [agent for agent in AGENTS if any(run["agent"] == agent for run in runs)]
    of = {agent: [run for run in runs if run["agent"] == agent] for agent in agents}
    curves = {(agent, opponent): curve(of[agent], opponent) for agent in agents for opponent in OPPONENTS}
    words = [
        f"{AGENTS[agent]} against {opponent}: {points[0].mean:+.2f} before and {points[-1].mean:+.2f} after training"
        for (agent, opponent), points in curves.items()
    ]
    plot = Plot("curves", "Reward after some steps of training, by opponent", "; ".join(words))
    plot.text(
        20, 26, f"Mean rank (1 to -1) of {len(of[agents[0]])} seeds, with 95 % intervals; dots are seeds", size=16
    )
    x = LEFT
    for number, agent in enumerate(agents):
        plot.dot(x, 47, SERIES[number])
        plot.text(x + 10, 51, AGENTS[agent])
        x += width_of(AGENTS[agent]) + 40
    width = (WIDTH - LEFT - 20 - GAP * (len(OPPONENTS) - 1)) / len(OPPONENTS)
    most = max([points[-1].steps for points in curves.values()])
    for column, opponent in enumerate(OPPONENTS):
        left = LEFT + column * (width + GAP)

        def across(steps: float, left: float = left) -> float:
            return left + 8 + (width - 16) * steps / most

        def down(reward: float) -> float:
            return TOP + HEIGHT * (1 - reward) / 2

        plot.text(left, TOP - 10, f"against {opponent}")
        for mark in (-1.0, -0.5, 0.0, 0.5, 1.0):
            plot.line(left, down(mark), left + width, down(mark), "quiet" if mark == 0 else "line")
            if column == 0:
                plot.text(left - 8, down(mark) + 4, f"{mark:+.1f}", "quiet", "end", 12)
        for steps in (0, most // 2, most):
            anchor = "start" if steps == 0 else "end" if steps == most else "middle"
            plot.text(across(steps), TOP + HEIGHT + 18, f"{steps:,}", "quiet", anchor, 12)
        for number, agent in enumerate(agents):
            _draw_curve(plot, [(across(p.steps) + 3 * number, p) for p in curves[agent, opponent]], down, number)
    plot.text(WIDTH / 2, TOP + HEIGHT + 38, "steps of training", "quiet", "middle", 12)
    return plot.svg(WIDTH, TOP + HEIGHT + 50)


def _draw_curve(plot: Plot, points: Sequence[tuple[float, Point]], down: Any, number: int) -> None:
    colour = SERIES[number]
    for (x, point), (next_x, following) in pairwise(points):
        plot.line(x, down(point.mean), next_x, down(following.mean), colour, 2)
    for x, point in points:
        plot.line(x, down(point.low), x, down(point.high), colour, 1.5)
        hint = f"{point.steps:,} steps: {point.mean:+.3f} ({point.low:+.3f} to {point.high:+.3f})"
        for reward in point.seeds:
            plot.dot(x, down(reward), colour, 1.5)
        plot.dot(x, down(point.mean), colour, 3.5, hint)


def table(runs: Sequence[dict[str, Any]]) -> list[str]:
    """Return the rows of the table: the reward before and after training."""
    rows = [f"| agent | seeds | steps | processor time | {' | '.join(f'against {name}' for name in OPPONENTS)} |"]
    rows.append("|---|---:|---:|---:|" + "---:|" * len(OPPONENTS))
    for agent, name in AGENTS.items():
        of = [run for run in runs if run["agent"] == agent]
        for index in (0, len(of[0]["steps"]) // 2, -1) if of else ():
            points = [curve(of, opponent)[index] for opponent in OPPONENTS]
            part = sum([run["seconds"] for run in of]) / len(of) * points[0].steps / of[0]["steps"][-1]
            rewards = " | ".join([f"{point.mean:+.2f} ({point.low:+.2f} to {point.high:+.2f})" for point in points])
            rows.append(f"| {name} | {len(of)} | {points[0].steps:,} | {part:.1f} s | {rewards} |")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", default=",".join(AGENTS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=32_768)
    parser.add_argument("--stops", type=int, default=8)
    parser.add_argument("--deals", type=int, default=50, help="deals at each stop, played from both seats")
    parser.add_argument("--out", type=Path, default=DOCS / "learning_curves.json")
    given = parser.parse_args()
    runs: list[dict[str, Any]] = json.loads(given.out.read_text("utf-8"))["runs"] if given.out.exists() else []
    for agent in given.agents.split(",") if given.steps else ():
        for seed in range(1, given.seeds + 1):
            if any(run["agent"] == agent and run["seed"] == seed for run in runs):
                continue
            runs.append(measured(agent, seed, given))
            stored = {"granada": granada.__version__, "compiled": granada.is_compiled(), "runs": runs}
            given.out.write_text(json.dumps(stored) + "\n", "utf-8")
    given.out.with_suffix(".svg").write_text(picture(runs), "utf-8")
    print("\n".join(table(runs)))


if __name__ == "__main__":
    main()
