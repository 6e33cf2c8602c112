"""A game as one seat plays it, or all seats in turn; opponents play the others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, final

from granada.learning.opponents import Opponent
from granada.learning.token_game import Terms, TokenGame
from granada.rules.errors import BadOptions

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `granada.rules.codes`

#: All seats choose in turn (self-play), instead of one.
EVERY_SEAT: Final = -1


@final
class SeatGame:
    """A game in which a seat, or every seat, chooses tokens; after each game the seat moves on if it `rotates`."""

    __slots__ = ("_opponents", "_rotates", "_seeds", "game", "own")

    def __init__(self, terms: Terms, seed: int, opponents: Sequence[Opponent], own: int, rotates: bool = False) -> None:
        if opponents and terms.max_turns < terms.seats:
            raise BadOptions(f"a limit of {terms.max_turns} turns ends the game before every seat has had one (3.7)")
        if len(opponents) != (0 if own == EVERY_SEAT else terms.seats - 1):
            raise BadOptions(f"{len(opponents)} opponents are given for {terms.seats} seats (2.1)")
        if not EVERY_SEAT <= own < terms.seats:
            raise BadOptions(f"there is no seat {own} in this game (2.1)")
        #: Of each other seat, clockwise from the learner's.
        self._opponents: Final = list(opponents)
        self._rotates: Final = rotates
        self._seeds = random.Random(seed)
        self.own: i64 = own
        self.game: Final = TokenGame(terms, random.Random(self._seeds.getrandbits(63)))
        self._begin()

    def restart(self, seed: int | None = None, own: int | None = None) -> None:
        """Begin the next game, or the first one of another seed."""
        if seed is not None:
            self._seeds = random.Random(seed)
        if own is not None:
            self.own = own
        elif self._rotates and self.own != EVERY_SEAT:
            self.own = (self.own + 1) % self.game.terms.seats
        self.game.restart(random.Random(self._seeds.getrandbits(63)))
        self._begin()

    def _begin(self) -> None:
        for opponent in self._opponents:
            opponent.restart(self._seeds.getrandbits(63))
        if self.own != EVERY_SEAT:
            self._let_others_play(0.0)

    @property
    def seat(self) -> int:
        """The seat that observes and chooses."""
        return self.game.seat if self.own == EVERY_SEAT else self.own

    def choose(self, token: int) -> float:
        """Choose a token, let the opponents play, and return what that was worth; IllegalToken if it cannot come."""
        seat = self.seat
        self.game.choose(token)
        reward = self.game.rewards[seat]
        return reward if self.own == EVERY_SEAT else self._let_others_play(reward)

    def _let_others_play(self, reward: float) -> float:
        """Let the opponents play up to the next choice of the learner, and add what that is worth."""
        game = self.game
        own: i64 = self.own
        seats: i64 = game.terms.seats
        while not game.is_done:
            seat: i64 = game.seat
            if seat == own:
                break
            self._opponents[(seat - own - 1 + seats) % seats].act(game)
            reward += game.rewards[own]
        return reward
