"""Games between bots, token by token: what each seat saw, what it could choose, and what it chose."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from granada.arena.match import ignores_view
from granada.arena.tournament import Pairing, Tournament
from granada.bots import Bot, make_bot
from granada.bots.gc_control import without_gc
from granada.learning.missing import missing
from granada.learning.rewards import final_rewards
from granada.learning.token_game import Terms, TokenGame
from granada.learning.tokens import TOKENS, word_of

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise missing(error) from None


class LabelledGames:
    """Collects the steps of games; a step is the choice of a token, forced ones are left out."""

    def __init__(self, tournament: Tournament, terms: Terms) -> None:
        self._tournament: Final = tournament
        self._game: Final = TokenGame(terms, random.Random(0))
        self._observations: Final[list[bytes]] = []
        self._masks: Final[list[bytes]] = []
        self._tokens: Final[list[int]] = []
        self._seats: Final[list[int]] = []
        self._numbers: Final[list[int]] = []
        self._steps: Final[list[int]] = []
        self._outcomes: Final[list[float]] = []
        self._leads: Final[list[int]] = []
        self._last: Final[list[bool]] = []

    @without_gc()
    def play(self, pairing: Pairing) -> None:
        """Play a game of a tournament and collect its steps."""
        tournament, game = self._tournament, self._game
        bots = [
            make_bot(spec, tournament.bot_seed(pairing, seat)) for seat, spec in enumerate(tournament.seated(pairing))
        ]
        game.restart(random.Random(tournament.deal_seed(pairing)))
        first = len(self._tokens)
        while not game.is_done:
            self._decide(bots)
        seats = self._seats[first:]
        self._numbers.extend([pairing.number] * len(seats))
        self._steps.extend(range(len(seats)))
        points = [player.score for player in game.state.players]
        outcomes = final_rewards(game.terms.reward, points) if game.is_over else [0.0] * len(points)
        leads = [own - max(points[:seat] + points[seat + 1 :]) for seat, own in enumerate(points)]
        self._outcomes.extend([outcomes[seat] for seat in seats])
        self._leads.extend([leads[seat] for seat in seats])
        self._last.extend(_last_of_each(seats))

    def _decide(self, bots: Sequence[Bot]) -> None:
        """Let the bot of the current seat choose an action, and collect its tokens."""
        game, state = self._game, self._game.state
        seat, offers = game.seat, game.offers
        bot = bots[seat]
        action = bot.pick(offers) if ignores_view(bot) else bot.choose(state.view(seat, True), offers)
        if action not in offers:
            game.play(action)  # 3.3: legal, but no word says it
            return
        word = word_of(state, action)
        n = state.n
        seen, mask = bytearray(game.size), bytearray(TOKENS)
        while state.n == n:
            game.observe(seat, memoryview(seen))
            game.mask(memoryview(mask))
            token = word[len(game.word)]
            self._observations.append(bytes(seen))
            self._masks.append(bytes(mask))
            self._tokens.append(token)
            self._seats.append(seat)
            game.choose(token)

    def columns(self) -> dict[str, NDArray[np.generic]]:
        """Return everything collected, a row for each step (docs/learning.md)."""
        count = len(self._tokens)
        observations = np.frombuffer(b"".join(self._observations), np.uint8).reshape(count, self._game.size)
        masks = np.frombuffer(b"".join(self._masks), np.uint8).reshape(count, TOKENS)
        outcomes = np.array(self._outcomes, np.float32)
        return {
            "observation": observations,
            "mask": np.packbits(masks, axis=1),
            "token": np.array(self._tokens, np.uint16),
            "seat": np.array(self._seats, np.uint8),
            "game": np.array(self._numbers, np.uint32),
            "step": np.array(self._steps, np.uint16),
            "reward": np.where(self._last, outcomes, 0).astype(np.float32),
            "outcome": outcomes,
            "lead": np.array(self._leads, np.int16),
        }


def _last_of_each(seats: Sequence[int]) -> list[bool]:
    """Return for each step of a game whether it is the last one of its seat."""
    last = {seat: step for step, seat in enumerate(seats)}
    return [last[seat] == step for step, seat in enumerate(seats)]
