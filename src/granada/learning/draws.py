"""Chance as a tree: play is run again with the draws so far, and stops at the next one."""

from __future__ import annotations

from typing import Final

from granada.rules.chance import Chance


class NextDraw(Exception):
    """A number from 0 to `count` - 1 has to be drawn next."""

    def __init__(self, count: int) -> None:
        super().__init__(f"one of {count} outcomes has to be drawn")
        self.count: Final = count


class Draws(Chance):
    """Chance that repeats given numbers, and raises NextDraw when it needs another."""

    def __init__(self, numbers: list[int]) -> None:
        self._numbers: Final = numbers
        self._used = 0

    def below(self, count: int) -> int:
        """Return the next given number."""
        if self._used == len(self._numbers):
            raise NextDraw(count)
        self._used += 1
        return self._numbers[self._used - 1]
