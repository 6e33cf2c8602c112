"""What has happened in a game, line by line: the set-up, and each action with what followed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.records.notation import event_text
from granada.rules.events import NOBODY, Event
from granada.tables.requests import LogLine


class History:
    """The lines of a record; each knows its action and its turn, and who may see it (16.2)."""

    def __init__(self) -> None:
        self.lines: Final[list[str]] = []
        #: By the number of actions played, so the set-up first: the turn, and how many lines there were then.
        self._passages: Final[list[tuple[int, int]]] = []
        #: What not everybody may see, by the place of its line.
        self._covered: Final[dict[int, Event]] = {}

    def add(self, turn: int, events: Sequence[Event], lines: Sequence[str]) -> None:
        """Add the set-up, or an action with what followed: what happened, and how that is written."""
        for place, event in enumerate(events, len(self.lines)):
            if not event.seen_by(NOBODY):
                self._covered[place] = event
        self.lines.extend(lines)
        self._passages.append((turn, len(self.lines)))

    def go_back(self, n: int) -> None:
        """Forget all after the first n actions."""
        del self._passages[n + 1 :]
        del self.lines[self._passages[n][1] :]
        for place in [place for place in self._covered if place >= len(self.lines)]:
            del self._covered[place]

    def scored_at(self, scoring: str) -> int | None:
        """Return how many actions had been played when a scoring took place; None if it has not."""
        start = f"= score {scoring} "
        place = next((place for place, line in enumerate(self.lines) if line.startswith(start)), None)
        if place is None:
            return None
        return next(n for n, (_, end) in enumerate(self._passages) if place < end)

    def log_for(self, seat: int) -> list[LogLine]:
        """16.2: all lines, as a seat (from 0; NOBODY: a spectator) may see them."""
        lines = self.lines.copy()
        for place, event in self._covered.items():
            lines[place] = event_text(event.shown_to(seat))
        found: list[LogLine] = []
        for n, (turn, end) in enumerate(self._passages):
            found += [LogLine(n, turn, line) for line in lines[len(found) : end]]
        return found
