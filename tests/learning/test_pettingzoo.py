"""PettingZoo's own tests for all editions and numbers of players, and what they leave out."""

from __future__ import annotations

import copy
import pickle
import random
from types import ModuleType
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils import aec_to_parallel

from granada.learning import alhambra_v0, combined_v0, granada_v0, register
from granada.learning.names import PETTINGZOO
from granada.learning.tokens import TOKENS
from granada.rules.errors import BadOptions
from tests.kit import rule

# PettingZoo warns about the empty masks of agents that wait.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
MODULES = (alhambra_v0, granada_v0, combined_v0)
per_module = pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.split(".")[-1])


def play(env: Any, rng: random.Random, steps: int = 10_000) -> dict[str, float]:
    """Let the agents choose random tokens; returns the sums of their rewards."""
    sums = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(steps):
        observation, reward, terminated, truncated, _ = env.last()
        sums[agent] += reward
        done = terminated or truncated
        env.step(None if done else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return sums


@pytest.mark.parametrize("players", range(2, 7))
@per_module
def test_api(module: ModuleType, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(module.env(players=players, max_turns=2 * players), num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


def test_seeds_may_be_numbers_of_numpy() -> None:
    found = []
    for seed in (3, np.int64(3)):
        env = alhambra_v0.env(players=2)
        env.reset(seed=seed)
        found.append(env.observe("player_0")["observation"].tobytes())
    assert found[0] == found[1]


@pytest.mark.parametrize("players", range(2, 7))
@per_module
def test_seeds(module: ModuleType, players: int) -> None:
    seed_test(lambda: module.env(players=players, max_turns=20), num_cycles=10)


@pytest.mark.parametrize("players", range(2, 7))
@per_module
def test_rendering(module: ModuleType, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(
        lambda render_mode: module.env(render_mode=render_mode, players=players),
        custom_tests={"svg": lambda text: text.startswith("<svg"), "ansi": lambda text: f"Seat {players}" in text},
    )
    assert f"Seat {players}" in capsys.readouterr().out


@pytest.mark.parametrize("players", range(1, 7))
def test_the_picture_of_a_table(players: int) -> None:
    given: dict[str, Any] = (
        {"variant": "solo"} if players == 1 else {"players": players, "modules": ("huts", "exchange")}
    )
    env = combined_v0.env(render_mode="rgb_array", **given)
    env.reset(seed=1)
    before = env.render()
    play(env, random.Random(1), 150)
    after = env.render()
    assert before.shape == after.shape
    assert before.dtype == np.uint8
    assert (before != after).any()


@rule("3.7")
@pytest.mark.parametrize("players", range(2, 7))
@per_module
def test_a_limit_of_turns_truncates(module: ModuleType, players: int) -> None:
    """In place of max_cycles_test, which needs a parallel environment (see the next test)."""
    env = module.env(players=players, max_turns=3)
    env.reset(seed=2)
    turns = set()
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        assert not terminated
        turns.add(env.unwrapped.game.state.turns)
        env.step(None if truncated else int(np.flatnonzero(observation["action_mask"])[0]))
    assert turns == {1, 2, 3, 4}
    assert env.agents == []


@per_module
def test_a_game_in_turns_is_no_parallel_environment(module: ModuleType) -> None:
    """So PettingZoo's max_cycles_test cannot run: it lets all agents act at once, and without a mask."""
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(module.env())


@per_module
def test_a_whole_game_has_a_mask_for_the_agent_that_chooses_and_zero_sum_rewards(module: ModuleType) -> None:
    env = module.env(players=2, variant="short")
    env.reset(seed=3)
    observation, _, _, _, info = env.last()
    assert info["action_mask"] is observation["action_mask"]
    assert observation["action_mask"].sum() > 1
    waiting = env.observe(next(agent for agent in env.agents if agent != env.agent_selection))
    assert waiting["action_mask"].sum() == 0
    assert waiting["observation"].dtype == np.uint8
    assert sum(play(env, random.Random(3)).values()) == pytest.approx(0)


def test_an_illegal_token_ends_the_game_with_the_rule_in_the_info() -> None:
    env = alhambra_v0.env(players=3)
    env.reset(seed=4)
    agent = env.agent_selection
    env.step(0)
    rewards = {}
    for other in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        rewards[other] = reward
        assert terminated
        assert truncated
        if other == agent:
            assert info["illegal"] == "rule 3.7: an action must be taken if one is possible"
        env.step(None)
    assert rewards == {name: -1.0 if name == agent else 0.0 for name in rewards}
    assert len(rewards) == 3
    env.reset(seed=4)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(TOKENS)


def test_copies_and_pickles_go_on_alike() -> None:
    env = combined_v0.env(players=3, shaping=1.0)
    env.reset(seed=5)
    play(env, random.Random(5), 80)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = play(env, random.Random(6), 200)
    for twin in twins:
        assert play(twin, random.Random(6), 200) == expected


def test_the_registry_makes_every_edition() -> None:
    assert register.__name__ == "granada.learning.register"
    for name in PETTINGZOO:
        env = pettingzoo.make("aec", name, players=2)
        assert str(env) == name.removeprefix("granada/").replace("-v", "_v")


def test_wrong_options_name_the_rule() -> None:
    with pytest.raises(BadOptions, match=r"not 9 \(2.1\)"):
        alhambra_v0.env(players=9)
    with pytest.raises(ValueError, match="the render mode 'film' is none of human, ansi, svg, rgb_array"):
        alhambra_v0.env(render_mode="film")
