"""The record lines of a game: the set-up, and each action with the events that followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from granada.records.notation import event_text
from granada.rules.events import NOBODY, Event
from granada.tables.requests import LogLine


@dataclass(frozen=True)
class RecentTurn:
    """The actions that a seat (from 0) has played last, without another one between them, in one turn."""

    seat: int
    turn: int
    actions: int
    #: The verb of the last one.
    verb: str


class History:
    """16.2: record lines with the number of their action and turn, and which of them are hidden from whom."""

    def __init__(self) -> None:
        self.lines: Final[list[str]] = []
        #: By number of actions played, starting with the set-up: the turn, and the number of lines up to there.
        self._passages: Final[list[tuple[int, int]]] = []
        #: Events that are hidden from some players, by line index.
        self._covered: Final[dict[int, Event]] = {}

    def add(self, turn: int, events: Sequence[Event], lines: Sequence[str]) -> None:
        """Add the set-up, or an action with what followed, as events and as record lines."""
        for place, event in enumerate(events, len(self.lines)):
            if not event.seen_by(NOBODY):
                self._covered[place] = event
        self.lines.extend(lines)
        self._passages.append((turn, len(self.lines)))

    def undo_to(self, n: int) -> None:
        """Remove everything after the first n actions."""
        del self._passages[n + 1 :]
        del self.lines[self._passages[n][1] :]
        for place in [place for place in self._covered if place >= len(self.lines)]:
            del self._covered[place]

    def scored_at(self, scoring: str) -> int | None:
        """Return the number of actions played when a scoring took place; None if it has not."""
        start = f"= score {scoring} "
        place = next((place for place, line in enumerate(self.lines) if line.startswith(start)), None)
        if place is None:
            return None
        return next(n for n, (_, end) in enumerate(self._passages) if place < end)

    def recent_turn(self) -> RecentTurn | None:
        """Return the turn that was played last, as far as it has come; None before the first action."""
        found: RecentTurn | None = None
        for n in range(len(self._passages) - 1, 0, -1):
            turn = self._passages[n][0]
            mark, verb, *_ = self.lines[self._passages[n - 1][1]].split(" ")
            seat = int(mark) - 1
            if found is None:
                found = RecentTurn(seat, turn, 1, verb)
            elif (seat, turn) == (found.seat, found.turn):
                found = RecentTurn(seat, turn, found.actions + 1, found.verb)
            else:
                break
        return found

    def log_for(self, seat: int) -> list[LogLine]:
        """16.2: Return all lines as a seat (from 0; NOBODY: a spectator) may see them."""
        lines = self.lines.copy()
        for place, event in self._covered.items():
            lines[place] = event_text(event.shown_to(seat))
        found: list[LogLine] = []
        for n, (turn, end) in enumerate(self._passages):
            found += [LogLine(n, turn, line) for line in lines[len(found) : end]]
        return found
