"""The baselines: policy gradients, cloning, and trained policies as bots."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from granada.arena.tournament import FIXED, Tournament
from granada.bots import make_bot
from granada.bots.external.plugins import load_bots
from granada.learning import arrays, dataset
from granada.learning.baselines import cloning, policy_gradient
from granada.learning.baselines.evaluation import mean_and_interval, results
from granada.learning.baselines.inputs import Floats, Inputs, inputs_of, joined
from granada.learning.baselines.policy import NAMES, SoftmaxPolicy
from granada.learning.baselines.policy_bot import PolicyBot
from granada.learning.partial_word import choices
from granada.learning.terms import terms_of
from granada.learning.token_game import TokenGame
from granada.learning.vector import GamesEnv
from tests.kit import rule

SHORT = {"edition": "alhambra", "variant": "short"}


def decisions(count: int, players: int = 3) -> tuple[Inputs, TokenGame]:
    """Return the inputs of the first decisions of a random game with all modules, and the game after them."""
    game = TokenGame(
        terms_of("combined", players=players, modules=("vizier", "exchange", "bonus", "huts")), random.Random(4)
    )
    found = []
    for _ in range(count):
        found.append(inputs_of(arrays.observation(game, game.seat)[None], arrays.mask(game)[None]))
        game.choose(game.tokens[game.below(len(game.tokens))])
    return joined(found), game


def test_policy_gradients_beat_random() -> None:
    """Fixed seeds make this the same run every time; docs/learning.md has the curves of other seeds."""
    policy = SoftmaxPolicy(1)
    assert list(policy_gradient.trained(policy, SHORT, "random", 4_096, 1, seed=1)) == [0, 4_096]
    mean, low, _ = mean_and_interval(results(policy.best, deals=15, seed=2, variant="short"))
    assert mean > 0.5  # three of four games, and
    assert low > 0.2  # certainly more than half


class Valued(SoftmaxPolicy):
    """Values every decision at 10, and remembers what followed the steps."""

    seen: Floats

    def values(self, inputs: Inputs) -> Floats:
        return np.full(len(inputs.masks), 10, np.float32)

    def gradients(
        self, inputs: Inputs, tokens: Any, gains: Floats, returns: Floats, entropy: float = 0.0
    ) -> dict[str, Any]:
        self.seen = returns
        return super().gradients(inputs, tokens, gains, returns, entropy)


@rule("3.7")
def test_the_limit_of_turns_is_not_learned_as_an_end() -> None:
    """Every step is followed by something that is worth 10, also the last one before the limit."""
    env = GamesEnv(2, "alhambra", players=2, max_turns=4)
    policy, settings = Valued(1), policy_gradient.GradientSettings(length=12, discount=0.5)
    list(policy_gradient.train(env, policy, 24, 1, settings))
    returns = policy.seen.reshape(12, 2)
    assert returns[-1].tolist() == [5, 5]
    games = 0
    for step in range(11):
        for index in range(2):
            assert returns[step, index] in (5, returns[step + 1, index] / 2)
            games += returns[step, index] == 5
    assert games > 4


def test_the_same_seed_trains_the_same_policy() -> None:
    weights = []
    for _ in range(2):
        policy = SoftmaxPolicy(3)
        list(policy_gradient.trained(policy, SHORT, "random", 512, 1, seed=5))
        weights.append(policy.weights)
    for name in NAMES:
        assert np.array_equal(weights[0][name], weights[1][name])
    assert not np.array_equal(weights[0]["output"], SoftmaxPolicy(3).weights["output"])


def test_gradients_are_those_of_differences() -> None:
    inputs, _ = decisions(60)
    assert len(inputs.rows) > 20  # some decisions are about cells
    rng = np.random.default_rng(1)
    policy = SoftmaxPolicy(2, hidden=8, near=8)
    policy.weights = {
        name: rng.normal(0, 0.5, array.shape).astype(np.float64) for name, array in policy.weights.items()
    }
    tokens = policy.sample(inputs, rng)
    gains, returns = rng.normal(size=(2, len(tokens))).astype(np.float64)

    def objective() -> float:
        chances = policy.probabilities(inputs)
        logs = np.log(chances + 1e-12)
        entropy = -(chances * logs).sum(axis=1)
        chosen = logs[np.arange(len(tokens)), tokens]
        return float(np.mean(gains * chosen - 0.5 * (returns - policy.values(inputs)) ** 2 + 0.3 * entropy))

    found = policy.gradients(inputs, tokens, gains, returns, 0.3)
    for name in NAMES:
        array, gradient = policy.weights[name], found[name]
        place = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
        before = array[place]
        ends = []
        for step in (1e-3, -1e-3):
            array[place] = before + step
            ends.append(objective())
        array[place] = before
        assert (ends[0] - ends[1]) / 2e-3 == pytest.approx(gradient[place], rel=0.02, abs=1e-4), name


def test_only_legal_tokens_are_chosen_in_every_edition() -> None:
    rng = np.random.default_rng(0)
    for players in (2, 5):
        inputs, game = decisions(40, players)
        tokens = SoftmaxPolicy(1).sample(inputs, rng)
        assert inputs.masks[np.arange(40), tokens].all()
        assert SoftmaxPolicy(1)(arrays.observation(game, game.seat), arrays.mask(game)) in game.tokens


def test_weights_survive_a_file(tmp_path: Path) -> None:
    policy = SoftmaxPolicy(7, hidden=5)
    policy.save(tmp_path / "weights.npz")
    again = SoftmaxPolicy.load(tmp_path / "weights.npz")
    inputs, _ = decisions(20)
    assert again.probabilities(inputs) == pytest.approx(policy.probabilities(inputs), abs=0.01)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--players", "7"), "two to six players can play, not 7 (2.1)"),
        (("--modules", "moon"), "the module 'moon' is none of vizier, exchange, bonus, huts (15)"),
        (("--opponents", "wizard"), "the bot 'wizard' is none of random"),
        (("--steps", "0"), "argument --steps: '0' is not a whole number from 1 on"),
        (("--seed", "-1"), "argument --seed: '-1' is not a whole number from 0 on"),
        (("--rate", "nan"), "argument --rate: 'nan' is not a number above 0"),
        (("--rate", "fast"), "argument --rate: 'fast' is not a number above 0"),
        (("--out", "nowhere/policy.npz"), "argument --out: 'nowhere/policy.npz' is not a file in a folder that exists"),
        (("--start", "nowhere.npz"), "'nowhere.npz' has no weights of a policy: "),
        (("--start", "README.md"), "'README.md' has no weights of a policy: "),
    ],
)
def test_wrong_options_of_the_command_are_named(
    given: tuple[str, str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parent.parent.parent)
    with pytest.raises(SystemExit):
        policy_gradient.main([*given])
    assert message in capsys.readouterr().err.splitlines()[-1]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small dataset of novices."""
    folder = tmp_path_factory.mktemp("games")
    tournament = Tournament(("novice", "novice"), seats=2, games=40, seed=1, mode=FIXED)
    list(dataset.write(dataset.DatasetPlan(tournament, "short", shard=5), folder))
    return folder


