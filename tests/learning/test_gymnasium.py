"""The Gymnasium environments, single and vector."""

from __future__ import annotations

import copy
import os
import pickle
import random
import shlex
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from granada.bots.external.plugins import load_file, load_program
from granada.learning import register
from granada.learning.bot_opponents import Player, opponents_of
from granada.learning.names import GYMNASIUM
from granada.learning.opponents import BadOpponent, Opponent
from granada.learning.single import SeatEnv
from granada.learning.token_game import TokenGame
from granada.learning.vector import GamesEnv
from granada.rules.errors import BadOptions

ROOT = Path(__file__).parents[2]


def first_token(observation: NDArray[np.uint8], mask: NDArray[np.int8]) -> int:
    """Return the first token that can come next."""
    assert observation.dtype == np.uint8
    return int(np.flatnonzero(mask)[0])


class Counting(Opponent):
    """Plays the first offered action, and remembers the seeds of its games."""

    def __init__(self) -> None:
        self.games = [0]

    def restart(self, seed: int) -> None:
        self.games.append(seed)

    def act(self, game: TokenGame) -> None:
        game.play(game.offers[len(self.games) % 2])


def play(env: SeatEnv, rng: random.Random, seed: int | None) -> tuple[float, dict[str, Any]]:
    """Play an episode with random tokens; returns the sum of the rewards and the last info."""
    _, info = env.reset(seed=seed)
    total, done = 0.0, False
    while not done:
        _, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        total += reward
        done = terminated or truncated
    return total, info


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", GYMNASIUM)
def test_the_checker_of_gymnasium_passes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert register.__name__ == "granada.learning.register"
    env = gymnasium.make(name, render_mode="rgb_array", max_turns=20)
    check_env(env.unwrapped)
    assert "Traceback" not in capsys.readouterr().err


def test_a_seat_against_a_mix_of_opponents() -> None:
    env = SeatEnv("alhambra", players=4, opponents=["random", "novice", first_token], max_turns=60)
    total, info = play(env, random.Random(1), 1)
    again, same = play(env, random.Random(1), 1)
    assert (total, info["points"]) == (again, same["points"])
    assert info["seat"] == 0
    env.reset(seed=1)
    assert env.action_masks().sum() > 1
    assert env.action_masks().dtype == np.int8


def last_token(observation: NDArray[np.uint8], mask: NDArray[np.int8]) -> int:
    """Return a token that never comes first."""
    return 567


@pytest.mark.parametrize("processes", [0, 1, 2])
def test_an_illegal_token_of_an_opponent_is_raised(processes: int) -> None:
    """It is not the learner's mistake, so its episode does not end with a penalty."""
    opponents: list[Player] = ["random", last_token]

    def begin() -> None:
        if processes:
            run(GamesEnv(2, "alhambra", players=3, opponents=opponents, processes=processes), 9)
        else:
            play(SeatEnv("alhambra", players=3, opponents=opponents), random.Random(1), 1)

    message = r"^the opponent last_token in seat 2 chose token 567: rule 5: CELL 440 cannot come next$"
    with pytest.raises(BadOpponent, match=message):
        begin()


def test_every_seat_and_game_has_its_own_copy_of_an_opponent() -> None:
    """An opponent may remember something of its game."""
    given = Counting()
    games = [opponents_of(given, 2), opponents_of([given, "random"], 2)]
    copies = [player for opponents in games for player in opponents if isinstance(player, Counting)]
    assert len({id(player) for player in [given, *copies]}) == 4
    copies[0].restart(1)
    assert (given.games, [player.games for player in copies]) == ([0], [[0, 1], [0], [0]])


@pytest.fixture
def third_party(tmp_path: Path) -> None:
    """Load the bots of a file and of a program."""
    path = tmp_path / "own_bots.py"
    path.write_text("from granada.bots import NoviceBot\nclass Own(NoviceBot):\n    pass\nBOTS = {'own-file': Own}\n")
    load_file(str(path))
    load_program(f"own-program={shlex.join([sys.executable, str(ROOT / 'examples' / 'line_bot.py')])}")


@pytest.mark.usefixtures("third_party")
@pytest.mark.parametrize(
    "opponents", [["novice", "random"], [first_token, Counting()], ["own-file", "novice"], ["own-program", "random"]]
)
def test_environments_are_copied_and_pickled(opponents: Any) -> None:
    env = SeatEnv("alhambra", players=3, opponents=opponents, max_turns=60, seat="rotate")
    play(env, random.Random(1), 1)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = play(env, random.Random(2), None)
    for twin in twins:
        total, info = play(twin, random.Random(2), None)
        assert (total, info["points"], info["seat"]) == (expected[0], expected[1]["points"], expected[1]["seat"])


