"""The PettingZoo environment (AEC): every seat is an agent and chooses tokens in turn."""

from __future__ import annotations

import random
from typing import Any, TypedDict, Unpack

from granada.drawing import draw_table, svg_table
from granada.learning import arrays
from granada.learning.batch import ILLEGAL_REWARD
from granada.learning.illegal import reason
from granada.learning.missing import missing
from granada.learning.names import VERSION
from granada.learning.partial_word import IllegalToken
from granada.learning.raster import picture
from granada.learning.terms import Arguments, terms_of
from granada.learning.token_game import TokenGame
from granada.learning.tokens import TOKENS
from granada.rules.view import View

try:
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper
except ModuleNotFoundError as error:
    raise missing(error) from None

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")


class Observation(TypedDict):
    """What an agent gets: the observation of its seat (`layout`), and the tokens that can come next."""

    observation: NDArray[np.uint8]
    action_mask: NDArray[np.int8]


class TableEnv(AECEnv):  # type: ignore[misc]
    """A game in which each agent, `player_0` and so on, is a seat; an action is a token."""

    def __init__(self, edition: str, render_mode: str | None = None, **given: Unpack[Arguments]) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"the render mode '{render_mode}' is none of {', '.join(RENDER_MODES)}")
        self.terms = terms_of(edition, **given)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{edition}_v{VERSION}",
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.terms.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._seeds = random.Random()
        self._game = self._new_game()
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, (self._game.size,), np.uint8),
                    "action_mask": spaces.Box(0, 1, (TOKENS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(TOKENS) for agent in self.possible_agents}
        self.agents: list[str] = []

    def _new_game(self) -> TokenGame:
        return TokenGame(self.terms, random.Random(self._seeds.getrandbits(63)))

    @property
    def game(self) -> TokenGame:
        """The game that is played."""
        return self._game

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions: all tokens."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; the same seed gives the same game."""
        if seed is not None:
            self._seeds = random.Random(int(seed))
        self._game = self._new_game()
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        """Select the agent that has to choose, and write the mask into its info."""
        self.agent_selection = agent = self.possible_agents[self._game.seat]
        self._mask = arrays.mask(self._game)
        self.infos[agent] = {"action_mask": self._mask}

    def observe(self, agent: str) -> Observation:
        """Return what an agent may see; only the agent that has to choose has a mask that is not empty."""
        is_choosing = agent == self.agent_selection and not self.terminations.get(agent, True)
        return {
            "observation": arrays.observation(self._game, self._seats[agent]),
            "action_mask": self._mask if is_choosing else np.zeros(TOKENS, np.int8),
        }

    def step(self, action: int | None) -> None:
        """Choose a token for the selected agent; an illegal one ends the game, as PettingZoo's wrapper would."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        game = self._game
        try:
            game.choose(int(action))  # type: ignore[arg-type]
        except IllegalToken:
            self._end_illegally(agent, int(action))  # type: ignore[arg-type]
            return
        self.infos[agent] = {}
        for other, reward in zip(self.possible_agents, game.rewards, strict=True):
            self.rewards[other] = reward
        if game.is_done:
            self.terminations = dict.fromkeys(self.agents, game.is_over)
            self.truncations = dict.fromkeys(self.agents, game.is_truncated)
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end_illegally(self, agent: str, token: int) -> None:
        """End the game for everybody, with a penalty for one agent and the rule in its info."""
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = ILLEGAL_REWARD
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.infos[agent] = {"illegal": reason(self._game.partial_word, token)}
        self._accumulate_rewards()
        self._deads_step_first()

    def view(self) -> View:
        """Return what the seat that has to choose may see."""
        return self._game.state.view(self._game.seat, self.terms.memory)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the view of the seat that has to choose as text, as SVG or as pixels; or print it (`human`)."""
        if self.render_mode == "svg":
            return svg_table(self.view())
        if self.render_mode == "rgb_array":
            return picture(self.view())
        text = draw_table(self.view())
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Release nothing: there is no window."""


def wrapped(env: TableEnv) -> OrderEnforcingWrapper:
    """Return an environment in the usual wrappers; illegal tokens are handled by the environment itself."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env))
