"""How a command fails: with one line and a status, never with a traceback."""

from __future__ import annotations

from typing import Final

#: Longer complaints are cut: a broken file may have a line of any length.
LONGEST: Final = 400


class Failure(Exception):
    """A command cannot go on: what is printed on the standard error, and the exit status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status: Final = status


def bad_input(message: str) -> Failure:
    """The failure of a command that was asked for something impossible."""
    return Failure(f"granada: error: {message}", 2)


def one_line(text: str) -> str:
    """A text on one line of bearable length, without anything that a terminal would obey."""
    plain = "".join([char if char.isprintable() else ascii(char)[1:-1] for char in text])
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"
