"""What the ladder has found, also by games that are no longer here: docs/ladder/figures.json.

Hours of games should not be forgotten when a folder is lost or the seed is another one: their shares go on counting.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from granada.arena.intervals import Share, together


@dataclass(frozen=True, order=True)
class Key:
    """What is wanted of a tournament, and the seed of the deals with which it was looked for."""

    tournament: str
    wanted: str
    seed: int


@dataclass(frozen=True)
class Found:
    """The share that was found, and the day on which the last of its games was added."""

    share: Share
    day: str


class Figures:
    """Everything that was found so far, in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: dict[Key, Found] = {}
        if path.exists():
            for row in json.loads(path.read_text("utf-8")):
                self._found[Key(**row["key"])] = Found(Share(**row["share"]), row["day"])

    def write(self) -> None:
        """Keep them, one a line."""
        rows = [
            json.dumps({"key": asdict(key), "share": asdict(found.share), "day": found.day})
            for key, found in sorted(self._found.items())
        ]
        self._path.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8", newline="\n")

    def note(self, key: Key, share: Share, day: str) -> None:
        """What was found by the games that are here."""
        if key not in self._found or self._found[key].share.games != share.games:
            self._found[key] = Found(share, day)

    def share(self, tournament: str, wanted: str) -> Share | None:
        """The share of all games, whatever their seed; None if there are none."""
        shares = list(self.by_seed(tournament, wanted).values())
        return together(shares) if shares else None

    def by_seed(self, tournament: str, wanted: str) -> dict[int, Share]:
        """The same, one by one."""
        found = [(key, found) for key, found in sorted(self._found.items()) if key.tournament == tournament]
        return {key.seed: one.share for key, one in found if key.wanted == wanted}

    def days(self) -> list[str]:
        """The days on which games were added."""
        return sorted({found.day for found in self._found.values()})
