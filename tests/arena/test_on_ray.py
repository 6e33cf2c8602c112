"""A tournament on a real Ray cluster on this machine."""

from __future__ import annotations

import platform
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from granada.arena.results import read_results
from tests.arena.tournaments import ODD, without_times
from tests.cli.command import complaint, output

#: Ray has no wheels for Macs with Intel processors; everywhere else it must be installed.
HAS_WHEEL = sys.platform != "darwin" or platform.machine() == "arm64"

pytestmark = pytest.mark.skipif(not HAS_WHEEL, reason="Ray has no wheel for this platform")


def test_ray_is_installed_where_it_has_a_wheel() -> None:
    assert find_spec("ray") is not None


def test_results_on_ray_are_those_of_local_processes(tmp_path: Path) -> None:
    game = ("--players", "random,greedy,thrower,quitter", "--edition", "granada", "--seed", 1, "--rotate", "--paired")
    command = ("arena", *game, "--games", 1, "--bot-file", ODD, "--results")
    here = output(*command, tmp_path / "here.jsonl", "--jobs", 2)
    there = output(*command, tmp_path / "there.jsonl", "--jobs", 2, "--on", "ray")
    shares = slice(3, 14)
    assert here.splitlines()[shares] == there.splitlines()[shares]
    found = [read_results(str(tmp_path / f"{place}.jsonl")) for place in ("here", "there")]
    assert found[0][0] == found[1][0]
    assert without_times(found[0][1]) == without_times(found[1][1])
    assert len(found[0][1]) == 6


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"])
def test_a_cluster_that_is_not_there_is_complained_about(address: str) -> None:
    told = complaint("arena", "--on", "ray", "--ray-address", address, "--games", 1)
    assert f"no Ray cluster at '{address}': " in told
