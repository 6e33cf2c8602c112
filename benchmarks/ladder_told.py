"""docs/ladder.md as it is: what it says of tournaments whose games are not here is said again."""

from __future__ import annotations

import re
from pathlib import Path

from granada.arena.tournament import Tournament

#: A tournament: its name, and everything up to the next heading.
_SECTION = re.compile(r"^### (\S+)\n.*?(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_GAMES = re.compile(r"--games (\d+) --seed (\d+)")


class Told:
    """What a document says of each tournament, of times and of the ratings; nothing, if there is none."""

    def __init__(self, docs: Path) -> None:
        path = docs / "ladder.md"
        text = path.read_text("utf-8") if path.exists() else ""
        self.sections = {found[1]: found[0].rstrip("\n") for found in _SECTION.finditer(text)}
        self.times = _chapter(text, "Time per decision")
        self.ratings = _chapter(text, "Ratings")

    def has_more(self, name: str, here: Tournament) -> bool:
        """Whether it tells of more games with the same deals than are here."""
        games, seed = self._games(name)
        return seed == here.seed and games > here.games

    def has_fewer(self, name: str, planned: Tournament) -> bool:
        """Whether it tells of fewer games than are planned."""
        return self._games(name)[0] < planned.games

    def _games(self, name: str) -> tuple[int, int]:
        """The games of each combination that it tells of, and their seed."""
        found = _GAMES.search(self.sections.get(name, ""))
        return (0, 0) if found is None else (int(found[1]), int(found[2]))


def _chapter(text: str, title: str) -> str:
    """A part of a document with its heading; nothing, if there is no such part."""
    found = re.search(rf"^## {title}\n.*?(?=^##|\Z)", text, re.MULTILINE | re.DOTALL)
    return found[0].rstrip("\n") if found else ""
