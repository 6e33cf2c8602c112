"""The code in the documents: fenced blocks, the commands in them, and commands within sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DOCUMENTS: Final = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")])
_FENCE: Final = re.compile(
    r"^(?P<indent> *)(?P<fence>`{3,})(?P<language>[^\n`]*)\n(?P<text>.*?)^(?P=indent)(?P=fence) *$", re.M | re.S
)
_INLINE: Final = re.compile(r"`([^`\n]+)`")
#: What the first word of a command within a sentence can be.
PROGRAMS: Final = ("granada", "make", "python", "npm")
#: What looks like a command within a sentence: a segment of the observations in docs/learning.md.
_NO_COMMANDS: Final = ("granada bag",)


@dataclass(frozen=True)
class Block:
    """A fenced block of a document."""

    document: Path
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"{self.document.relative_to(ROOT)}:{self.line}"

    def commands(self) -> list[str]:
        """Return the commands of a block for the shell, each with its continued lines, loop or here document."""
        found: list[str] = []
        waiting: list[str] = []
        end = ""
        for line in self.text.splitlines():
            waiting.append(line)
            if len(waiting) == 1:
                here = re.search(r"<<'?(\w+)'?", line)
                end = here[1] if here else "done" if line.startswith("for ") else ""
            if line == end or (not end and not line.endswith("\\")):
                command = "\n".join(waiting)
                waiting = []
                if command.strip() and not command.startswith("#"):
                    found.append(command)
        assert not waiting, f"{self.place}: a command has no end"
        return found


def blocks(document: Path) -> list[Block]:
    """Return the fenced blocks of a document in their order."""
    text = document.read_text("utf-8")
    found = []
    for match in _FENCE.finditer(text):
        indent = len(match["indent"])
        lines = [line[indent:] for line in match["text"].splitlines()]
        number = text.count("\n", 0, match.start()) + 1
        found.append(Block(document, number, match["language"].strip(), "\n".join([*lines, ""])))
    return found


def prose(document: Path) -> str:
    """Return a document without its fenced blocks."""
    return _FENCE.sub("", document.read_text("utf-8"))


def inline_commands(document: Path) -> list[str]:
    """Return the commands within the sentences of a document."""
    found = [code for code in _INLINE.findall(prose(document)) if code not in _NO_COMMANDS]
    return [code for code in found if code.split()[0] in PROGRAMS and " " in code]