def test_what_a_person_sees_is_printed_at_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = SeatEnv("alhambra", players=2, render_mode="human")
    env.reset(seed=1)
    first = capsys.readouterr().out
    env.step(env.game.game.tokens[0])
    assert first != capsys.readouterr().out != ""
    assert first.strip()


def test_the_seat_rotates() -> None:
    env = SeatEnv("alhambra", variant="short", seat="rotate")
    seats = [play(env, random.Random(2), seed)[1]["seat"] for seed in (5, None, None)]
    assert seats == [0, 1, 0]


def test_every_seat_chooses_in_self_play() -> None:
    env = SeatEnv("granada", variant="short", seat="every")
    rng = random.Random(3)
    _, info = env.reset(seed=3)
    seats, done = set(), False
    while not done:
        seats.add(info["seat"])
        _, _, terminated, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        done = terminated
    assert seats == {0, 1}
    assert sum(info["rewards"]) == pytest.approx(0)


def test_an_illegal_token_ends_the_episode_with_the_rule() -> None:
    env = SeatEnv("alhambra", players=2)
    env.reset(seed=4)
    _, reward, terminated, truncated, info = env.step(65)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"] == "rule 11.1: this game is played without viziers"


@pytest.mark.parametrize("token", [-1, 568, 10**9])
def test_a_token_that_does_not_exist_is_illegal_too(token: int) -> None:
    message = f"there are 568 tokens, from 0 to 567, not {token}"
    env = SeatEnv("alhambra", players=2)
    env.reset(seed=4)
    _, reward, terminated, _, info = env.step(token)
    assert (reward, terminated, info["illegal"]) == (-1.0, True, message)
    batch = GamesEnv(1, "alhambra", players=2)
    batch.reset(seed=1)
    _, rewards, ended, _, infos = batch.step(np.array([token]))
    assert (rewards[0], ended[0], infos["illegal"][0]) == (-1.0, True, message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponents": "wizard"}, "the bot 'wizard' is none of random"),
        ({"opponents": ["random"]}, "1 opponents are given for 3 other seats (2.1)"),
        ({"seat": "first"}, "the seat 'first' is none of rotate, every"),
        ({"seat": 4}, "there is no seat 4 in this game (2.1)"),
    ],
)
def test_wrong_opponents_and_seats_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BadOptions) as error:
        SeatEnv("alhambra", **arguments)
    assert message in str(error.value)


def run(env: GamesEnv, steps: int) -> list[bytes]:
    """Choose random tokens in all games; returns everything that came out."""
    rng = np.random.default_rng(1)
    found: list[bytes] = []
    _, infos = env.reset(seed=7)
    for _ in range(steps):
        tokens = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        observations, rewards, terminated, truncated, infos = env.step(tokens)
        assert observations.shape == (env.num_envs, env.single_observation_space.shape[0])  # type: ignore[index]
        found += [observations.tobytes(), rewards.tobytes(), terminated.tobytes(), truncated.tobytes()]
        found.append(infos["rewards"].tobytes() + infos["seat"].tobytes())
    return found


def test_processes_and_copies_change_nothing() -> None:
    expected = run(GamesEnv(3, "alhambra", variant="short"), 80)
    for arguments in ({"copy": False}, {"processes": 2}):
        env = GamesEnv(3, "alhambra", variant="short", **arguments)
        try:
            assert run(env, 80) == expected
        finally:
            env.close()


def test_games_that_end_are_replaced_in_the_same_step() -> None:
    env = gymnasium.make_vec(
        "granada/AlhambraShort-v0", 4, vectorization_mode="vector_entry_point", seat="every", copy=False
    )
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    rng = np.random.default_rng(2)
    observations, infos = env.reset(seed=2)
    ended = 0
    for _ in range(200):
        tokens = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        observations, rewards, terminated, _, infos = env.step(tokens)
        assert infos["action_mask"].any(axis=1).all()
        for index in np.flatnonzero(terminated):
            ended += 1
            assert infos["_final_obs"][index]
            assert infos["final_obs"][index].shape == observations[index].shape
            assert infos["rewards"][index].sum() == pytest.approx(0)
            assert rewards[index] in infos["rewards"][index]
    assert ended > 4


def test_an_illegal_token_in_a_batch_has_its_rule_in_the_infos() -> None:
    env = GamesEnv(2, "alhambra", players=2)
    _, infos = env.reset(seed=1)
    _, rewards, terminated, _, infos = env.step(np.array([0, np.flatnonzero(infos["action_mask"][1])[0]]))
    assert list(rewards) == [-1.0, 0.0]
    assert list(terminated) == list(infos["_illegal"]) == [True, False]
    assert infos["illegal"][0] == "rule 3.7: an action must be taken if one is possible"


