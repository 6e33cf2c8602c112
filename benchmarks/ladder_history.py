"""Results of games that are no longer stored: docs/ladder/figures.json and the sections of docs/ladder.md."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from granada.arena.intervals import Share, together
from granada.arena.tournament import Tournament

#: The section of a tournament: its name, and everything up to the next heading.
_SECTION = re.compile(r"^### (\S+)\n.*?(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_GAMES = re.compile(r"--games (\d+) --seed (\d+)")


@dataclass(frozen=True, order=True)
class Key:
    """A target of a tournament, and the seed of its games."""

    tournament: str
    wanted: str
    seed: int


@dataclass(frozen=True)
class Found:
    """A win share, and the day on which its last game was added."""

    share: Share
    day: str


class WinShares:
    """The win shares of all games so far, in a JSON file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[Key, Found] = {}
        if path.exists():
            for row in json.loads(path.read_text("utf-8")):
                self._found[Key(**row["key"])] = Found(Share(**row["share"]), row["day"])

    def write(self) -> None:
        """Write the file, one win share per line."""
        rows = [
            json.dumps({"key": asdict(key), "share": asdict(found.share), "day": found.day})
            for key, found in sorted(self._found.items())
        ]
        self._path.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8", newline="\n")

    def add(self, key: Key, share: Share, day: str) -> None:
        """Add or update the win share of stored games."""
        if key not in self._found or self._found[key].share.games != share.games:
            self._found[key] = Found(share, day)

    def share(self, tournament: str, target: str) -> Share | None:
        """Return the win share over all seeds; None if there are no games."""
        shares = list(self.by_seed(tournament, target).values())
        return together(shares) if shares else None

    def by_seed(self, tournament: str, target: str) -> dict[int, Share]:
        """Return the win share for each seed."""
        found = [(key, found) for key, found in sorted(self._found.items()) if key.tournament == tournament]
        return {key.seed: one.share for key, one in found if key.wanted == target}

    def days(self) -> list[str]:
        """Return the days on which games were added."""
        return sorted({found.day for found in self._found.values()})


class PreviousReport:
    """The sections of an existing docs/ladder.md; empty if there is none."""

    def __init__(self, docs: Path) -> None:
        path = docs / "ladder.md"
        text = path.read_text("utf-8") if path.exists() else ""
        self.sections = {found[1]: found[0].rstrip("\n") for found in _SECTION.finditer(text)}
        self.times = _chapter(text, "Time per decision")
        self.ratings = _chapter(text, "Ratings")

    def has_more(self, name: str, stored: Tournament) -> bool:
        """Whether it reports more games with the same seed than are stored."""
        games, seed = self._games(name)
        return seed == stored.seed and games > stored.games

    def has_fewer(self, name: str, planned: Tournament) -> bool:
        """Whether it reports fewer games than planned."""
        return self._games(name)[0] < planned.games

    def _games(self, name: str) -> tuple[int, int]:
        """Return the number of games per combination in a section, and their seed."""
        found = _GAMES.search(self.sections.get(name, ""))
        return (0, 0) if found is None else (int(found[1]), int(found[2]))


def _chapter(text: str, title: str) -> str:
    """Return a chapter with its heading; empty if there is none."""
    found = re.search(rf"^## {title}\n.*?(?=^##|\Z)", text, re.MULTILINE | re.DOTALL)
    return found[0].rstrip("\n") if found else ""
