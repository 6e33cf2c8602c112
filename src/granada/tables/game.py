"""The game of a table: its position, its record so far, and what can be taken back."""

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
    """An action played on a copy of the position: nothing has changed before it is stored."""

    state: State
    events: Sequence[Event]

    @property
    def lines(self) -> tuple[str, ...]:
        """What is stored of it."""
        return tuple([event_text(event) for event in self.events])


class Game:
    """A position, what led to it, and the positions of the turn that one can go back to."""

    def __init__(self, state: State, history: History, opening: int = 0) -> None:
        self.state = _settled(state)
        self.history: Final = history
        #: How many actions were taken over from another record.
        self.opening: Final = opening
        #: What the last entry brought.
        self.events: Sequence[Event] = ()
        self._earlier: Final[list[State]] = []

    def try_out(self, action: Action, chance: Chance) -> Move:
        """Play a legal action on a copy."""
        state = self.state.copy()
        return Move(state, state.play(action, chance))

    def recorded(self, lines: Sequence[str]) -> Move:
        """An action as it was stored, played on a copy."""
        state = self.state.copy()
        return Move(state, follow(state, lines))

    def go_on(self, move: Move, lines: Sequence[str]) -> None:
        """Take a move over: it is stored."""
        if can_be_taken_back(self.state, move):
            self._earlier.append(self.state)
        else:
            self._earlier.clear()
        self.history.add(self.state.turns, move.events, lines)
        self.state, self.events = _settled(move.state), move.events

    def go_back(self, n: int) -> None:
        """Take back all actions after the first n."""
        while self._earlier and self.state.n > n:
            self.state = self._earlier.pop()
        self.history.go_back(self.state.n)
        self.events = ()

    @property
    def may_go_back(self) -> bool:
        """Whether the last action can be taken back."""
        return bool(self._earlier)

    @property
    def turn_began(self) -> int:
        """The number of actions played before all that can be taken back."""
        return self._earlier[0].n if self._earlier else self.state.n

    def seat_to_decide(self) -> int | None:
        """The seat that decides; None when the game is over."""
        return None if self.state.is_over else self.state.seat


def _settled(state: State) -> State:
    """Return a state that several threads can read: no city still has to be brought up to date.

    Pictures and hints are made in a thread while the event loop reads the same cities. Two threads that update one city
    at the same time would leave it with wrong borders, and so with wrong legal cells for the rest of the game.
    """
    for player in state.players:
        player.city.settle()
    return state


def can_be_taken_back(before: State, move: Move) -> bool:
    """Whether an action showed nobody anything new: it drew nothing, and its own seat goes on in its own turn."""
    after = move.state
    acted = move.events[0]
    return (
        len(move.events) == 1
        and isinstance(acted, Acted)
        and not isinstance(acted.action, (Reveal, Keep))
        and acted.seat == before.turn
        and not after.is_over
        and after.seat == acted.seat
        and after.turns == before.turns
    )


def set_up(options: Options, chance: Chance) -> Move:
    """2: a new game."""
    state = new_game(options, chance)
    return Move(state, state.events)


def read_game(text: str, open_money: bool) -> Game:
    """The game of a record that this program wrote or has checked, however far it goes."""
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
