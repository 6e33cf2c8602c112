"""Masked PPO in PyTorch, in one file: networks, roll-outs, advantages and updates.

pip install 'granada[torch]'
python -m granada.learning.baselines.ppo --env granada/AlhambraShort-v0 --seed 1 --out ppo.pt
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from granada.learning.baselines.training import at_stops, command, report, shaped_env, terms_from, with_what_follows
from granada.learning.layout import PLANE_COUNT, flat_size
from granada.learning.missing import missing
from granada.learning.terms import terms_of
from granada.learning.tokens import CELL, TOKENS, WIDTH
from granada.learning.vector import GamesEnv

try:
    import numpy as np
    import torch
    from numpy.typing import NDArray
    from torch import Tensor, nn
    from torch.nn import functional
except ModuleNotFoundError as error:
    raise missing(error, "granada[torch]") from None


class PpoSettings(NamedTuple):
    """How to train: games at once, steps of each between two updates, and the usual parameters."""

    games: int = 32
    length: int = 64
    epochs: int = 4
    batch: int = 256
    rate: float = 1e-3
    discount: float = 0.97
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    norm: float = 0.5


_DEFAULT: Final = PpoSettings()


class Network(nn.Module):  # type: ignore[misc]  # without PyTorch, its classes have no types
    """Logits of the tokens, and the value of a decision.

    The numbers of the table and of the players go through two layers. Their result is also added to the convolutions
    over the learner's city, which rate its cells, because these need to know which tile is to be placed.
    """

    def __init__(self, players: int, hidden: int = 128, channels: int = 16) -> None:
        super().__init__()
        #: Most numbers are 0 or 1, some are counts up to 255.
        self.register_buffer("scale", torch.log1p(torch.arange(256.0)) / 2, persistent=False)
        self.flat: Final = flat_size(players)
        self.city_size: Final = PLANE_COUNT * WIDTH * WIDTH
        self.table = nn.Sequential(nn.Linear(self.flat, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.city = nn.Conv2d(PLANE_COUNT, channels, 3, padding=1)
        self.mixed = nn.Linear(hidden, channels)
        self.near = nn.Conv2d(channels, channels, 3, padding=1)
        self.cell = nn.Conv2d(channels, 1, 1)
        self.token = nn.Linear(hidden, CELL)
        self.value = nn.Linear(hidden, 1)
        for last in (self.cell, self.token, self.value):  # begin with nearly equal chances
            nn.init.normal_(last.weight, std=0.01)
            nn.init.zeros_(last.bias)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits, with those of illegal tokens very small, and the values."""
        hidden = self.table(self.scale[observations[:, : self.flat].int()])
        logits = torch.full((len(observations), TOKENS), -1e9)
        logits[:, :CELL] = self.token(hidden)
        rows = masks[:, CELL:].any(1).nonzero()[:, 0]  # only few decisions are about cells
        if len(rows):
            planes = self.scale[observations[rows, self.flat : self.flat + self.city_size].int()]
            city = self.city(planes.view(-1, PLANE_COUNT, WIDTH, WIDTH)) + self.mixed(hidden[rows])[:, :, None, None]
            logits[rows, CELL:] = self.cell(self.near(city.relu()).relu()).flatten(1)
        return logits.masked_fill(masks == 0, -1e9), self.value(hidden)[:, 0]

    def best(self, observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return the most likely token of each decision."""
        with torch.no_grad():
            logits, _ = self(torch.from_numpy(observations), torch.from_numpy(masks))
        found: NDArray[np.int64] = logits.argmax(1).numpy()
        return found

    def worth(self, observations: NDArray[np.uint8], masks: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the value of each decision."""
        with torch.no_grad():
            _, values = self(torch.from_numpy(observations), torch.from_numpy(masks))
        found: NDArray[np.float32] = values.numpy()
        return found


class Rollout:
    """Some steps of all games: the first index is the step, the second the game."""

    def __init__(self, env: GamesEnv, length: int) -> None:
        shape = (length, env.num_envs)
        self.observations = torch.empty((*shape, env.single_observation_space.shape[0]), dtype=torch.uint8)  # type: ignore[index]
        self.masks = torch.empty((*shape, TOKENS), dtype=torch.int8)
        self.tokens = torch.empty(shape, dtype=torch.int64)
        self.logs, self.values, self.rewards, self.lasts = torch.empty((4, *shape)).unbind()

    def advantages(self, after: Tensor, settings: PpoSettings) -> Tensor:
        """Return how much better each step was than its value (GAE); `after` has the values of what comes next."""
        found = torch.empty_like(self.values)
        advantage = torch.zeros_like(after)
        for step in reversed(range(len(found))):
            goes_on = 1 - self.lasts[step]
            error = self.rewards[step] + settings.discount * goes_on * after - self.values[step]
            advantage = error + settings.discount * settings.trace * goes_on * advantage
            found[step], after = advantage, self.values[step]
        return found


def train(
    env: GamesEnv, network: Network, steps: int, seed: int = 0, settings: PpoSettings = _DEFAULT
) -> Iterator[int]:
    """Train a network for a number of steps of all games together; yields the steps so far after each update."""
    torch.manual_seed(seed)
    optimizer = torch.optim.Adam(network.parameters(), settings.rate, eps=1e-5)
    rollout = Rollout(env, settings.length)
    observations, infos = env.reset(seed=seed)
    done = 0
    while done < steps:
        optimizer.param_groups[0]["lr"] = settings.rate * (1 - done / steps)
        for step in range(settings.length):
            rollout.observations[step] = torch.from_numpy(observations)
            rollout.masks[step] = torch.from_numpy(infos["action_mask"])
            with torch.no_grad():
                logits, rollout.values[step] = network(rollout.observations[step], rollout.masks[step])
            chances = torch.distributions.Categorical(logits=logits)
            tokens = chances.sample()
            rollout.tokens[step], rollout.logs[step] = tokens, chances.log_prob(tokens)
            observations, rewards, terminated, truncated, infos = env.step(tokens.numpy())
            rewards = with_what_follows(rewards, truncated, infos, network.worth, settings.discount)
            rollout.rewards[step] = torch.from_numpy(rewards)
            rollout.lasts[step] = torch.from_numpy(terminated | truncated)
        with torch.no_grad():
            _, after = network(torch.from_numpy(observations), torch.from_numpy(infos["action_mask"]))
        update(network, optimizer, rollout, rollout.advantages(after, settings), settings)
        done += settings.length * env.num_envs
        yield done


def update(
    network: Network, optimizer: torch.optim.Adam, rollout: Rollout, advantages: Tensor, settings: PpoSettings
) -> None:
    """Change the network a few times with small batches of the same steps."""
    observations, masks = rollout.observations.flatten(0, 1), rollout.masks.flatten(0, 1)
    tokens, logs = rollout.tokens.flatten(), rollout.logs.flatten()
    returns = (advantages + rollout.values).flatten()
    advantages = advantages.flatten()
    for _ in range(settings.epochs):
        for rows in torch.randperm(len(tokens)).split(settings.batch):
            logits, values = network(observations[rows], masks[rows])
            chances = torch.distributions.Categorical(logits=logits)
            gains = (advantages[rows] - advantages[rows].mean()) / (advantages[rows].std() + 1e-8)
            ratio = (chances.log_prob(tokens[rows]) - logs[rows]).exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            loss = -torch.minimum(ratio * gains, clipped * gains).mean()
            loss += settings.value * functional.mse_loss(values, returns[rows])
            loss -= settings.entropy * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), settings.norm)
            optimizer.step()


def trained(
    network: Network,
    terms: dict[str, Any],
    opponents: str,
    steps: int,
    stops: int,
    seed: int,
    rate: float = _DEFAULT.rate,
) -> Iterator[int]:
    """Train a network with the shaped reward; yields the steps so far at the start, and then after equal parts."""
    env = shaped_env(terms, opponents, _DEFAULT.games)
    yield from at_stops(train(env, network, steps, seed, _DEFAULT._replace(rate=rate)), steps, stops)


def main(argv: Sequence[str] | None = None) -> int:
    """Train a network, and print how it does before, in between and at the end."""
    parser = command("Train a PyTorch network by masked PPO.", 65_536, _DEFAULT.rate)
    given = parser.parse_args(argv)
    terms = terms_from(parser, given)
    torch.manual_seed(given.seed)
    network = Network(terms_of(**terms).seats)
    for steps in trained(network, terms, given.opponents, given.steps, given.evaluations, given.seed, given.rate):
        report(steps, network.best, terms, given)
    if given.out is not None:
        torch.save(network.state_dict(), given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
