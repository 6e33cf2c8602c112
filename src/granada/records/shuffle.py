"""The proof of the shuffle (docs/shuffle.md): a seed is bound before the game, shown after it, and anybody can check.

A server notes `new_seed()`, publishes its `commitment`, and plays every action with `luck_at` that action's count. When
the game is over it writes the seed into the record; `verify` then draws everything once more.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, final

from granada.records.lines import Line, RecordLines
from granada.records.luck import Luck
from granada.records.notation import event_text
from granada.records.replay import Replay
from granada.rules.components import Components
from granada.rules.events import Acted, Event
from granada.rules.setup import new_game
from granada.rules.state import State

#: The keys of a record's header: the seed, its commitment, and how many actions were taken over from another record.
SEED: Final = "seed"
COMMITMENT: Final = "commitment"
FORKED_AT: Final = "opening"
#: Stands for the count of actions while the game is set up.
SET_UP: Final = -1
#: What is hashed begins with one of these, so that no commitment can ever be a number of the stream.
_OF_COMMITMENT: Final = "granada-shuffle-1:commitment:"
_OF_NUMBER: Final = "granada-shuffle-1:number:"
_HEX: Final = re.compile("[0-9a-f]{64}")
_COUNT: Final = re.compile("0|[1-9][0-9]{0,8}")


@final
class ShuffleError(ValueError):
    """The luck of a record is not proven, for a reason that names the line if there is one."""


@final
@dataclass(frozen=True)
class Proof:
    """What was checked: so many lines of chance, of so many actions and, without an opening, of the set-up."""

    commitment: str
    actions: int
    lines: int
    #: How many actions, the set-up before them, were taken over from another record and are not covered; None: none.
    opening: int | None
    #: Whether the record goes to the end of the game.
    is_over: bool


@final
class _Stream:
    """The numbers of one count of actions."""

    def __init__(self, seed: str, n: int) -> None:
        self._prefix: Final = f"{_OF_NUMBER}{seed}:{n}:"
        self._drawn = 0

    def __repr__(self) -> str:
        return f"<numbers of a shuffle, {self._drawn} drawn>"  # not the seed: it must not get into a log

    def random(self) -> float:
        """The next number from 0 up to, but not including, 1: the first 53 bits of a hash."""
        digest = sha256(f"{self._prefix}{self._drawn}".encode("ascii")).digest()
        self._drawn += 1
        return (int.from_bytes(digest[:8], "big") >> 11) / 2**53


def new_seed() -> str:
    """A seed that nobody can guess: 64 hexadecimal digits from the operating system's entropy."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """What is published before the game: it binds to the seed, and says nothing about it."""
    return sha256(f"{_OF_COMMITMENT}{_checked(SEED, seed)}".encode("ascii")).hexdigest()


def luck_at(seed: str, n: int) -> Luck:
    """The luck of the action that is played when `n` were played before it, or of the set-up (SET_UP).

    Every count has numbers of its own: where a game stands says which come next, and nothing has to be stored.
    """
    if n < SET_UP:
        raise ShuffleError(f"{n} is no count of actions")
    return Luck(_Stream(_checked(SEED, seed), n))


def verify(text: str, components: Components | None = None) -> Proof:
    """Draw everything in a record once more from its seed; ShuffleError or RecordError says what is wrong where.

    The record of an unfinished game is checked as far as it goes.
    """
    source = RecordLines(text, components)
    extra = source.record.extra
    published, seed = _checked(COMMITMENT, extra.get(COMMITMENT)), _checked(SEED, extra.get(SEED))
    if commitment(seed) != published:
        raise ShuffleError(f"the seed does not fit the commitment: it gives {commitment(seed)}, not {published}")
    opening = _opening(extra.get(FORKED_AT))
    checked = 0
    if opening is None:
        checked = _compare(source, 0, new_game(source.record.options, luck_at(seed, SET_UP)).events)
    reading = Replay(source, partial=True)
    index = len(reading.state.events)
    first = opening or 0
    while True:
        # The seed is asked before the rules: a line that is not the seed's could also break a rule, or need others.
        is_covered = reading.state.n >= first
        found = _compare(source, index, _by_the_seed(seed, reading.state, source.lines, index)) if is_covered else 0
        if not reading.step():
            break
        checked += found
        index += len(reading.state.events)
    state = reading.state
    if state.n < first:
        raise ShuffleError(f"the opening is said to have {first} actions, but the record has only {state.n}")
    return Proof(published, state.n - first, checked, opening, state.is_over)


def _by_the_seed(seed: str, state: State, lines: list[Line], index: int) -> list[Event]:
    """What the next action brings by the seed; nothing if it cannot be played, which the replay then refuses."""
    if index == len(lines) or state.is_over:
        return []
    line = lines[index]
    if line.action is None or line.number != state.seat or not state.is_legal(line.action):
        return []
    return state.copy().play(line.action, luck_at(seed, state.n))


def _compare(source: RecordLines, index: int, events: list[Event]) -> int:
    """Compare the lines from an index on with what the seed brings; returns how many tell of chance.

    Results and a missing tail are left to the replay.
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
            raise ShuffleError(f"line {source.number(index + i)}: the seed gives '{expected}', not '{line.text}'")
        else:
            checked += 1
    return checked


def _checked(key: str, value: str | None) -> str:
    """A value that must be 64 hexadecimal digits."""
    if value is None:
        raise ShuffleError(f"the header has no line '{key}: …', so nothing can be proven")
    if not _HEX.fullmatch(value):
        raise ShuffleError(f"the {key} '{value}' is not 64 hexadecimal digits in lower case")
    return value


def _opening(value: str | None) -> int | None:
    if value is not None and not _COUNT.fullmatch(value):
        raise ShuffleError(f"the opening '{value}' is no number of actions")
    return None if value is None else int(value)
