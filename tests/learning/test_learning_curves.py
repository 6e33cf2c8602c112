"""The learning curves: the figures of docs/learning.md are those of the stored runs, and the intervals are of seeds."""

from __future__ import annotations

import argparse
import json
from typing import Any

import pytest

from benchmarks.learning_curves import DOCS, OPPONENTS, curve, measured, picture, table


@pytest.fixture(scope="module")
def runs() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DOCS / "learning_curves.json").read_text("utf-8"))["runs"]
    return found


def test_the_document_shows_the_stored_runs(runs: list[dict[str, Any]]) -> None:
    assert "\n".join(table(runs)) in (DOCS / "learning.md").read_text("utf-8")
    assert (DOCS / "learning_curves.svg").read_text("utf-8") == picture(runs)


def test_the_interval_is_over_the_seeds() -> None:
    runs = [{"steps": [0], "rewards": {"random": [[reward, reward]]}} for reward in (0.1, 0.2, 0.3, 0.4, 0.5)]
    (point,) = curve(runs, "random")
    assert point.mean == pytest.approx(0.3)
    assert point.seeds == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert (point.low, point.high) == pytest.approx((0.3 - 0.196, 0.3 + 0.196), abs=0.002)  # 2.776 * 0.158 / sqrt(5)


def test_a_run_has_the_rewards_of_each_deal() -> None:
    run = measured("policy_gradient", 1, argparse.Namespace(steps=512, stops=1, deals=2))
    assert run["steps"] == [0, 512]
    lengths = {name: [len(stop) for stop in stops] for name, stops in run["rewards"].items()}
    assert lengths == {name: [2, 2] for name in OPPONENTS}
    assert all(-1 <= reward <= 1 for stops in run["rewards"].values() for stop in stops for reward in stop)
