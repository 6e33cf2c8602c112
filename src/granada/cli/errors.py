"""Errors of commands: one line and an exit status, never a traceback."""

from __future__ import annotations

from typing import Final

#: Longer messages are cut: a broken file may contain a line of any length.
LONGEST: Final = 400


class CommandError(Exception):
    """The message for standard error and the exit status of a command that fails."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status: Final = status


def bad_input(message: str) -> CommandError:
    """Return the error for bad input (status 2)."""
    return CommandError(f"granada: error: {message}", 2)


def one_line(text: str) -> str:
    """Return a text on one line of limited length, without control characters."""
    plain = "".join([char if char.isprintable() else ascii(char)[1:-1] for char in text])
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + "…"