def test_seats_rotate_over_the_games_of_a_batch() -> None:
    env = GamesEnv(4, "alhambra", players=3, seat="rotate")
    _, infos = env.reset(seed=1)
    assert list(infos["seat"]) == [0, 1, 2, 0]
    with pytest.raises(BadOptions, match="2 games cannot be divided among 3 processes"):
        GamesEnv(2, processes=3)


def test_a_wrong_opponent_is_refused_before_processes_start() -> None:
    with pytest.raises(BadOptions, match="the bot 'wizard' is none of random"):
        GamesEnv(2, "alhambra", players=2, opponents="wizard", processes=2)


class BrokenInAProcess:
    """A policy that cannot even be set up in another process, and whose error cannot be sent."""

    def __init__(self) -> None:
        self.process = os.getpid()

    def __call__(self, observation: NDArray[np.uint8], mask: NDArray[np.int8]) -> int:
        if self.process != os.getpid():
            raise Unsent(lambda: None)
        return first_token(observation, mask)


class Unsent(Exception):
    """An error that cannot be pickled."""


def test_an_error_at_the_start_of_a_process_is_raised_at_the_first_reset() -> None:
    env = GamesEnv(2, "alhambra", variant="short", seat=1, opponents=BrokenInAProcess(), processes=2)
    try:
        with pytest.raises(RuntimeError, match=r"^Unsent: <function"):
            run(env, 10)
    finally:
        env.close()


@pytest.mark.parametrize("seed", [np.int64(3), [3, 4], np.array([3, 4])])
def test_seeds_may_be_numbers_of_numpy(seed: Any) -> None:
    env = GamesEnv(2, "alhambra", players=2)
    assert env.reset(seed=seed)[0].tobytes() == env.reset(seed=3)[0].tobytes()
    single = SeatEnv("alhambra", players=2)
    assert single.reset(seed=np.int64(3))[0].tobytes() == single.reset(seed=3)[0].tobytes()  # type: ignore[arg-type]


def test_too_few_seeds_and_actions_are_named() -> None:
    env = GamesEnv(3, "alhambra", players=2)
    with pytest.raises(ValueError, match="2 seeds are given for 3 games"):
        env.reset(seed=[1, 2])
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"actions of the shape \(2,\) are given for 3 games"):
        env.step(np.array([1, 1]))


@pytest.mark.parametrize("processes", [1, 2])
def test_last_infos_are_those_of_separate_environments(processes: int) -> None:
    """In every step: rewards, last observations and infos, after the end of a game and after an illegal token."""
    given: dict[str, Any] = {"players": 3, "opponents": ["novice", "random"], "max_turns": 9, "shaping": 1.0}
    env = GamesEnv(2, "alhambra", discount=0.9, processes=processes, **given)
    single = [SeatEnv("alhambra", discount=0.9, **given) for _ in range(2)]
    rng, ended = random.Random(1), 0
    _, infos = env.reset(seed=5)
    for index, one in enumerate(single):
        one.game.restart(5 + index)
    for step in range(120):
        tokens = [rng.choice(np.flatnonzero(mask)) if step % 40 != 39 else 567 for mask in infos["action_mask"]]
        _, rewards, terminated, truncated, infos = env.step(np.array(tokens))
        assert infos["rewards"][:, 0].tolist() == rewards.tolist()
        for index, one in enumerate(single):
            last, reward, is_over, is_truncated, info = one.step(int(tokens[index]))
            assert (reward, is_over, is_truncated) == (rewards[index], terminated[index], truncated[index])
            if not (is_over or is_truncated):
                assert not infos.get("_final_info", np.zeros(2))[index]
                continue
            ended += 1
            final = infos["final_info"]
            assert infos["_final_info"][index]
            assert (infos["final_obs"][index] == last).all()
            assert {name for name in final if not name.startswith("_") and final[f"_{name}"][index]} == {*info}
            for name, value in info.items():
                assert np.array_equal(final[name][index], value), name
            assert info["rewards"][0] == reward
            one.game.restart()
    env.close()
    assert ended > 6


class Broken:
    """A policy with a mistake; it can be sent to another process."""

    def __call__(self, observation: NDArray[np.uint8], mask: NDArray[np.int8]) -> int:
        raise RuntimeError("this policy is broken")


def test_a_mistake_of_an_opponent_in_a_process_is_raised_here() -> None:
    env = GamesEnv(2, "alhambra", variant="short", opponents=Broken(), processes=2)
    try:
        with pytest.raises(RuntimeError, match="this policy is broken"):
            run(env, 10)
        with pytest.raises(RuntimeError, match="a process of the vector environment has ended"):
            env.reset(seed=1)
    finally:
        env.close()
