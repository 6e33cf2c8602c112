"""A trained policy as a bot, for the arena and everywhere else where bots play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import ClassVar, Final

from granada.bots import Bot
from granada.bots.budget import Budget
from granada.learning.baselines.policy import SoftmaxPolicy
from granada.learning.encoder import Encoder
from granada.learning.missing import missing
from granada.learning.partial_word import PartialWord
from granada.learning.tokens import TOKENS
from granada.rules.state import Action
from granada.rules.view import View

try:
    import numpy as np
except ModuleNotFoundError as error:
    raise missing(error) from None

#: The weights of the apprentice (docs/learning.md says how they were trained).
APPRENTICE: Final = Path(__file__).parent / "apprentice.npz"

_load = cache(SoftmaxPolicy.load)


class PolicyBot(Bot):
    """Plays the most likely token of a policy at each step, without looking ahead; subclasses have other weights."""

    WEIGHTS: ClassVar[Path] = APPRENTICE

    def __init__(self, seed: int | str, budget: Budget | None = None) -> None:
        super().__init__(seed, budget)
        self._policy: Final = _load(self.WEIGHTS)
        self._encoder: Encoder | None = None

    def choose(self, view: View, actions: Sequence[Action]) -> Action:
        """Return the action whose word the policy chooses."""
        state = view.table
        if self._encoder is None:
            self._encoder = Encoder(state.options, False, len(state.players))
        observation, mask = np.empty(self._encoder.size, np.uint8), np.empty(TOKENS, np.int8)
        word = PartialWord(state, list(actions))
        while word.action is None:
            self._encoder.observe(state, view.seat, observation.data, 0, word.word)
            word.mask(mask.data.cast("B"))
            word.choose(self._policy(observation, mask))
        return word.action
