"""Reading records and writing files."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

from granada.cli.errors import CommandError, bad_input
from granada.records.record import RecordError
from granada.records.replay import Replay, replay
from granada.rules.components import Components

#: No record is longer in bytes; this keeps us from reading a device or a video to its end.
LONGEST_RECORD: Final = 16 * 1024 * 1024


def read_text(path: str) -> str:
    """Return the text of a file, `-` for standard input."""
    name = "standard input" if path == "-" else path
    try:
        if path != "-":
            with open(path, "rb") as file:
                content = file.read(LONGEST_RECORD + 1)
        else:
            content = sys.stdin.buffer.read(LONGEST_RECORD + 1) if sys.stdin is not None else b""
    except OSError as error:
        raise bad_input(f"cannot read {name}: {error.strerror}") from None
    if len(content) > LONGEST_RECORD:
        raise bad_input(f"{name} is too long to be a record")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise bad_input(f"{name} is not a record: it is not UTF-8 text") from None


def read_record(path: str, components: Components | None, partial: bool = False, until: int | None = None) -> Replay:
    """Return the replay of a record; a mistake fails with its line (status 1)."""
    text = read_text(path)
    try:
        return replay(text, components, partial, until)
    except RecordError as error:
        raise CommandError(f"{path}: {error}", 1) from None


def write_text(path: str, text: str) -> None:
    """Write a file atomically: if writing fails, the old content stays."""
    target = Path(path)
    is_special = target.is_symlink() or (target.exists() and not target.is_file())  # a device, or a pipe
    aside = target if is_special else target.with_name(f".{target.name}.{os.getpid()}")
    try:
        try:
            # File names may contain lone surrogates, which UTF-8 cannot encode.
            aside.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
            if aside is not target:
                aside.replace(target)
        except OSError:
            if aside is not target:
                aside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise bad_input(f"cannot write {path}: {error.strerror}") from None
