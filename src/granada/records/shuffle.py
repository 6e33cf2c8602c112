"""The provably fair shuffle (docs/shuffle.md): the seed is committed before the game and can be verified after it.

A server stores `new_seed()`, publishes its `commitment`, and plays action number n with `chance_at(seed, n)`. After the
game it writes the seed into the record, and `verify` repeats every draw.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, final

from granada.records.lines import Line, RecordLines
from granada.records.luck import Luck
from granada.records.notation import event_text
from granada.records.replay import Replay
from granada.rules.chance import Chance
from granada.rules.components import Components
from granada.rules.deck import Deck
from granada.rules.events import Acted, Event
from granada.rules.money import Card
from granada.rules.setup import new_game
from granada.rules.state import Action, State
from granada.rules.tiles import Tile

#: Header keys of a record: the seed, its commitment, and the number of actions copied from another record.
SEED: Final = "seed"
COMMITMENT: Final = "commitment"
FORKED_AT: Final = "opening"
#: The header key for the order of the draws, and its only value: cards and tiles come in an order that is fixed.
ORDER: Final = "order"
FIXED: Final = "fixed"
#: The number of actions to pass for the set-up of the game.
SET_UP: Final = -1
#: Separate prefixes, so that a commitment can never equal a hash of the number stream.
_COMMITMENT_PREFIX: Final = "granada-shuffle-1:commitment:"
_NUMBER_PREFIX: Final = "granada-shuffle-1:number:"
_FIXED_PREFIX: Final = "granada-shuffle-1:fixed:"
_HEX: Final = re.compile("[0-9a-f]{64}")
_COUNT: Final = re.compile("0|[1-9][0-9]{0,8}")
#: Called with each position of a record, the action that follows, and the number of its line.
Observer = Callable[[State, Action, int], None]


@final
class ShuffleError(ValueError):
    """The shuffle of a record cannot be verified; the reason names the line if there is one."""

    def __init__(self, reason: str, line: int | None = None, expected: str = "") -> None:
        super().__init__(reason)
        self.line: Final = line
        #: What the seed gives on that line.
        self.expected: Final = expected


@final
@dataclass(frozen=True)
class Proof:
    """The result of a verification: the number of actions and of chance lines that were checked."""

    commitment: str
    actions: int
    lines: int
    #: The number of actions copied from another record, which are not covered, nor is the set-up; None if there are
    #: none.
    opening: int | None
    #: Whether the record reaches the end of the game.
    is_over: bool


@final
class _Stream:
    """The random numbers for one action."""

    def __init__(self, seed: str, n: int) -> None:
        self._prefix: Final = f"{_NUMBER_PREFIX}{seed}:{n}:"
        self._drawn = 0

    def __repr__(self) -> str:
        return f"<numbers of a shuffle, {self._drawn} drawn>"  # the seed must not appear in logs

    def random(self) -> float:
        """Return the next number in [0, 1): the first 53 bits of a hash."""
        self._drawn += 1
        return _number(f"{self._prefix}{self._drawn - 1}")


@final
class FixedOrder(Chance):
    """Chance that gives cards and tiles in the same order to everybody who plays a seed, whatever they do.

    A draw depends only on what is left to draw from, so no generator state has to be stored.
    """

    def __init__(self, seed: str) -> None:
        self._seed: Final = _checked(SEED, seed)
        self._what = "start"
        self._drawn = 0

    def __repr__(self) -> str:
        return f"<fixed order, {self._drawn} drawn for {self._what}>"  # the seed must not appear in logs

    def below(self, count: int) -> int:
        self._drawn += 1
        return int(_number(f"{_FIXED_PREFIX}{self._seed}:{self._what}:{self._drawn - 1}") * count)

    def dealt_card(self, deck: Deck, seat: int) -> Card:
        self._begin(f"deal {deck.size()}")
        return super().dealt_card(deck, seat)

    def start(self, seats: list[int]) -> int:
        self._begin("start")
        return super().start(seats)

    def display_card(self, deck: Deck) -> Card:
        self._begin(f"display {deck.size()}")
        return super().display_card(deck)

    def yard_tile(self, bag: list[Tile], marker: int, space: int) -> Tile:
        self._begin(f"yard {bag[0].kind} {len(bag)}")
        return super().yard_tile(bag, marker, space)

    def dirk_tiles(self, bags: list[list[Tile]], counts: list[int], marker: int) -> list[Tile]:
        self._begin(f"dirk {' '.join([str(len(bag)) for bag in bags])}")
        return super().dirk_tiles(bags, counts, marker)

    def bonus_cards(self, left: list[Tile], seat: int, count: int) -> list[Tile | None]:
        self._begin(f"bonus {len(left)}")
        return super().bonus_cards(left, seat, count)

    def hut(self, pile: tuple[Tile, ...]) -> Tile:
        self._begin(f"hut {pile[0].type_name} {len(pile)}")
        return super().hut(pile)

    def _begin(self, what: str) -> None:
        self._what = what
        self._drawn = 0


def _number(text: str) -> float:
    """Return a number in [0, 1): the first 53 bits of the hash of an ASCII text."""
    digest = sha256(text.encode("ascii")).digest()
    return (int.from_bytes(digest[:8], "big") >> 11) / 2**53


def new_seed() -> str:
    """Return a random seed: 64 hexadecimal digits of entropy from the operating system."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """Return the hash to publish before the game, which fixes the seed without revealing it."""
    return sha256(f"{_COMMITMENT_PREFIX}{_checked(SEED, seed)}".encode("ascii")).hexdigest()


def luck_at(seed: str, n: int) -> Luck:
    """Return the luck for the action after `n` actions, or for the set-up (SET_UP).

    Every action has its own stream of numbers, so no generator state has to be stored.
    """
    if n < SET_UP:
        raise ShuffleError(f"{n} is not a number of actions")
    return Luck(_Stream(_checked(SEED, seed), n))


def chance_at(seed: str, n: int, is_fixed: bool) -> Chance:
    """Return the chance for the action after `n` actions, or for the set-up (SET_UP), optionally in a fixed order."""
    return FixedOrder(seed) if is_fixed else luck_at(seed, n)


def verify(text: str, components: Components | None = None, observe: Observer | None = None) -> Proof:
    """Repeat every draw of a record from its seed; ShuffleError or RecordError says what is wrong and on which line.

    An unfinished game is verified as far as it goes. `observe` is called before each legal action, and may raise errors
    of its own.
    """
    source = RecordLines(text, components)
    extra = source.record.extra
    published, seed = _checked(COMMITMENT, extra.get(COMMITMENT)), _checked(SEED, extra.get(SEED))
    if commitment(seed) != published:
        raise ShuffleError(f"the seed does not match the commitment: it gives {commitment(seed)}, not {published}")
    opening = _opening(extra.get(FORKED_AT))
    is_fixed = _is_fixed(extra.get(ORDER))
    checked = 0
    if opening is None:
        checked = _compare(source, 0, new_game(source.record.options, chance_at(seed, SET_UP, is_fixed)).events)
    reading = Replay(source, partial=True)
    index = len(reading.state.events)
    first = opening or 0
    while True:
        # Compare with the seed before applying the rules: a wrong line could also break a rule, or change the lines
        # after it.
        state = reading.state
        action = _next_action(state, source.lines, index)
        if action is not None and observe is not None:
            observe(state, action, source.number(index))
        found = 0
        if action is not None and state.n >= first:
            found = _compare(source, index, state.copy().play(action, chance_at(seed, state.n, is_fixed)))
        if not reading.step():
            break
        checked += found
        index += len(reading.state.events)
    state = reading.state
    if state.n < first:
        raise ShuffleError(f"the header gives an opening of {first} actions, but the record has only {state.n}")
    return Proof(published, state.n - first, checked, opening, state.is_over)


def _next_action(state: State, lines: list[Line], index: int) -> Action | None:
    """Return the next action of a record; None if there is none or it is illegal, which the replay reports."""
    if index == len(lines) or state.is_over:
        return None
    line = lines[index]
    if line.action is None or line.number != state.seat or not state.is_legal(line.action):
        return None
    return line.action


def _compare(source: RecordLines, index: int, events: list[Event]) -> int:
    """Compare the lines from an index on with the events of the seed; return the number of chance lines.

    Results and missing lines at the end are checked by the replay.
    """
    checked = 0
    end = index + len(events)
    for i, (event, line) in enumerate(zip(events, source.lines[index:end], strict=False)):
        expected = event_text(event)
        is_same = line.text == expected
        if event.is_result or isinstance(event, Acted):
            if not is_same:
                break
        elif not is_same:
            number = source.number(index + i)
            raise ShuffleError(f"line {number}: the seed gives '{expected}', not '{line.text}'", number, expected)
        else:
            checked += 1
    return checked


def _checked(key: str, value: str | None) -> str:
    """Return the value if it is 64 hexadecimal digits."""
    if value is None:
        raise ShuffleError(f"the header has no line '{key}: …', so the shuffle cannot be verified")
    if not _HEX.fullmatch(value):
        raise ShuffleError(f"the {key} '{value}' is not 64 hexadecimal digits in lower case")
    return value


def _opening(value: str | None) -> int | None:
    if value is not None and not _COUNT.fullmatch(value):
        raise ShuffleError(f"the opening '{value}' is not a number of actions")
    return None if value is None else int(value)


def _is_fixed(value: str | None) -> bool:
    if value not in (None, FIXED):
        raise ShuffleError(f"the order '{value}' is not '{FIXED}'")
    return value is not None
