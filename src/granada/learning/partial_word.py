"""A decision token by token: which tokens can come next, and the action at the end of the word."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, final

from granada.learning.tokens import TOKENS, take_token, token_at, word_of
from granada.rules.acting import Buy, Take, takes_of
from granada.rules.money import Card
from granada.rules.state import Action, State
from granada.rules.tiles import Tile

if TYPE_CHECKING:
    from mypy_extensions import i64  # see `granada.rules.codes`

_NO_TOKENS: Final = bytes(TOKENS)


class IllegalToken(ValueError):
    """A token cannot come next in the word."""


@final
class PartialWord:
    """The tokens chosen so far at a decision; forced tokens are chosen by themselves.

    There is either an `action`, because the word is complete, or there are at least two `tokens` to choose from. It is
    valid until the state changes; then `begin` goes on to the next decision.
    """

    __slots__ = ("_following", "_left", "_taking", "action", "state", "tokens", "word")

    def __init__(self, state: State, offers: list[Action] | None = None) -> None:
        self.state: Final = state
        #: The last display and the tokens of its takes.
        self._taking: tuple[tuple[Card, ...], list[int]] = ((), [])
        #: The tokens so far, including the forced ones.
        self.word: list[int] = []
        #: The tokens that can come next, in the order of the offers.
        self.tokens: list[int] = []
        #: The action of the word, as soon as no other is left; None if there is a choice, or the game is over.
        self.action: Action | None = None
        self._left: list[Action] = []
        #: The next token of each action that is left.
        self._following: list[int] = []
        self.begin(state.offers() if offers is None else offers)

    def begin(self, offers: list[Action]) -> None:
        """Begin the next decision of the state, whose offers are given."""
        self.word = []
        self.tokens = []
        self.action = None
        self._left = offers
        if offers:
            self._go_on(self._first_tokens())

    def choose(self, token: int) -> None:
        """Continue the word with a token; IllegalToken if it is not one of `tokens`."""
        if token not in self.tokens:
            raise IllegalToken(f"token {token} cannot come next")
        left: list[Action] = []
        i: i64 = 0
        for following in self._following:
            if following == token:
                left.append(self._left[i])
            i += 1
        self.word.append(token)
        self._left = left
        self._go_on(self._next_tokens())

    def _first_tokens(self) -> list[int]:
        """Return the first token of each offered action."""
        state = self.state
        offers = self._left
        first: list[int] = []
        if isinstance(offers[0], Take):
            # Many decisions do not change the display, so the tokens of its takes, which are offered first, are kept.
            if self._taking[0] is not state.display:
                self._taking = (state.display, [int(take_token(state.display, take)) for take in takes_of(state)])
            first = self._taking[1].copy()
        bought: Tile | None = None
        token: i64 = 0
        i: i64 = len(first)
        count: i64 = len(offers)
        while i < count:
            action = offers[i]
            i += 1
            if isinstance(action, Buy):
                if action.tile is not bought:  # the payments for a tile follow each other
                    bought = action.tile
                    token = token_at(state, action, 0)
            else:
                token = token_at(state, action, 0)
            first.append(token)
        return first

    def _next_tokens(self) -> list[int]:
        """Return the next token of each action that is left."""
        if len(self._left) == 1:
            return []
        depth = len(self.word)
        return [token_at(self.state, action, depth) for action in self._left]

    def _go_on(self, following: list[int]) -> None:
        """Skip tokens that are the same for all actions that are left."""
        while len(self._left) > 1:
            tokens = _distinct(following)
            if len(tokens) > 1:
                self.tokens = tokens
                self._following = following
                return
            self.word.append(tokens[0])
            following = self._next_tokens()
        self.tokens = []
        self.action = self._left[0]

    def __reduce__(self) -> tuple[Callable[..., PartialWord], tuple[State, list[int]]]:
        return resumed, (self.state, self.word)

    def actions_left(self) -> list[Action]:
        """Return the offered actions whose words begin like this one."""
        return self._left.copy()

    def mask(self, out: memoryview, at: int = 0) -> None:
        """Write `TOKENS` bytes from an index on: 1 for each token that can come next, 0 for the others."""
        mask = bytearray(_NO_TOKENS)
        for token in self.tokens:
            mask[token] = 1
        out[at : at + TOKENS] = mask


def resumed(state: State, word: list[int]) -> PartialWord:
    """Return the decision of a state after these tokens, which include the forced ones."""
    partial = PartialWord(state)
    while len(partial.word) < len(word):
        partial.choose(word[len(partial.word)])
    return partial


def choices(state: State, action: Action) -> list[int]:
    """Return the tokens to choose for an offered action: its word without the forced tokens."""
    partial = PartialWord(state)
    word = word_of(state, action)
    chosen: list[int] = []
    while partial.action is None and len(partial.word) < len(word):
        token = word[len(partial.word)]
        partial.choose(token)
        chosen.append(token)
    if partial.action != action:
        raise IllegalToken(f"'{action}' is not offered (3.3)")
    return chosen


def mask(state: State, out: memoryview) -> None:
    """Write the mask of the first token of a decision."""
    PartialWord(state).mask(out)


def _distinct(tokens: list[int]) -> list[int]:
    """Return the tokens without repetitions, in order."""
    found: list[int] = []
    last: i64 = -1
    highest: i64 = -1
    token: i64
    for token in tokens:
        if token == last:
            continue
        last = token
        if token > highest:  # as most are
            highest = token
            found.append(token)
        elif token not in found:
            found.append(token)
    return found
