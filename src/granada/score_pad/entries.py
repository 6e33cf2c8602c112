"""The entries of a score pad, and their points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from granada.rules.events import DIRK, Row
from granada.rules.options import Options
from granada.rules.scoring import Holding, rows_of
from granada.rules.stretches import MOAT, RUN, WALL
from granada.rules.tiles import ALHAMBRA, ALHAMBRA_TYPES, GRANADA, TYPES

_NOTHING: Final = (0,) * len(TYPES)


@dataclass(frozen=True)
class SeatEntry:
    """What a player or Dirk has in a scoring: lengths, and counts by type in the order of TYPES."""

    wall: int = 0
    moat: int = 0
    run: int = 0
    #: Tiles in the city, without bonus cards and huts.
    counts: tuple[int, ...] = _NOTHING
    #: 7.4: the highest price among them, 0 if it is not given.
    highest: tuple[int, ...] = _NOTHING
    #: 13.2: revealed bonus cards.
    bonus: tuple[int, ...] = _NOTHING
    #: 14.5: the number of tiles that the huts of the type count for.
    huts: tuple[int, ...] = _NOTHING

    def lengths(self) -> dict[str, int]:
        """7.2, 10.7: return the lengths by name."""
        return {"wall": self.wall, "moat": self.moat, "run": self.run}


def entries_needed(options: Options) -> int:
    """9.4: return the number of entries of a scoring: one per seat and, with two players, one for Dirk at the end."""
    return options.players + (options.players == 2)


def seated(options: Options, entries: Sequence[SeatEntry]) -> list[tuple[int, SeatEntry]]:
    """Return the entries with their seats; Dirk's seat is DIRK."""
    return [(seat if seat < options.players else DIRK, entry) for seat, entry in enumerate(entries)]


def may_have(options: Options, seat: int, module: str, type_: int) -> bool:
    """13.1, 14.3, 15: return whether a seat can have bonus cards or huts of a type."""
    return module in options.modules and seat != DIRK and kind_of(type_) == ALHAMBRA


def kind_of(type_: int) -> int:
    """Return the kind of tile that a type belongs to."""
    return ALHAMBRA if type_ < len(ALHAMBRA_TYPES) else GRANADA


def stretches(options: Options) -> list[str]:
    """10.7: return what is measured."""
    words = [word for kind, word in ((ALHAMBRA, "wall"), (GRANADA, "moat")) if kind in options.kinds]
    return [*words, "run"] if len(words) > 1 else words


def pad_rows(options: Options, scoring: str, entries: Sequence[SeatEntry]) -> list[Row]:
    """7: return the points for the entries; what is not played does not count."""
    held = [_holding(options, seat, entry) for seat, entry in seated(options, entries)]
    lengths = [[0] * options.players for _ in (WALL, MOAT, RUN)]
    for seat, entry in enumerate(entries[: options.players]):
        for what, (word, length) in zip((WALL, MOAT, RUN), entry.lengths().items(), strict=True):
            lengths[what][seat] = length if word in stretches(options) else 0
    return rows_of(held, lengths, options.kinds, scoring, options.scoring == "simplified")


def _holding(options: Options, seat: int, entry: SeatEntry) -> Holding:
    """7.1, 13.2, 14.5: return the tiles, and what counts as tiles."""
    holding = Holding(seat, ())
    for type_ in range(len(TYPES)):
        holding.counts[type_] = entry.counts[type_]
        holding.highest[type_] = entry.highest[type_]
        for module, extra in (("bonus", entry.bonus), ("huts", entry.huts)):
            if may_have(options, seat, module, type_):
                holding.counts[type_] += extra[type_]
    return holding
