"""The terminal that a game is played on: lines that fit its width, and how many fit its height."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from textwrap import wrap
from typing import Final

#: Narrower terminals break lines themselves: a cell of a city and a tile with its number need this much.
NARROWEST: Final = 40


class Screen:
    """How wide and high the terminal is now; output that goes elsewhere has any width and height."""

    @property
    def width(self) -> int | None:
        """The columns of a line; None without a terminal."""
        return max(NARROWEST, shutil.get_terminal_size().columns) if _is_terminal() else None

    @property
    def height(self) -> int | None:
        """The lines that are seen at once; None without a terminal."""
        return shutil.get_terminal_size().lines if _is_terminal() else None

    def fitted(self, lines: Sequence[str]) -> list[str]:
        """The lines, those that are too long broken between words."""
        width = self.width
        fitted: list[str] = []
        for line in lines:
            if width is None or len(line) <= width:
                fitted.append(line)
            else:
                indent = " " * (len(line) - len(line.lstrip()))
                fitted += wrap(
                    line.lstrip(),
                    width,
                    initial_indent=indent,
                    subsequent_indent=f"{indent}  ",
                    break_long_words=False,
                    break_on_hyphens=False,
                )
        return fitted

    def say(self, *lines: str) -> None:
        """Print lines."""
        for line in self.fitted(lines):
            print(line)


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()