def test_cloning_imitates_and_policy_gradients_can_start_from_it(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = list(dataset.read(games))
    before = cloning.imitation(SoftmaxPolicy(1), files[:1])
    weights = tmp_path / "cloned.npz"
    assert cloning.main([str(games), "--epochs", "8", "--seed", "1", "--out", str(weights)]) == 0
    after = cloning.imitation(SoftmaxPolicy.load(weights), files[:1])
    assert after.accuracy > before.accuracy + 0.05
    assert after.loss < before.loss - 0.1
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == 8
    # The file has half precision, so a close call may turn out otherwise.
    assert float(printed[-1].split()[2]) == pytest.approx(100 * after.accuracy, abs=2)
    trained = tmp_path / "trained.npz"
    given = ["--start", str(weights), "--steps", "512", "--evaluations", "1", "--deals", "2", "--out", str(trained)]
    assert policy_gradient.main(given) == 0
    assert capsys.readouterr().out.startswith("0 steps: reward ")
    assert not np.array_equal(
        SoftmaxPolicy.load(trained).weights["output"], SoftmaxPolicy.load(weights).weights["output"]
    )


@pytest.mark.parametrize("edition", ["alhambra", "granada", "combined"])
def test_the_apprentice_plays_what_its_policy_chooses(edition: str) -> None:
    load_bots(["examples/apprentice.py"])
    bot = make_bot("apprentice", 1)
    policy = SoftmaxPolicy.load(PolicyBot.WEIGHTS)
    game = TokenGame(terms_of(edition, players=3, modules=("vizier", "exchange")), random.Random(2))
    for _ in range(40):
        action = bot.choose(game.state.view(game.seat, True), game.offers)
        expected, chosen, n = choices(game.state, action), [], game.state.n
        while game.state.n == n:
            chosen.append(policy(arrays.observation(game, game.seat), arrays.mask(game)))
            game.choose(chosen[-1])
        assert chosen == expected
