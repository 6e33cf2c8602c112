"""A game token by token: the loop under all environments, compiled with the rules."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, final

from granada.learning.encoder import Encoder
from granada.learning.partial_word import IllegalToken, PartialWord, resumed
from granada.learning.rewards import REWARDS, final_rewards, potentials
from granada.learning.tokens import TOKENS
from granada.learning.variants import find_variant, number_of_seats, set_up
from granada.records.luck import Luck
from granada.records.playout import MAX_TURNS
from granada.rules.errors import BadOptions, IllegalAction
from granada.rules.options import Options
from granada.rules.state import Action, State
from granada.rules.view import Rng

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `granada.rules.codes`


@final
class Terms:
    """What an environment plays: options, variant, rewards and limits; wrong ones raise BadOptions."""

    def __init__(
        self,
        options: Options,
        variant: str = "",
        memory: bool = False,
        reward: str = "rank",
        shaping: float = 0.0,
        discount: float = 1.0,
        max_turns: int = MAX_TURNS,
    ) -> None:
        if reward not in REWARDS:
            raise BadOptions(f"the reward '{reward}' is none of {', '.join(REWARDS)} (8.4)")
        if not 0 < discount <= 1:
            raise BadOptions(f"the discount of the shaping must be above 0 and at most 1, not {discount} (7)")
        if max_turns < 1:
            raise BadOptions(f"at least one turn must be played, not {max_turns} (3.7)")
        self.options: Final = options
        self.variant: Final = find_variant(variant, options)
        self.variant_name: Final = variant
        self.seats: Final = number_of_seats(options, self.variant)
        #: 16.1: whether the seats remember all hands.
        self.memory: Final = memory
        self.reward: Final = reward
        #: The weight of the potential, and its discount from one choice of a seat to its next (see
        #: `rewards.potentials`).
        self.shaping: Final = shaping
        self.discount: Final = discount
        self.is_discounted: Final = shaping != 0 and discount < 1
        #: 3.7: a game is truncated after this number of turns.
        self.max_turns: Final = max_turns

    def __reduce__(self) -> tuple[type[Terms], tuple[object, ...]]:
        return Terms, (
            self.options,
            self.variant_name,
            self.memory,
            self.reward,
            self.shaping,
            self.discount,
            self.max_turns,
        )


@final
class TokenGame:
    """A game in which tokens are chosen one by one; where there is no choice, it plays on by itself."""

    __slots__ = (
        "_encoder",
        "_has_earned",
        "_is_begun",
        "_is_rewarded",
        "_luck",
        "_offers",
        "_potentials",
        "_word",
        "earned",
        "rewards",
        "rng",
        "state",
        "terms",
    )

    def __init__(self, terms: Terms, rng: Rng, state: State | None = None) -> None:
        self.terms: Final = terms
        self.rng = rng
        self._encoder: Final = Encoder(terms.options, terms.memory, terms.seats)
        self._luck = Luck(rng)
        self.state = set_up(terms.options, terms.variant, self._luck) if state is None else state
        self._offers: list[Action] = []
        self._word = PartialWord(self.state, [])
        #: Whether the word is that of the current decision.
        self._is_begun = False
        #: What the last choice was worth to each seat.
        self.rewards = [0.0] * terms.seats
        #: Whether any of the rewards may not be 0.
        self._is_rewarded = False
        #: What the choices since `forget` were worth to each seat.
        self.earned = self.rewards
        self._has_earned = False
        self._potentials: list[float] = []
        self._go_on()
        if terms.shaping:
            self._potentials = potentials(self.state)

    def restart(self, rng: Rng) -> None:
        """Begin a new game, with another source of random numbers."""
        terms = self.terms
        self.rng = rng
        self._luck = Luck(rng)
        self.state = set_up(terms.options, terms.variant, self._luck)
        self._word = PartialWord(self.state, [])
        self.rewards = [0.0] * terms.seats
        self._is_rewarded = False
        self.earned = self.rewards
        self._has_earned = False
        self._go_on()
        if terms.shaping:
            self._potentials = potentials(self.state)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended (8.4)."""
        return self.state.agenda is None

    @property
    def is_truncated(self) -> bool:
        """Whether the game was stopped because it reached the limit of turns (3.7)."""
        return self.state.agenda is not None and self.state.turns > self.terms.max_turns

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to choose."""
        return self.state.agenda is None or self.state.turns > self.terms.max_turns

    @property
    def seat(self) -> int:
        """The seat that has to choose; after the end, the seat on turn."""
        task = self.state.agenda
        return self.state.turn if task is None else task.seat

    @property
    def tokens(self) -> list[int]:
        """The tokens that can be chosen; none after the end."""
        return [] if self.is_done else self.partial_word.tokens

    @property
    def word(self) -> list[int]:
        """The tokens of the current word so far."""
        return self.partial_word.word

    @property
    def partial_word(self) -> PartialWord:
        """The current decision; the same object goes on to the next one."""
        word = self._word
        if not self._is_begun:
            word.begin(self._offers)
            self._is_begun = True
        return word

    @property
    def offers(self) -> list[Action]:
        """The offered actions of the current decision, as a list that must not be changed."""
        return self._offers

    @property
    def size(self) -> int:
        """The size of an observation."""
        return self._encoder.size

    def choose(self, token: int) -> None:
        """Choose a token; IllegalToken if it cannot come next."""
        word = self.partial_word
        if self.is_done:
            raise IllegalToken("rule 8.4: the game is over")
        word.choose(token)
        action = word.action
        if action is not None:
            self.play(action)
        elif self._is_rewarded or self.terms.is_discounted:
            self.rewards = [0.0] * self.terms.seats
            self._is_rewarded = self.terms.is_discounted
            if self._is_rewarded:
                self._discount()
                self._earn()

    def play(self, action: Action) -> None:
        """Play an offered action, whatever the word so far is."""
        if self.is_done:
            raise IllegalAction("rule 8.4: the game is over")
        self.state.play(action, self._luck)
        self._go_on()
        self._reward()

    def _go_on(self) -> None:
        """Play on to the next choice."""
        state = self.state
        limit: i64 = self.terms.max_turns
        offers = state.offers()
        while len(offers) == 1 and state.turns <= limit:
            state.play(offers[0], self._luck)
            offers = state.offers()
        self._offers = offers
        self._is_begun = False

    def _reward(self) -> None:
        terms = self.terms
        state = self.state
        is_over = state.agenda is None
        if not (is_over or terms.shaping or self._is_rewarded):
            return
        self._is_rewarded = is_over or terms.shaping != 0
        if is_over:
            self.rewards = final_rewards(terms.reward, [player.score for player in state.players])
        else:
            self.rewards = [0.0] * terms.seats
        if terms.shaping:
            before = self._potentials
            after = potentials(state)
            for seat in range(terms.seats):
                self.rewards[seat] += terms.shaping * (after[seat] - before[seat])
            self._potentials = after
            if terms.is_discounted:
                self._discount()
        self._earn()

    def _discount(self) -> None:
        """Discount the potential of the seat that chooses next, or of all at the end.

        So the shaping between two choices of a seat is worth γΦ' - Φ, however many choices of others are between them.
        """
        lost = self.terms.shaping * (1.0 - self.terms.discount)
        if not self.is_done:
            self.rewards[self.seat] -= lost * self._potentials[self.seat]
            return
        for seat in range(self.terms.seats):
            self.rewards[seat] -= lost * self._potentials[seat]

    def _earn(self) -> None:
        if self._is_rewarded:
            earned: list[float] = []
            for seat in range(self.terms.seats):
                earned.append(self.earned[seat] + self.rewards[seat])
            self.earned = earned
            self._has_earned = True

    def forget(self) -> None:
        """Begin to add up what choices earn."""
        if self._has_earned:
            self.earned = [0.0] * self.terms.seats
            self._has_earned = False

    def below(self, count: int) -> int:
        """Return a random number from 0 to `count` - 1, from the source of the game."""
        return self._luck.below(count)

    def set_word(self, word: list[int], rewards: list[float]) -> None:
        """Set the tokens so far, and what the last choice was worth, in a game that was restored."""
        self._word = resumed(self.state, word)
        self._is_begun = True
        self.rewards = rewards
        self._is_rewarded = True

    def observe(self, seat: int, out: memoryview, at: int = 0, is_kept: bool = False) -> None:
        """Write the observation of a seat, `size` bytes from an index on.

        `is_kept` says that these bytes are still what the last call with it has written, so that cities that are the
        same need not be written again.
        """
        task = self.state.agenda
        word = self.partial_word.word if task is not None and task.seat == seat else None
        self._encoder.observe(self.state, seat, out, at, word, is_kept)

    def mask(self, out: memoryview, at: int = 0) -> None:
        """Write the mask of the seat that has to choose, `TOKENS` bytes from an index on."""
        if self.is_done:
            out[at : at + TOKENS] = _NO_TOKENS
        else:
            self.partial_word.mask(out, at)

    def copy(self) -> TokenGame:
        """Return an independent copy, which draws the same random numbers."""
        word = self.word.copy()
        return restored(self.terms, copy.deepcopy(self.rng), self.state.copy(), word, self.rewards.copy())

    def __copy__(self) -> TokenGame:
        return self.copy()

    def __deepcopy__(self, memo: object) -> TokenGame:
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., TokenGame], tuple[object, ...]]:
        return restored, (self.terms, self.rng, self.state, self.word, self.rewards)


def restored(terms: Terms, rng: Rng, state: State, word: list[int], rewards: list[float]) -> TokenGame:
    """Return a game in the middle of a word."""
    game = TokenGame(terms, rng, state)
    game.set_word(word, rewards)
    return game


_NO_TOKENS: Final = bytes(TOKENS)
