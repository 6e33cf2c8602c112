"""The results of a simulation, as plain data and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.arena.tally import Tally
from granada.arena.tournament import Tournament
from granada.cli.score_sheet import table
from granada.rules.events import DIRK
from granada.rules.scoring import SCORINGS

#: The most seats side by side in the table of points.
ABREAST: Final = 4


def as_data(tournament: Tournament, tally: Tally, seconds: float) -> dict[str, object]:
    """Return all results; a victory shared by k players counts 1/k of a win for each."""
    seats = [seat for seat in tally.seats if seat != DIRK]
    figures: dict[str, object] = {
        "edition": tournament.edition,
        "modules": list(tournament.modules),
        "scoring": tournament.scoring,
        "players": list(tournament.players),
        "seed": tournament.seed,
        "max_turns": tournament.max_turns,
        "games": tally.games,
        "unfinished": tally.unfinished,
        "decisions": tally.decisions,
        "mean_turns": tally.mean(tally.turns),
        "seconds": seconds,
        "games_per_second": tally.games / seconds,
        "seats": [
            {
                "seat": seat + 1,
                "player": tournament.players[seat],
                "wins": tally.wins(seat),
                "shared_wins": tally.shared_wins(seat),
                "win_rate": tally.win_rate(seat),
                "win_rate_95": list(tally.interval(seat)),
                **_points(tally, seat),
            }
            for seat in seats
        ],
    }
    if DIRK in tally.seats:
        figures["dirk"] = _points(tally, DIRK)
    return figures


def _points(tally: Tally, seat: int) -> dict[str, object]:
    """Return mean points: all, by item, and by scoring and item."""
    return {
        "mean_points": tally.points(seat),
        "points": {item: tally.points(seat, items=[item]) for item in tally.items},
        "points_by_scoring": {
            scoring: {item: tally.points(seat, [scoring], [item]) for item in tally.items} for scoring in SCORINGS
        },
    }


def as_text(tournament: Tournament, tally: Tally, seconds: float) -> list[str]:
    """Return the same as text."""
    modules = f", modules {', '.join(tournament.modules)}" if tournament.modules else ""
    lines = [
        f"{tournament.edition.capitalize()}{modules}, {tournament.scoring} scoring, seed {tournament.seed}",
        f"{tally.games} game{'s' if tally.games > 1 else ''}, {tally.unfinished} unfinished,"
        f" {tally.mean(tally.turns):.1f} turns per game,"
        f" {tally.games / seconds:.1f} games/s, {tally.decisions / seconds:.0f} decisions/s",
        "",
        *_wins(tournament, tally),
    ]
    for first in range(0, len(tally.seats), ABREAST):
        lines += ["", *_points_table(tournament, tally, tally.seats[first : first + ABREAST])]
    return lines


def _wins(tournament: Tournament, tally: Tally) -> list[str]:
    rows = [["", "wins", "shared", "rate", "95 % interval", "points"]]
    for seat in tally.seats:
        words = ["-"] * 4
        if seat != DIRK:
            low, high = tally.interval(seat)
            words = [
                f"{tally.wins(seat):.1f}",
                str(tally.shared_wins(seat)),
                f"{100 * tally.win_rate(seat):.1f} %",
                f"{100 * low:.1f} – {100 * high:.1f} %",
            ]
        rows.append([_name(tournament, seat), *words, f"{tally.points(seat):.1f}"])
    return table(rows)


def _points_table(tournament: Tournament, tally: Tally, seats: Sequence[int]) -> list[str]:
    """Return mean points by item, for each seat by scoring and in total."""
    columns = [*[[scoring] for scoring in SCORINGS], SCORINGS]
    rows = [["mean points", *[scoring for _ in seats for scoring in (*SCORINGS, "all")]]]
    for items in (*[[item] for item in tally.items], tally.items):
        label = items[0] if len(items) == 1 else "total"
        rows.append([label, *[f"{tally.points(s, column, items):.1f}" for s in seats for column in columns]])
    lines = table(rows)
    # Each name is right-aligned with the last of its four columns.
    heads = ""
    for i, seat in enumerate(seats):
        end = len(lines[0]) - sum([_width(rows, column) for column in range(4 * i + 5, len(rows[0]))])
        heads += _name(tournament, seat).rjust(end - len(heads))
    return [heads, *lines]


def _width(rows: Sequence[Sequence[str]], column: int) -> int:
    return 2 + max([len(row[column]) for row in rows])


def _name(tournament: Tournament, seat: int) -> str:
    return "Dirk" if seat == DIRK else f"{seat + 1} {tournament.players[seat]}"
