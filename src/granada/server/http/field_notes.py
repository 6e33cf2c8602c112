"""What is noted about the fields of a message: the `#:` comments before them, so that it is written only once."""

from __future__ import annotations

import inspect
import re
from typing import Final

_FIELD: Final = re.compile(r"    (\w+): ")


def field_notes(kind: type) -> dict[str, str]:
    """The note of each field that has one."""
    notes: dict[str, str] = {}
    note: list[str] = []
    for line in inspect.getsource(kind).splitlines():
        text = line.strip()
        if text.startswith("#:"):
            note.append(text[2:].strip())
            continue
        found = _FIELD.match(line)
        if found and note:
            notes[found[1]] = " ".join(note)
        note = []
    return notes
