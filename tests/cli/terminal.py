"""A pseudo-terminal of a given size with `granada` running on it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from types import TracebackType

from tests.cli.command import ENVIRONMENT, PATIENCE


class Terminal:
    """`granada` on a terminal; output is read up to the next prompt."""

    def __init__(self, columns: int, lines: int, *arguments: object) -> None:
        self._end, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        environment = {key: value for key, value in ENVIRONMENT.items() if key not in ("COLUMNS", "LINES")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "granada", *map(str, arguments)],
            stdin=other,
            stdout=other,
            stderr=other,
            env={**environment, "TERM": "dumb"},
            start_new_session=True,
        )
        os.close(other)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._end)
        try:
            self._process.wait(PATIENCE)
        finally:
            self._process.kill()

    def type(self, line: str) -> None:
        os.write(self._end, f"{line}\n".encode())

    def read_until(self, prompt: str) -> list[str]:
        """Return the lines up to and including a prompt."""
        text = b""
        until = time.monotonic() + PATIENCE
        while not text.endswith(prompt.encode()):
            ready, _, _ = select.select([self._end], [], [], max(0.0, until - time.monotonic()))
            assert ready, f"the prompt does not come: {text.decode()[-500:]}"
            text += os.read(self._end, 65536)
        return text.decode().replace("\r", "").split("\n")
