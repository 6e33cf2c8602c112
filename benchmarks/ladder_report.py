"""docs/ladder.md and its plots, from the results that are stored."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import granada
from benchmarks.ladder_ratings import rate_all
from benchmarks.ladder_tournaments import Entry, Wanted
from granada.arena import tables
from granada.arena.intervals import interval_of_share
from granada.arena.plots import Level, budget_curves, plot_curves, plot_ladder, plot_levels, plot_matrix, rated
from granada.arena.ratings import Rating
from granada.arena.standings import Interval, Standings
from granada.arena.storing import BadResults, difference, has_other_bots, is_same, read_results
from granada.rules.errors import BadOptions

HEAD = """# The ladder

    make ladder                                         plays everything that is not stored yet, and writes this page
    python benchmarks/ladder.py --only granada-doubling-0.2s --scale 0.1
    python benchmarks/ladder.py --list

Written by `benchmarks/ladder.py`; the tournaments and what is wanted of them are in `benchmarks/ladder_tournaments.py`.
Seats are rotated, and all play the same deals, each from every seat. Intervals hold 95 %; those of win shares take the
games of a deal together, because luck that all had cancels (docs/arena.md). A fair share is one half with two players,
a third with three.
"""


def told_in(docs: Path) -> set[str]:
    """The tournaments of which the document tells."""
    path = docs / "ladder.md"
    return set(re.findall(r"^### (\S+)$", path.read_text("utf-8"), re.MULTILINE)) if path.exists() else set()


def write_report(docs: Path, folder: Path, entries: Sequence[Entry]) -> dict[str, Rating]:
    """Write everything that is known; returns the ratings."""
    pictures = docs / "ladder"
    pictures.mkdir(parents=True, exist_ok=True)
    found = [(entry, standings) for entry in entries if (standings := _standings(entry, folder)) is not None]
    lines = [HEAD, _circumstances(folder, [entry for entry, _ in found]), ""]
    lines += ["## What is wanted", "", *_wanted(found), ""]
    lines += _together(found)
    ratings = rate_all([(standings.tournament, standings.outcomes) for _, standings in found])
    lines += ["## Ratings", "", *_ratings(ratings, pictures), ""]
    for set_up in dict.fromkeys([entry.tournament.edition for entry, _ in found]):
        here = [(entry, standings) for entry, standings in found if entry.tournament.edition == set_up]
        lines += [f"## {set_up.capitalize()}, modules {', '.join(here[0][0].tournament.modules)}", ""]
        lines += _overview(set_up, here, pictures)
        for entry, standings in here:
            lines += _section(entry, standings, pictures, has_other_bots(str(folder / f"{entry.name}.jsonl")))
    missing = [entry.name for entry in entries if entry.name not in [known.name for known, _ in found]]
    if missing:
        lines += ["## Not played yet", "", ", ".join(missing), ""]
    (docs / "ladder.md").write_text("\n".join(lines), encoding="utf-8", newline="\n")
    return ratings


def _ratings(ratings: dict[str, Rating], pictures: Path) -> list[str]:
    """All games together, whatever the set-up and the number of players."""
    rows = [["bot", "rating", "95 %"]]
    for spec, rating in sorted(ratings.items(), key=lambda one: -one[1].points):
        rows.append([spec, f"{rating.points:.0f}", f"± {rating.spread:.0f}"])
    told = "From all games above together (openskill, Plackett-Luce; 400 points mean ten wins against one)."
    title = "Rating by budget, with 95 % intervals"
    curves = budget_curves([rated(spec, rating) for spec, rating in ratings.items()])
    budgets = plot_curves(curves, title, "budgets")
    return [told, "", *_markdown(rows), *(["", *_picture(budgets, "budgets", title, pictures)] if budgets else [])]


def _standings(entry: Entry, folder: Path) -> Standings | None:
    """The figures of what is stored of a tournament, however many of its games that are."""
    path = folder / f"{entry.name}.jsonl"
    if not path.exists():
        return None
    try:
        tournament, outcomes = read_results(str(path))
    except BadResults as error:
        print(f"{entry.name} is left out: {error}", file=sys.stderr)
        return None
    # The first line keeps the number of games of the first run; later ones may have added to them.
    lines_up = tournament.size // tournament.games
    tournament = replace(tournament, games=max(1, len(outcomes) // lines_up))
    if not is_same(tournament, entry.tournament):
        why = difference(tournament, entry.tournament)
        print(f"{entry.name} is left out: another tournament is stored under this name: {why}", file=sys.stderr)
        return None
    try:
        return Standings(tournament, tournament.prepare(), outcomes) if outcomes else None
    except BadOptions as error:
        print(f"{entry.name} is left out: {error}", file=sys.stderr)
        return None


def _circumstances(folder: Path, entries: Sequence[Entry]) -> str:
    times = [(folder / f"{entry.name}.jsonl").stat().st_mtime for entry in entries]
    days = sorted({datetime.fromtimestamp(moment, UTC).date().isoformat() for moment in times}) or ["never"]
    played = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    rules = "compiled" if granada.is_compiled() else "interpreted"
    return (
        f"Played {played}; granada {granada.__version__}, rules {rules}, Python {platform.python_version()},"
        f" {os.cpu_count()} cores, {platform.machine()}, {platform.system()}."
    )


#: The columns of what is wanted, after the name.
_COLUMNS = ("wanted", "at least", "interval above", "found", "95 % interval", "games", "met")


def _wanted(found: Sequence[tuple[Entry, Standings]]) -> list[str]:
    rows = [["tournament", *_COLUMNS]]
    for entry, standings in found:
        for wanted in entry.wanted:
            rows.append([entry.name, *_row(wanted, *_figure(standings, wanted))])
    return _markdown(rows)


def _together(found: Sequence[tuple[Entry, Standings]]) -> list[str]:
    """The same for what is wanted in several editions, or with several budgets: every game counts alike."""
    same: dict[tuple[str, float, float], list[tuple[Wanted, Standings]]] = {}
    for entry, standings in found:
        for wanted in entry.wanted:
            if wanted.rival is None and standings.of(wanted.player).games:
                same.setdefault((entry.kind, wanted.at_least, wanted.surely), []).append((wanted, standings))
    rows = [["tournaments", "editions", *_COLUMNS]]
    for (kind, _, _), alike in same.items():
        if len(alike) > 1:
            # Deals of the same number have the same seed, and so perhaps something of the same luck.
            deals: defaultdict[int, list[float]] = defaultdict(list)
            for wanted, standings in alike:
                for deal, won in standings.of(wanted.player).wins_by_deal.items():
                    deals[deal] += won
            wins = [one for won in deals.values() for one in won]
            players = dict.fromkeys([wanted.player for wanted, _ in alike])
            wanted = replace(alike[0][0], player=" or ".join(players))
            figures = _row(wanted, sum(wins) / len(wins), interval_of_share(list(deals.values())), len(wins))
            editions = dict.fromkeys([standings.tournament.edition for _, standings in alike])
            rows.append([kind, ", ".join(editions), *figures])
    return ["## Taken together", "", *_markdown(rows), ""] if len(rows) > 1 else []


def _row(wanted: Wanted, share: float, interval: Interval, games: int) -> list[str]:
    surely = _percent(wanted.surely) if wanted.surely else ""
    told = [str(wanted), _percent(wanted.at_least), surely, _percent(share)]
    low, high = interval
    return [*told, f"{_percent(low)} – {_percent(high)}", str(games), _verdict(wanted, share, interval)]


def _figure(standings: Standings, wanted: Wanted) -> tuple[float, Interval, int]:
    if wanted.rival is not None:
        met = standings.meeting(wanted.player, wanted.rival)
        return met.share, met.interval, met.games
    one = standings.of(wanted.player)
    return one.share, one.interval_by_deal, one.games


def _verdict(wanted: Wanted, share: float, interval: Interval) -> str:
    low, high = interval
    if share >= wanted.at_least:
        if low <= wanted.surely:
            return "the share, but the interval is too wide: more games"
        return "yes" if low >= wanted.at_least else "yes, but not beyond doubt"
    return "not found, but within the interval" if high >= wanted.at_least else "**no**"


def _overview(set_up: str, here: Sequence[tuple[Entry, Standings]], pictures: Path) -> list[str]:
    """One plot of all that is wanted of a set-up."""
    levels: list[Level] = []
    for entry, standings in here:
        for wanted in entry.wanted:
            share, (low, high), _ = _figure(standings, wanted)
            name = f"{', '.join(entry.tournament.players)}" if wanted.rival is None else str(wanted)
            levels.append(Level(name, 100 * share, 100 * low, 100 * high, f"{100 * share:.1f} %"))
    if not levels:
        return []
    title = f"{set_up.capitalize()}: win share of the first, in percent"
    return _picture(plot_levels(levels, title, f"{set_up}-overview"), f"{set_up}-overview", title, pictures)


def _section(entry: Entry, standings: Standings, pictures: Path, is_old: bool) -> list[str]:
    lines = [
        f"### {entry.name}",
        "",
        f"`{tables.command(standings.tournament)}`",
        "",
        f"{tables.summary(standings)}.",
        "",
    ]
    lines += ["**The bots have changed since these games were begun.**", ""] if is_old else []
    lines += [*_markdown(tables.shares(standings)), ""]
    if len(standings.entrants) > 2:
        lines += _picture(plot_ladder(standings, entry.name), entry.name, "Ratings", pictures)
        matrix = f"{entry.name}-matrix"
        lines += _picture(plot_matrix(standings, matrix), matrix, "Who is ahead of whom", pictures)
    lines += [*_markdown(tables.times(standings)), ""]
    lines += [f"- {line}" for line in tables.faults(standings)]
    return [*lines, ""] if lines[-1] else lines


def _picture(svg: str, name: str, title: str, pictures: Path) -> list[str]:
    (pictures / f"{name}.svg").write_text(svg, encoding="utf-8", newline="\n")
    return [f"![{title}](ladder/{name}.svg)", ""]


def _markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    head, *others = [f"| {' | '.join(row)} |" for row in rows]
    return [head, f"|---|{'---:|' * (len(rows[0]) - 1)}", *others]


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %"
