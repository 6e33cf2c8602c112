"""A game as one seat plays it, or all seats in turn; opponents play the others."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, final

from granada.learning.opponents import BadOpponent, Opponent
from granada.learning.partial_word import IllegalToken
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

    def __init__(
        self,
        terms: Terms,
        seed: int,
        opponents: Sequence[Opponent],
        own: int,
        rotates: bool = False,
        seeds: random.Random | None = None,
        game: TokenGame | None = None,
    ) -> None:
        if opponents and terms.max_turns < terms.seats:
            raise BadOptions(f"a limit of {terms.max_turns} turns ends the game before every seat has had one (3.7)")
        if len(opponents) != (0 if own == EVERY_SEAT else terms.seats - 1):
            raise BadOptions(f"{len(opponents)} opponents are given for {terms.seats} seats (2.1)")
        if not EVERY_SEAT <= own < terms.seats:
            raise BadOptions(f"there is no seat {own} in this game (2.1)")
        #: Of each other seat, clockwise from the learner's.
        self._opponents: Final = list(opponents)
        self._rotates: Final = rotates
        self._seeds = random.Random(seed) if seeds is None else seeds
        self.own: i64 = own
        #: A game that is given is restored, and goes on.
        self.game: Final = TokenGame(terms, random.Random(self._seeds.getrandbits(63))) if game is None else game
        if game is None:
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
            self._let_others_play()

    @property
    def seat(self) -> int:
        """The seat that observes and chooses."""
        return self.game.seat if self.own == EVERY_SEAT else self.own

    def choose(self, token: int) -> float:
        """Choose a token, let the opponents play, and return what that was worth; IllegalToken if it cannot come."""
        seat = self.seat
        game = self.game
        game.forget()
        game.choose(token)
        if self.own != EVERY_SEAT:
            self._let_others_play()
        return game.earned[seat]

    def _let_others_play(self) -> None:
        """Let the opponents play up to the next choice of the learner."""
        game = self.game
        own: i64 = self.own
        seats: i64 = game.terms.seats
        while not game.is_done:
            seat: i64 = game.seat
            if seat == own:
                break
            opponent = self._opponents[(seat - own - 1 + seats) % seats]
            try:
                opponent.act(game)
            except IllegalToken as error:  # which says nothing about the token of the learner
                raise BadOpponent(f"the opponent {opponent!r} in seat {seat}: {error}") from None

    def __reduce__(self) -> tuple[Callable[..., SeatGame], tuple[object, ...]]:
        return SeatGame, (self.game.terms, 0, self._opponents, self.own, self._rotates, self._seeds, self.game)
