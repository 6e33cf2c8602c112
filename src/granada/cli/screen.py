"""The size of the terminal, and lines that fit its width."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from textwrap import wrap
from typing import Final

#: A cell of a city, or a tile with its number, needs this much; narrower terminals break lines themselves.
NARROWEST: Final = 40


class Screen:
    """The current size of the terminal; other output has no limits."""

    @property
    def width(self) -> int | None:
        """The columns of a line; None without a terminal."""
        return max(NARROWEST, shutil.get_terminal_size().columns) if _is_terminal() else None

    @property
    def height(self) -> int | None:
        """The number of visible lines; None without a terminal."""
        return shutil.get_terminal_size().lines if _is_terminal() else None

    def fitted(self, lines: Sequence[str]) -> list[str]:
        """Break lines that are too long between words."""
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

    def print(self, *lines: str) -> None:
        """Print lines."""
        for line in self.fitted(lines):
            print(line)


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()
