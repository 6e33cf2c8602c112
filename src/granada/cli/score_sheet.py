"""The score sheet of a game, and tables of text in general."""

from __future__ import annotations

from collections.abc import Sequence

from granada.arena.tally import items_of
from granada.rules.events import DIRK
from granada.rules.leftovers import standings, winners
from granada.rules.scoring import SCORINGS
from granada.rules.state import State


def table(rows: Sequence[Sequence[str]], width: int | None = None) -> list[str]:
    """Align rows in columns: the first column to the left, the others to the right.

    Columns that exceed the width follow in another table below, with the first column again.
    """
    widths = [max([len(row[i]) for row in rows]) for i in range(len(rows[0]))]
    if width is None or sum(widths) + 2 * (len(widths) - 1) <= width:
        return _aligned(rows)
    lines: list[str] = []
    left = list(range(1, len(widths)))
    while left:
        count = 1
        while count < len(left) and widths[0] + sum([2 + widths[i] for i in left[: count + 1]]) <= width:
            count += 1
        shown, left = left[:count], left[count:]
        room = max(1, width - widths[0] - 2)  # cuts a name that is too long even alone
        lines += ["", *_aligned([[row[0], *[_cut(row[i], room) for i in shown]] for row in rows])]
    return lines[1:]


def _cut(word: str, width: int) -> str:
    return word if len(word) <= width else f"{word[: width - 1]}…"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max([len(row[i]) for row in rows]) for i in range(len(rows[0]))]
    lines: list[str] = []
    for row in rows:
        cells = [word.rjust(widths[i]) if i else word.ljust(widths[i]) for i, word in enumerate(row)]
        lines.append("  ".join(cells).rstrip())
    return lines


def score_sheet(state: State, names: Sequence[str], width: int | None = None) -> list[str]:
    """Return all points by item and by scoring, and the ranks of the players and of Dirk (9.7), within a width."""
    seats = [*range(len(names)), *([DIRK] if state.dirk is not None else [])]
    rows = [["", *names, *(["Dirk"] if state.dirk is not None else [])]]
    for item in items_of(state.options):
        points = [sum([row.points for row in state.rows if row.seat == seat and row.item == item]) for seat in seats]
        if any(points):
            rows.append([item, *[str(amount or "-") for amount in points]])
    for scoring in SCORINGS:
        if any([row.scoring == scoring for row in state.rows]):
            points = [
                sum([row.points for row in state.rows if row.seat == seat and row.scoring == scoring]) for seat in seats
            ]
            rows.append([f"scoring {scoring}", *[str(amount) for amount in points]])
    totals = [state.players[seat].score for seat in range(len(names))] + ([state.dirk.score] if state.dirk else [])
    rows.append(["total", *[str(total) for total in totals]])
    ranks = {seat: rank for rank, seat, _ in standings(state)}
    rows.append(["place", *[f"{ranks[seat]}." for seat in seats]])
    return table(rows, width)


def verdict_of(state: State, names: Sequence[str]) -> str:
    """8.4: return who has won, as a sentence."""
    won = winners(state)
    best = state.players[won[0]].score
    if len(won) == 1:
        return f"{names[won[0]]} wins with {best} points."
    return f"{', '.join([names[seat] for seat in won[:-1]])} and {names[won[-1]]} share the victory with {best} points."
