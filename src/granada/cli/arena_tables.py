"""The figures of a tournament on a terminal."""

from __future__ import annotations

from granada.arena import tables
from granada.arena.standings import Standings
from granada.cli.failures import one_line
from granada.cli.tables import table


def as_text(standings: Standings, seconds: float) -> list[str]:
    """All tables, one after the other."""
    lines = [tables.heading(standings.tournament), f"{tables.summary(standings)}, {seconds:.1f} s"]
    lines += ["", *table(tables.shares(standings))]
    if len(standings.entrants) > 2:
        lines += ["", *table(tables.matrix(standings))]
    lines += ["", *table(tables.points(standings)), "", *table(tables.times(standings))]
    faults = [one_line(line) for line in tables.faults(standings)]
    return [*lines, *(["", *faults] if faults else [])]
