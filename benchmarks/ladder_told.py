"""docs/ladder.md as it is: what it says of tournaments whose games are not here is said again."""

from __future__ import annotations

import re
from pathlib import Path

from granada.arena.tournament import Tournament

#: A tournament: its name, and everything up to the next heading.
_SECTION = re.compile(r"^### (\S+)\n.*?(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_RATINGS = re.compile(r"^## Ratings\n.*?(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_GAMES = re.compile(r"--games (\d+) --seed (\d+)")


class Told:
    """What a document says of each tournament, and of the ratings; nothing, if there is none."""

    def __init__(self, docs: Path) -> None:
        path = docs / "ladder.md"
        text = path.read_text("utf-8") if path.exists() else ""
        self.sections = {found[1]: found[0].rstrip("\n") for found in _SECTION.finditer(text)}
        ratings = _RATINGS.search(text)
        self.ratings = ratings[0].rstrip("\n") if ratings else ""

    def has_more(self, name: str, here: Tournament) -> bool:
        """Whether it tells of more games with the same deals than are here."""
        found = _GAMES.search(self.sections.get(name, ""))
        return found is not None and int(found[2]) == here.seed and int(found[1]) > here.games
