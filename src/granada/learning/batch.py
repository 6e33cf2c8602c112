"""Many games in one call, with observations and masks written into given arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias, final

from granada.learning.illegal import reason
from granada.learning.partial_word import IllegalToken
from granada.learning.seat_game import SeatGame
from granada.learning.tokens import TOKENS

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `granada.rules.codes`

#: The reward for an illegal token, which ends the game.
ILLEGAL_REWARD: Final = -1.0
#: A game that ended: its index, the last observation, the reason if a token was illegal, the seat that chose, and the
#: points.
Ending: TypeAlias = tuple[int, bytes, str, int, list[int]]


def illegal_rewards(seats: int, seat: int) -> list[float]:
    """Return the reward of each seat for an illegal token of one seat."""
    return [ILLEGAL_REWARD if other == seat else 0.0 for other in range(seats)]


@final
class Batch:
    """Games that restart by themselves when they end; what a step gave is in the lists, by game.

    The observations must not be changed by anything else, because only what is new is written.
    """

    __slots__ = (
        "_first",
        "_masks",
        "_observations",
        "_size",
        "all_rewards",
        "endings",
        "games",
        "rewards",
        "seats",
        "terminated",
        "truncated",
    )

    def __init__(self, games: list[SeatGame], observations: memoryview, masks: memoryview) -> None:
        self.games: Final = games
        self._observations: Final = observations
        self._masks: Final = masks
        self._size: Final = games[0].game.size
        self._first: Final = [game.own for game in games]
        count = len(games)
        #: What the last step was worth to the seat that chose; and to every seat of the game.
        self.rewards: Final = [0.0] * count
        self.all_rewards: Final[list[list[float]]] = [[0.0] * game.game.terms.seats for game in games]
        self.terminated: Final = [False] * count
        self.truncated: Final = [False] * count
        #: The seat that observes and chooses next.
        self.seats: Final = [game.seat for game in games]
        #: The games that ended in the last step.
        self.endings: Final[list[Ending]] = []
        for index in range(count):
            self._write(index)

    def restart(self, seeds: list[int]) -> None:
        """Begin new games, one for each seed, with the seats of the first games."""
        self.endings.clear()
        for index, game in enumerate(self.games):
            game.restart(seeds[index], self._first[index])
            self._write(index)

    def step(self, tokens: list[int]) -> None:
        """Choose a token in each game."""
        self.endings.clear()
        index: i64 = 0
        for seat_game in self.games:
            game = seat_game.game
            illegal = ""
            seat = seat_game.seat
            try:
                self.rewards[index] = seat_game.choose(tokens[index])
            except IllegalToken:
                self.rewards[index] = ILLEGAL_REWARD if not game.is_done else 0.0
                illegal = "" if game.is_done else reason(game.partial_word, tokens[index])
            self.all_rewards[index] = illegal_rewards(game.terms.seats, seat) if illegal else game.earned
            is_over = game.is_over or illegal != ""
            is_truncated = not is_over and game.is_truncated
            self.terminated[index] = is_over
            self.truncated[index] = is_truncated
            if is_over or is_truncated:
                last = bytearray(self._size)
                game.observe(seat, memoryview(last))
                points = [player.score for player in game.state.players]
                self.endings.append((int(index), bytes(last), illegal, seat, points))
                seat_game.restart()
            self._write(index)
            index += 1

    def _write(self, index: i64) -> None:
        """Write the observation and the mask of a game."""
        seat_game = self.games[index]
        game = seat_game.game
        seat = seat_game.seat
        self.seats[index] = seat
        game.observe(seat, self._observations, index * self._size, True)
        game.mask(self._masks, index * TOKENS)
