"""The game of a table: its position, its record so far, and undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from granada.records.notation import event_text
from granada.records.replay import Replay, follow
from granada.rules.bonus import Keep, Reveal
from granada.rules.chance import Chance
from granada.rules.events import Acted, Event
from granada.rules.options import Options
from granada.rules.setup import new_game
from granada.rules.state import Action, State
from granada.tables.history import History


@dataclass(frozen=True)
class Move:
    """An action played on a copy of the position, before it is stored."""

    state: State
    events: Sequence[Event]

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the record lines to store."""
        return tuple([event_text(event) for event in self.events])


class Game:
    """A position, its history, and the earlier positions of the turn for undo."""

    def __init__(self, state: State, history: History, opening: int = 0) -> None:
        self.state = _settled(state)
        self.history: Final = history
        #: The number of actions that come from the record the game was continued from.
        self.opening: Final = opening
        #: The events of the last entry.
        self.events: Sequence[Event] = ()
        #: 11.2: whether using the vizier between two turns can be undone, too, as at a puzzle.
        self.undoes_viziers = False
        self._earlier: Final[list[State]] = []

    def try_out(self, action: Action, chance: Chance) -> Move:
        """Play a legal action on a copy of the position."""
        state = self.state.copy()
        return Move(state, state.play(action, chance))

    def recorded(self, lines: Sequence[str]) -> Move:
        """Play a stored action on a copy of the position."""
        state = self.state.copy()
        return Move(state, follow(state, lines))

    def apply(self, move: Move, lines: Sequence[str]) -> None:
        """Apply a move that has been stored."""
        if self.can_be_undone(move):
            self._earlier.append(self.state)
        else:
            self._earlier.clear()
        self.history.add(self.state.turns, move.events, lines)
        self.state, self.events = _settled(move.state), move.events

    def can_be_undone(self, move: Move) -> bool:
        """Return whether a move can be undone once it is applied."""
        return is_undoable(self.state, move, self.undoes_viziers)

    def undo_to(self, n: int) -> None:
        """Undo all actions after the first n."""
        while self._earlier and self.state.n > n:
            self.state = self._earlier.pop()
        self.history.undo_to(self.state.n)
        self.events = ()

    @property
    def can_undo(self) -> bool:
        """Return whether the last action can be undone."""
        return bool(self._earlier)

    @property
    def undo_limit(self) -> int:
        """Return the number of actions left after undoing everything that can be undone."""
        return self._earlier[0].n if self._earlier else self.state.n

    def seat_to_decide(self) -> int | None:
        """Return the seat that decides; None when the game is over."""
        return None if self.state.is_over else self.state.seat


def _settled(state: State) -> State:
    """Return the state with all lazy updates of its cities done, so that several threads can read it.

    Threads that draw pictures share cities with the event loop. If two of them updated a city at the same time, its
    borders, and so its legal cells, would be wrong for the rest of the game.
    """
    for player in state.players:
        player.city.settle()
    return state


def is_undoable(before: State, move: Move, between_turns: bool = False) -> bool:
    """Return whether a move can be undone: it revealed nothing, and the same seat decides next in the same turn.

    Between two turns (11.2) nothing can be undone, unless `between_turns` is set.
    """
    after = move.state
    acted = move.events[0]
    return (
        len(move.events) == 1
        and isinstance(acted, Acted)
        and not isinstance(acted.action, (Reveal, Keep))
        and (between_turns or acted.seat == before.turn)
        and not after.is_over
        and after.seat == acted.seat
        and after.turns == before.turns
    )


def set_up(options: Options, chance: Chance) -> Move:
    """2: Return the set-up of a new game."""
    state = new_game(options, chance)
    return Move(state, state.events)


def read_game(text: str, open_money: bool) -> Game:
    """Replay a trusted record, complete or not."""
    reading = Replay(text, partial=True, trusted=True, open_money=open_money)
    passages = [(0, reading.state.events)]
    while True:
        turn = reading.state.turns
        if not reading.step():
            break
        passages.append((turn, reading.state.events))
    lines = reading.record.lines
    history = History()
    for turn, events in passages:  # every event is one line
        first = len(history.lines)
        history.add(turn, events, lines[first : first + len(events)])
    return Game(reading.state, history, reading.state.n)
